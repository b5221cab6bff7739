// SPDX-License-Identifier: Apache-2.0

/// An error in a value that does not match its basic format, with the offset of the error.
///
/// ```text
/// expected a month from 01 through 12, found "13"
/// ```
public struct BasicFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the invalid part, in bytes from the start of the value.
  public let offset: Int
  /// The expected text, such as `a month from 01 through 12`.
  public let expected: String
  /// The text that was found, in quotes, or `the end of the value`.
  public let found: String
  /// The section that defines the format, such as `RFC 5545 §3.3.4`.
  public let section: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - offset: The offset in bytes from the start of the value.
  ///   - expected: The expected text.
  ///   - found: The text that was found, in quotes if it is part of the value.
  ///   - section: The section that defines the format.
  package init(offset: Int, expected: String, found: String, section: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.section = section
  }

  /// The message without the offset and the section.
  public var message: String { "expected \(expected), found \(found)" }

  /// The message with the section in parentheses.
  public var description: String { "\(message) (\(section))" }

  /// Returns the same error for a longer value that contains this one.
  ///
  /// - Parameter bytes: The offset of the inner value in the longer one, in bytes.
  /// - Returns: The error with the offset in the longer value.
  public func shifted(by bytes: Int) -> BasicFormatError {
    BasicFormatError(offset: offset + bytes, expected: expected, found: found, section: section)
  }
}
