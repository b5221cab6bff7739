// SPDX-License-Identifier: Apache-2.0

/// The reason why a body is not a valid document; no part of it is used.
package struct XMLDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line where reading stopped, from 1.
  package let line: Int
  /// The message for display.
  package let message: String

  /// The line and the message.
  package var description: String { "line \(line): \(message)" }
}
