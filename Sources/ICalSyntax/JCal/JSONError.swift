// SPDX-License-Identifier: Apache-2.0

/// A place where a text stops being JSON (RFC 8259), or goes beyond a limit.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it is.
  package let position: SourcePosition
  /// The message, in the form `expected X, found Y`.
  package let message: String
  /// The section of RFC 8259, or nil for a limit.
  package let reference: String?

  /// The place and what is wrong there.
  package var description: String { "\(position): \(message)" }
}
