// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// A single occurrence of an event, a reminder or a journal entry (RFC 5545 §3.8.5).
///
/// A nonrecurring item has one occurrence.
///
/// ## Topics
///
/// ### Identity
/// - ``uid``
/// - ``recurrenceID``
/// - ``kind``
/// - ``component``
///
/// ### Time
/// - ``start``
/// - ``end``
/// - ``interval``
/// - ``isAllDay``
public struct Occurrence: Hashable, Sendable {
  /// The component of the occurrence: the main component, or an override (RFC 5545 §3.8.4.4).
  ///
  /// It shares the memory of the file from which it was read.
  public let component: Component
  /// The UID of the item; empty if the component has none.
  public let uid: UID
  /// The kind of the item.
  public let kind: ItemKind
  /// The original start, which identifies the occurrence; nil if the item does not recur.
  public let recurrenceID: OccurrenceTime?
  /// The start.
  public let start: OccurrenceTime
  /// The exclusive end; for an all-day occurrence, the day after its last one.
  ///
  /// For a reminder it is the due time, which can be a day that belongs to the reminder.
  public let end: OccurrenceTime
  /// The time range, with floating times in the viewer's time zone; empty for a zero duration.
  public let interval: Range<Instant>
  /// The source number that was passed to `OccurrenceQuery.add`.
  public let source: Int
  /// The clock of the start.
  let clock: SeriesClock

  /// Whether it lasts whole days.
  public var isAllDay: Bool { start.time.isAllDay }

  /// The exact number of seconds from the start to the end; a day of a clock change is shorter or
  /// longer than others.
  public var duration: Int64 {
    interval.upperBound.secondsSinceEpoch - interval.lowerBound.secondsSinceEpoch
  }

  /// The start on the clock of a time zone; midnight of the same date for a whole day.
  ///
  /// - Parameter zone: The zone, such as that of the viewer.
  /// - Returns: The time; nil if it is out of the range of dates.
  public func start(in zone: ZoneRules) -> CivilDateTime? {
    isAllDay ? start.time.wallTime : zone.civil(at: start.instant)
  }

  /// Whether it intersects a range.
  ///
  /// An occurrence with zero duration intersects the range if its time is at or after the range's
  /// start and before the range's end (RFC 4791 §9.9).
  func touches(_ range: Range<Instant>) -> Bool {
    guard interval.lowerBound < range.upperBound else { return false }
    return interval.upperBound > range.lowerBound || interval.lowerBound >= range.lowerBound
  }

  /// Returns whether one occurrence precedes another in ``Occurrences``; nil if all keys are equal.
  static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool? {
    if left.start.instant != right.start.instant { return left.start.instant < right.start.instant }
    if left.isAllDay != right.isAllDay { return left.isAllDay }
    if left.interval.upperBound != right.interval.upperBound {
      return left.interval.upperBound < right.interval.upperBound
    }
    if left.uid != right.uid { return left.uid < right.uid }
    if left.kind != right.kind { return left.kind < right.kind }
    let (leftID, rightID) = (left.recurrenceID?.instant, right.recurrenceID?.instant)
    if leftID != rightID {
      guard let leftID, let rightID else { return leftID == nil }
      return leftID < rightID
    }
    return left.source == right.source ? nil : left.source < right.source
  }
}

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
    if time.isAllDay { return wall.date.iso8601 }
    guard let offset, offset != .zero, offset.seconds % 60 == 0 else {
      return (instant.civil() ?? wall).iso8601 + "Z"
    }
    let minutes = abs(Int(offset.seconds)) / 60
    let sign = offset.seconds < 0 ? "-" : "+"
    return wall.iso8601 + sign + Self.padded(minutes / 60, 2) + ":"
      + Self.padded(minutes % 60, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension ZoneRules {
  /// The instant in RFC 3339 format, with the offset of the zone.
  package func rfc3339(_ instant: Instant) -> String {
    guard let wall = civil(at: instant) else { return "\(instant)" }
    return OccurrenceTime(.zoned(wall, tzID: name), instant).rfc3339
  }
}
