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
