// SPDX-License-Identifier: Apache-2.0

/// Makes the paths that a person writes absolute.
package struct PathResolver: Sendable {
  /// What `~` stands for.
  package let home: String
  /// What a relative path starts from.
  package let base: String

  /// Creates a resolver.
  package init(home: String, base: String) {
    self.home = home
    self.base = base
  }

  /// The path, absolute and without `.` or empty parts; `..` stays, because a link may be before it.
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
