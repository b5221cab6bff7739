// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the system said when a call failed.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the error, as `errno` had it.
  let code: Int32

  /// Creates an error from its number, or from what the last call left in `errno`.
  init(_ code: Int32 = errno) {
    self.code = code
  }

  /// The system's own words, in English and lower case, as `no such file or directory`.
  var description: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let words = unsafe String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
