// SPDX-License-Identifier: Apache-2.0

/// A value that is not written in its basic form, and where it stops being so.
///
/// ```text
/// expected a month from 01 through 12, found "13"
/// ```
public struct BasicFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the part that does not fit, in bytes from the start of the value.
  public let offset: Int
  /// What should stand there, such as `a month from 01 through 12`.
  public let expected: String
  /// What stands there: the text in quotes, or `the end of the value`.
  public let found: String
  /// The section of the RFC that says so, such as `RFC 5545 §3.3.4`.
  public let section: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - offset: The offset in bytes from the start of the value.
  ///   - expected: What should stand there.
  ///   - found: What stands there, in quotes if it is text.
  ///   - section: The section of the RFC.
  package init(offset: Int, expected: String, found: String, section: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.section = section
  }

  /// The sentence for people, without the place.
  public var message: String { "expected \(expected), found \(found)" }

  /// The sentence for people and the section.
  public var description: String { "\(message) (\(section))" }

  /// The same error in a value that has this one inside.
  ///
  /// - Parameter bytes: How far inside it starts, in bytes.
  /// - Returns: The error with the offset in the longer value.
  public func shifted(by bytes: Int) -> BasicFormatError {
    BasicFormatError(offset: offset + bytes, expected: expected, found: found, section: section)
  }
}
