// SPDX-License-Identifier: Apache-2.0

/// Information about the linked ICU library.
public enum ICU {
  /// The version of the library, such as `72.1`.
  public static var version: String { ICUCalls.version() }

  /// The supported version of Unicode, such as `15.0`.
  public static var unicodeVersion: String { ICUCalls.unicodeVersion() }

  /// The version of the bundled time zones, such as `2022e`, or nil if there are none.
  ///
  /// It is often years old; `ZoneDatabase` therefore reads zones from the system's files.
  public static var zoneVersion: String? { ICUCalls.zoneVersion() }
}

/// An error of an ICU operation.
public struct ICUError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unknownCharset, malformedText, tooLarge, failed
    }

    private let kind: Kind

    /// The character set is unknown.
    public static let unknownCharset = Code(kind: .unknownCharset)
    /// The bytes are not valid in their character set.
    public static let malformedText = Code(kind: .malformedText)
    /// The text has 2 GiB or more.
    public static let tooLarge = Code(kind: .tooLarge)
    /// ICU failed because of missing memory or data.
    public static let failed = Code(kind: .failed)

    /// The name of the code.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// The offset of the invalid bytes from the start of the stream; nil for other errors.
  public let offset: Int?
  /// The message for people.
  public let message: String

  init(_ code: Code, offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The message for people.
  public var description: String { message }
}
