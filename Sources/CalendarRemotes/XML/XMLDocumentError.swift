// SPDX-License-Identifier: Apache-2.0

/// Why a body is not a document that can be used; nothing of it is.
package struct XMLDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line where reading stopped, from 1.
  package let line: Int
  /// The message for people.
  package let message: String

  /// The line and what is wrong there.
  package var description: String { "line \(line): \(message)" }
}
