// SPDX-License-Identifier: Apache-2.0

package import Epact

/// The restored items of a calendar.
package struct RestorationReport: Report {
  private let result: Restoration
  private let isDryRun: Bool

  /// Takes the result of a restoration.
  package init(_ result: Restoration, isDryRun: Bool) {
    (self.result, self.isDryRun) = (result, isDryRun)
  }

  package var status: ExitStatus { result.left.contains(where: \.isFailure) ? .someFailed : .done }

  package var json: JSONValue { result.json(isDryRun: isDryRun, exit: status.rawValue) }

  package var messages: [Message] {
    let name: ConsoleText = "\(SafeText.escaped(result.sync), .bold)"
    return result.items.map {
      .say("\(name): \(verb($0.action)) \(.item($0.title, $0.uid))")
    }
      + result.properties.map {
        .say("\(name): \(verb(.added)) the \($0.rawValue) of the calendar")
      }
      + result.left.map { .show("\(name): left out \(.item($0.title, $0.uid)): \($0.reason)") }
      + (total.map { [.say("\(name): \($0).")] } ?? [])
  }

  private func verb(_ action: Restoration.Action) -> String {
    switch action {
    case .added: isDryRun ? "would restore" : "restored"
    case .replaced: isDryRun ? "would replace" : "replaced"
    case .deleted: isDryRun ? "would delete" : "deleted"
    }
  }

  private var total: String? {
    guard !result.items.isEmpty else {
      return result.properties.isEmpty ? "nothing was restored" : nil
    }
    let count = Count(result.items.count, "item")
    return isDryRun ? "\(count) to restore (dry run, nothing was changed)" : "\(count) restored"
  }
}
