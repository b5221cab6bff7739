// SPDX-License-Identifier: Apache-2.0

import Epact
import Glibc

/// Creates folders that only their owner can access.
enum PrivateFolder {
  /// Creates a folder and its missing parents.
  ///
  /// - Throws: `Failure`.
  static func make(_ path: String) throws(Failure) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    if errno == EEXIST { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try make(String(path[..<slash]))
      if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    }
    throw Failure(.nothingDone, "cannot make the folder \(path): \(SystemError())")
  }
}
