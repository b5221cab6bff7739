// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The start or end of an occurrence: the time in the item's time zone, and the instant.
public struct OccurrenceTime: Hashable, Sendable {
  /// The time in the item's time zone, as a clock shows it.
  ///
  /// For an instance in a gap at 02:30, it is 03:30 (RFC 5545 §3.3.5). A time in an unknown zone is
  /// floating.
  public let time: EventTime
  /// The instant; for a date or a floating time, it depends on the viewer's time zone.
  public let instant: Instant

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - time: The time in its time zone.
  ///   - instant: The instant.
  public init(_ time: EventTime, _ instant: Instant) {
    self.time = time
    self.instant = instant
  }

  /// The UTC offset at that time, or nil for a date.
  public var offset: UTCOffset? {
    if time.isAllDay { return nil }
    return UTCOffset(seconds: Int(time.wallTime.wallSeconds - instant.secondsSinceEpoch))
  }

  /// The time in the format of RFC 3339 with its UTC offset, or only the date for a date.
  ///
  /// Offsets in RFC 3339 have no seconds. If an offset has seconds, as some did before 1972, the
  /// instant is formatted in UTC.
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
