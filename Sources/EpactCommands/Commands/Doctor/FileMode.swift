// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The permissions of a file according to its mode.
struct FileMode: Sendable {
  private let mode: UInt32

  /// Reads the mode of a file; nil if the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = status.st_mode
  }

  /// Whether the file is a folder.
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  /// Whether users other than the owner have any permission.
  var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
