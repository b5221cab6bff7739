// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Who may do what with a file, as far as its mode tells.
struct FileMode: Sendable {
  private let mode: UInt32

  /// Looks at a file; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = status.st_mode
  }

  /// Whether it is a folder.
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  /// Whether anybody but the owner can do anything with it.
  var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
