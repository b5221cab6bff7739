// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import ICalSyntax

/// Converts the moments of users to the times of files.
///
/// A local time is in the time zone that the item has, or else in the chosen one or the viewer's.
/// An item with floating times keeps them floating.
struct TimeWriting {
  /// The name that stands for no time zone.
  static let floating = "floating"

  /// The clocks of the item's times.
  let clocks: ItemClocks
  /// The name of the chosen zone; nil for that of the item.
  let zone: String?

  /// The rules of the viewer's zone.
  var viewer: ZoneRules { clocks.viewer }

  /// The time of a moment, in the form of another time.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - other: The time that the item has, or another one of the same item; nil for a new item.
  /// - Returns: The time.
  /// - Throws: `EpactError` if the zone is unknown, or the time is outside the years 1 to 9999.
  func time(_ moment: Moment, like other: EventTime?) throws(EpactError) -> EventTime {
    switch moment {
    case .date(let date): return .date(date)
    case .local(let wall):
      if zone == nil {
        switch other {
        case .floating: return .floating(wall)
        case .zoned(_, let tzID): return .zoned(wall, tzID: tzID)
        case .utc: return .utc(try civil(viewer.instant(of: wall)))
        case .date, nil: break
        }
      }
      return try time(wall)
    case .instant(let instant):
      if zone == nil, case .zoned(_, let tzID)? = other, let rules = rules(of: tzID) {
        guard let wall = rules.civil(at: instant) else { throw Self.outOfRange }
        return .zoned(wall, tzID: tzID)
      }
      if zone == nil, case .utc? = other { return .utc(try civil(instant)) }
      guard let wall = try chosenRules.civil(at: instant) else { throw Self.outOfRange }
      return try time(wall)
    }
  }

  /// A wall-clock time in the chosen zone, or else in the viewer's.
  private func time(_ wall: CivilDateTime) throws(EpactError) -> EventTime {
    guard zone != Self.floating else { return .floating(wall) }
    let rules = try chosenRules
    if clocks.zones.resolve(rules.name).name == "UTC" {
      return .utc(try civil(rules.instant(of: wall)))
    }
    return .zoned(wall, tzID: rules.name)
  }

  /// The same wall-clock time in the chosen zone; unchanged if no zone is chosen.
  ///
  /// The clock of a time in UTC is the viewer's, by which it is shown, unless UTC is chosen.
  func rezoned(_ time: EventTime) throws(EpactError) -> EventTime {
    guard zone != nil, !time.isAllDay else { return time }
    guard case .utc(let wall) = time, try clocks.zones.resolve(chosenRules.name).name != "UTC",
      let local = viewer.civil(at: Instant(utc: wall))
    else { return try self.time(time.wallTime) }
    return try self.time(local)
  }

  /// The time after a duration.
  func time(
    _ start: EventTime, after duration: CivilDuration
  ) throws(EpactError) -> EventTime {
    switch start {
    case .date(let date):
      let days = duration.nominalDays + Int((duration.exactSeconds + 86_399) / 86_400)
      guard let end = date.adding(days: max(1, days)) else { throw Self.outOfRange }
      return .date(end)
    case .floating(let wall):
      guard let end = wall.adding(duration) else { throw Self.outOfRange }
      return .floating(end)
    case .utc(let wall):
      guard let end = wall.adding(duration) else { throw Self.outOfRange }
      return .utc(end)
    case .zoned(let wall, let tzID):
      let end =
        rules(of: tzID).flatMap { rules in
          rules.instant(of: wall, adding: duration).flatMap { rules.civil(at: $0) }
        } ?? wall.adding(duration)
      guard let end else { throw Self.outOfRange }
      return .zoned(end, tzID: tzID)
    }
  }

  /// A time of a moment; in UTC if the moment is an instant that the local time does not denote.
  func instantForm(of time: EventTime, at moment: Moment) throws(EpactError) -> EventTime {
    guard case .instant(let instant) = moment, isOther(time, than: instant) else { return time }
    return .utc(try civil(instant))
  }

  /// The end at a moment; a duration if the local time of the end denotes another instant.
  func end(_ moment: Moment, from start: EventTime) throws(EpactError) -> EventEnd {
    let time = try time(moment, like: start)
    guard case .instant(let instant) = moment, isOther(time, than: instant) else {
      return .time(time)
    }
    let seconds = instant.secondsSinceEpoch - self.instant(of: start).secondsSinceEpoch
    guard seconds > 0, let duration = CivilDuration(exactSeconds: seconds) else {
      return .time(time)
    }
    return .duration(duration)
  }

  /// The end after a duration; the duration itself if no local time denotes the end.
  func end(after duration: CivilDuration, from start: EventTime) throws(EpactError) -> EventEnd {
    let time = try time(start, after: duration)
    guard case .zoned(let wall, let tzID) = start, let rules = rules(of: tzID),
      let end = rules.instant(of: wall, adding: duration), isOther(time, than: end)
    else { return .time(time) }
    return .duration(duration)
  }

  /// Whether a local time denotes another instant, as the first of two hours that a clock repeats.
  private func isOther(_ time: EventTime, than instant: Instant) -> Bool {
    if case .zoned = time { self.instant(of: time) != instant } else { false }
  }

  /// The end at the same distance from a new start of the same kind.
  ///
  /// It has the zone of the start, unless the event ends in a zone of its own.
  func moved(_ end: EventEnd?, from old: EventTime, to start: EventTime) -> EventEnd? {
    guard case .time(let time)? = end, let wall = wall(of: time, from: old, to: start) else {
      return end
    }
    switch start {
    case .date: return .time(.date(wall.date))
    case .floating: return .time(.floating(wall))
    case .utc: return .time(.utc(wall))
    case .zoned(_, let tzID):
      let other = zone == nil && time.tzID != old.tzID ? time.tzID : nil
      return .time(.zoned(wall, tzID: other ?? tzID))
    }
  }

  /// The local time of an end at the same distance from a new start.
  ///
  /// The digits of a time in UTC and of a local time have no distance: their instants do.
  private func wall(of end: EventTime, from old: EventTime, to start: EventTime) -> CivilDateTime? {
    guard !old.isAllDay, !start.isAllDay, Self.isUTC(end) != Self.isUTC(old) else {
      return start.wallTime.adding(seconds: end.wallTime.wallSeconds - old.wallTime.wallSeconds)
    }
    let length = instant(of: end).secondsSinceEpoch - instant(of: old).secondsSinceEpoch
    guard let instant = instant(of: start).adding(seconds: length) else { return nil }
    if Self.isUTC(start) { return instant.civil(at: .zero) }
    return clocks.rules(of: start).civil(at: instant)
  }

  private static func isUTC(_ time: EventTime) -> Bool {
    if case .utc = time { true } else { false }
  }

  /// The zone of an end in another one than the start, unless a zone is chosen; nil for any other end.
  func foreignZone(of end: EventEnd?, from start: EventTime) -> String? {
    guard zone == nil, case .time(let time)? = end, let tzID = time.tzID, let own = start.tzID,
      tzID != own
    else { return nil }
    return tzID
  }

  /// The zone of an end if its clocks change between the start and the end, unless a zone is chosen;
  /// nil for any other end.
  func zoneOfClockChange(before end: EventEnd?, from start: EventTime) -> String? {
    guard zone == nil, case .time(let time)? = end, let tzID = time.tzID, tzID == start.tzID,
      time.wallTime.wallSeconds - start.wallTime.wallSeconds
        != instant(of: time).secondsSinceEpoch - instant(of: start).secondsSinceEpoch
    else { return nil }
    return tzID
  }

  /// The same conversion for another chosen zone.
  func inZone(_ name: String) -> TimeWriting {
    TimeWriting(clocks: clocks, zone: name)
  }

  /// The time at an instant in the chosen zone; in UTC if no local time denotes it.
  func time(at instant: Instant) throws(EpactError) -> EventTime {
    let moment = Moment.instant(instant)
    return try instantForm(of: time(moment, like: nil), at: moment)
  }

  /// The instant of an end; that of the start without one.
  func instant(of end: EventEnd?, from start: EventTime) -> Instant {
    guard case .duration(let duration)? = end, let rules = start.tzID.flatMap(rules) else {
      return instant(of: time(of: end, from: start) ?? start)
    }
    return rules.instant(of: start.wallTime, adding: duration) ?? instant(of: start)
  }

  /// The time of an end; nil without one.
  func time(of end: EventEnd?, from start: EventTime) -> EventTime? {
    switch end {
    case .time(let time): time
    case .duration(let duration): try? time(start, after: duration)
    case nil: nil
    }
  }

  /// The due time of a reminder, also after a duration (RFC 5545 §3.6.2); nil without one.
  func dueTime(of reminder: Reminder) -> EventTime? {
    reminder.dueTime ?? reminder.start.flatMap { time(of: reminder.due, from: $0) }
  }

  /// The rules of the zone of a time: the chosen one, its own one or the viewer's.
  func rules(for time: EventTime?) throws(EpactError) -> ZoneRules {
    guard zone == nil else { return try chosenRules }
    return time?.tzID.flatMap(rules) ?? viewer
  }

  /// The instant of a moment, whose local time is in the zone of another time.
  func instant(of moment: Moment, like other: EventTime) -> Instant {
    moment.instant(in: other.tzID.flatMap(rules) ?? viewer)
  }

  /// The instant of a time of the item; a date and a floating time are in the viewer's zone.
  func instant(of time: EventTime) -> Instant { clocks.instant(of: time) }

  /// The rules of a TZID of the item; nil if it has none.
  func rules(of tzID: String) -> ZoneRules? { clocks.rules(of: tzID) }

  private var chosenRules: ZoneRules {
    get throws(EpactError) {
      guard let zone, zone != Self.floating else { return viewer }
      guard let rules = try? clocks.zones.rules(of: clocks.zones.resolve(zone)) else {
        throw EpactError(
          .argument, "expected the name of a time zone, found \"\(zone)\"", subject: zone)
      }
      return rules
    }
  }

  private func civil(_ instant: Instant) throws(EpactError) -> CivilDateTime {
    guard let wall = instant.civil() else { throw Self.outOfRange }
    return wall
  }

  private static let outOfRange = EpactError(
    .argument, "expected a time in the years 1 to 9999, found one outside of them")
}
