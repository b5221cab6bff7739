// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A STANDARD or DAYLIGHT part of a time zone definition (RFC 5545 §3.6.5).
///
/// Only readable values are used.
struct ZoneObservance {
  /// The first onset, in local time with the offset before it.
  let start: CivilDateTime
  /// The local time type after each onset.
  let type: LocalTimeType
  /// The offset before each onset; nil if it is missing.
  let offsetBefore: UTCOffset?
  /// The rules of the onsets.
  let rules: [RecurrenceRule]
  private let dates: [RecurrenceMoment]

  /// Reads a part; nil if its start or offset is missing or unreadable.
  init?(_ component: Component) {
    guard let start = Self.time(of: component[.dtStart]),
      let offset = Self.offset(of: component[.tzOffsetTo])
    else { return nil }
    self.start = start
    offsetBefore = Self.offset(of: component[.tzOffsetFrom])
    type = LocalTimeType(
      offset: offset, isDaylight: component.name == .daylight,
      abbreviation: component[.tzName]?.text ?? offset.description)
    rules = component.properties(named: .rRule).compactMap { property in
      guard case .recurrence(let rule)? = property.typedValues.first else { return nil }
      return rule
    }
    dates = component.properties(named: .rDate).flatMap { Self.moments(of: $0) }
  }

  /// Whether the onsets have no end.
  var isEndless: Bool { rules.contains { $0.until == nil && $0.count == nil } }

  /// The equivalent yearly change, if the onsets follow one simple yearly rule.
  ///
  /// Such a rule names the n-th or last weekday of a month.
  var yearlyChange: POSIXZone.Change? {
    guard rules.count == 1, let rule = rules.first, rule.frequency == .yearly, rule.interval == 1,
      rule.parts.isSubset(of: [.freq, .byMonth, .byDay, .wkst]), rule.byMonth.count == 1,
      let month = rule.byMonth.first?.number, rule.byDay.count == 1, let day = rule.byDay.first,
      let ordinal = day.ordinal, (1...4).contains(ordinal) || ordinal == -1
    else { return nil }
    return POSIXZone.Change(
      day: .weekday(month: month, week: ordinal == -1 ? 5 : ordinal, weekday: day.weekday),
      seconds: start.time.secondOfDay)
  }

  /// Returns the onsets, in order.
  ///
  /// - Parameter offset: The offset before each onset.
  /// - Returns: The instants; nil if the calendar of a rule is unavailable.
  func onsets(after offset: UTCOffset) -> RecurrenceInstances? {
    let before = LocalTimeType(offset: offset, isDaylight: false, abbreviation: "")
    var options = RecurrenceOptions()
    // Exchange starts its rules on 1 January 1601, which does not match any of them. An offset
    // change on that day would not exist in reality.
    options.startOutsideRule = .omit
    options.searchLimit = 10_000
    var set = RecurrenceSet(
      start: start, clock: .zone(ZoneRules(fixed: before, name: "")), options: options)
    set.rules = rules
    set.dates = dates
    return try? set.instances()
  }

  private static func offset(of property: Property?) -> UTCOffset? {
    guard case .utcOffset(let offset)? = property?.typedValues.first else { return nil }
    return offset
  }

  /// Returns the start.
  ///
  /// Lenient: a date means its midnight, and a UTC time is read as local time.
  private static func time(of property: Property?) -> CivilDateTime? {
    switch property?.typedValues.first {
    case .dateTime(let time, _)?: time
    case .date(let date)?: CivilDateTime(date, .midnight)
    default: nil
    }
  }

  private static func moments(of property: Property) -> [RecurrenceMoment] {
    property.typedValues.values.compactMap { value in
      switch value {
      case .dateTime(let time, isUTC: true): .instant(Instant(utc: time))
      case .dateTime(let time, isUTC: false): .local(time)
      case .date(let date): .date(date)
      case .period(let period): .local(period.start)
      default: nil
      }
    }
  }
}
