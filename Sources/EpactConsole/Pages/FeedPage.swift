// SPDX-License-Identifier: Apache-2.0

package import Epact

extension ColumnTable {
  /// Creates the table of feeds.
  package init(_ feeds: [Feed], on machine: Machine) {
    self.init(
      feeds.map { feed in
        [
          feed.name, feed.words, feed.comment, "made \(machine.localTime(feed.createdAt))",
          feed.lastUsedAt.map { "read \(machine.localTime($0))" } ?? "never read",
        ]
      })
  }
}
