// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// When an occurrence starts or ends: on the clock of its item, and as a point in time.
public struct OccurrenceTime: Hashable, Sendable {
  /// The time on the clock of the item, as that clock really shows it.
  ///
  /// An instance in a gap of the clocks is at 03:30 here, even if its rule says 02:30
  /// (RFC 5545 §3.3.5). A time in a zone that nobody knows is floating.
  public let time: EventTime
  /// The point in time; of a day and of a floating time, by the clock of whoever looks.
  public let instant: Instant

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - time: The time on its clock.
  ///   - instant: The point in time.
  public init(_ time: EventTime, _ instant: Instant) {
    self.time = time
    self.instant = instant
  }

  /// How far the clock is ahead of UTC then, or nil for a day.
  public var offset: UTCOffset? {
    if time.isAllDay { return nil }
    return UTCOffset(seconds: Int(time.wallTime.wallSeconds - instant.secondsSinceEpoch))
  }

  /// The time in the form of RFC 3339 with its offset from UTC, or the date alone for a day.
  ///
  /// RFC 3339 has no seconds in offsets; where a clock has them, as some did before 1972, the same
  /// instant is told in UTC.
  public var rfc3339: String {
    let wall = time.wallTime
    if time.isAllDay { return Self.date(wall.date) }
    guard let offset, offset != .zero, offset.seconds % 60 == 0 else {
      return Self.text(instant.civil() ?? wall) + "Z"
    }
    let minutes = abs(Int(offset.seconds)) / 60
    let sign = offset.seconds < 0 ? "-" : "+"
    return Self.text(wall) + sign + Self.padded(minutes / 60, 2) + ":"
      + Self.padded(minutes % 60, 2)
  }

  private static func text(_ value: CivilDateTime) -> String {
    let time = value.time
    let fields = [time.hour, time.minute, time.second].map { padded($0, 2) }
    return date(value.date) + "T" + fields.joined(separator: ":")
  }

  private static func date(_ date: CivilDate) -> String {
    [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)].joined(separator: "-")
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
