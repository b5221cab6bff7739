// SPDX-License-Identifier: Apache-2.0

/// Makes the user's paths absolute.
package struct PathResolver: Sendable {
  /// The replacement of `~`.
  package let home: String
  /// The base of relative paths.
  package let base: String

  /// Creates a resolver.
  package init(home: String, base: String) {
    self.home = home
    self.base = base
  }

  /// The absolute path without `.` and empty parts; `..` is kept, because it may follow a link.
  package func absolute(_ path: String) -> String {
    let full: String
    if path == "~" || path.hasPrefix("~/") {
      full = home + "/" + path.dropFirst(2)
    } else {
      full = path.hasPrefix("/") ? path : base + "/" + path
    }
    let parts = full.split(separator: "/").filter { $0 != "." }
    return "/" + parts.joined(separator: "/")
  }
}
