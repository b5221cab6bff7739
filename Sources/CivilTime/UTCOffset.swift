// SPDX-License-Identifier: Apache-2.0

/// An offset from UTC (RFC 5545 §3.3.14, the UTC-OFFSET type).
public struct UTCOffset: Hashable, Sendable, Comparable {
  /// The offset in seconds; positive east of Greenwich.
  public let seconds: Int32

  /// The offset of UTC itself.
  public static let zero = UTCOffset(unchecked: 0)

  /// Creates an offset, or returns nil if its magnitude is 26 hours or more.
  ///
  /// The range contains every offset that RFC 9636 §3.2 allows in a zone file.
  public init?(seconds: Int) {
    guard -93_599...93_599 ~= seconds else { return nil }
    self.init(unchecked: Int32(truncatingIfNeeded: seconds))
  }

  private init(unchecked seconds: Int32) {
    self.seconds = seconds
  }

  /// Whether the left offset is further west.
  public static func < (left: UTCOffset, right: UTCOffset) -> Bool {
    left.seconds < right.seconds
  }
}

extension UTCOffset: CustomStringConvertible {
  /// Reads an offset in the basic form `+0100` or `-001640` (RFC 5545 §3.3.14).
  ///
  /// - Parameter text: The text, with nothing before or after the offset.
  /// - Throws: `BasicFormatError` at the first character that does not fit.
  public init(parsing text: String) throws(BasicFormatError) {
    self = try BasicFormat.utcOffset(text.utf8.span)
  }

  /// The basic form, such as `+0100`, with seconds only if they are not zero (RFC 5545 §3.3.14).
  public var description: String {
    let magnitude = abs(Int(seconds))
    return (seconds < 0 ? "-" : "+") + padded(magnitude / 3600, to: 2)
      + padded(magnitude / 60 % 60, to: 2)
      + (magnitude % 60 == 0 ? "" : padded(magnitude % 60, to: 2))
  }
}
