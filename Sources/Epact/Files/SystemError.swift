// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The error of a system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32

  /// Creates an error from a code, by default the current `errno`.
  package init(_ code: Int32 = errno) {
    self.code = code
  }

  /// The system's message in English and lower case, such as `no such file or directory`.
  package var description: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let words = unsafe String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
