// SPDX-License-Identifier: Apache-2.0

/// A point in time, in seconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Instant: Hashable, Sendable, Comparable {
  /// The seconds since the epoch; negative before 1970.
  public let secondsSinceEpoch: Int64

  /// Creates an instant from seconds since the epoch.
  public init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// Creates the instant at which a clock in UTC shows a date-time (RFC 5545 §3.3.5, form 2).
  public init(utc: CivilDateTime) {
    self.init(secondsSinceEpoch: utc.wallSeconds)
  }

  /// The date-time on a clock with an offset from UTC, or nil outside the years 1 through 9999.
  public func civil(at offset: UTCOffset = .zero) -> CivilDateTime? {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(Int64(offset.seconds))
    return overflow ? nil : CivilDateTime(wallSeconds: sum)
  }

  /// The instant some seconds later (earlier if negative), or nil if the sum overflows.
  public func adding(seconds: Int64) -> Instant? {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
    return overflow ? nil : Instant(secondsSinceEpoch: sum)
  }

  /// Whether the left instant is earlier.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }
}

extension Instant: CustomStringConvertible {
  /// The basic form in UTC, such as `19970902T130000Z`.
  ///
  /// Outside the years 1 through 9999 it is an `@` and the seconds since the epoch.
  public var description: String { civil().map { "\($0)Z" } ?? "@\(secondsSinceEpoch)" }
}

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
