// SPDX-License-Identifier: Apache-2.0

/// A point in time, as seconds since 1970-01-01T00:00:00Z without leap seconds.
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

  /// What a clock with an offset from UTC shows, or nil outside the years 1 through 9999.
  public func civil(at offset: UTCOffset = .zero) -> CivilDateTime? {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(Int64(offset.seconds))
    return overflow ? nil : CivilDateTime(wallSeconds: sum)
  }

  /// The instant some seconds later, or earlier if `seconds` is negative; nil if it cannot be told.
  public func adding(seconds: Int64) -> Instant? {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
    return overflow ? nil : Instant(secondsSinceEpoch: sum)
  }

  /// Whether the left instant is the earlier one.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }
}

extension Instant: CustomStringConvertible {
  /// The basic form in UTC, such as `19970902T130000Z`; outside the years 1 through 9999 the seconds
  /// since the epoch after an `@`.
  public var description: String { civil().map { "\($0)Z" } ?? "@\(secondsSinceEpoch)" }
}
