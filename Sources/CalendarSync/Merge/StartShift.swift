// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

// Worked examples. "ID" is RECURRENCE-ID.
//
// 1. From 09:00 to 10:00. A date of the series and an override at its regular time move along; an
//    override that was moved before keeps its own time:
//
//        EXDATE:20260309T090000               EXDATE:20260309T100000
//        ID:20260316T090000,                  ID:20260316T100000,
//            DTSTART:20260316T090000              DTSTART:20260316T100000
//        ID:20260323T090000,                  ID:20260323T100000,
//            DTSTART:20260323T110000              DTSTART:20260323T110000
//
// 2. From the time 20260302T090000 to the date 20260302. All dates become dates. An override takes
//    the length of the series, because half an hour is no number of days; one that was moved to
//    another day stays there (scenario becomes-all-day-here-override-moved-to-another-day-there):
//
//        EXDATE:20260309T090000               EXDATE;VALUE=DATE:20260309
//        ID:20260309T090000,                  ID;VALUE=DATE:20260309,
//            DTSTART:20260310T110000,             DTSTART;VALUE=DATE:20260310,
//            DTEND:20260310T113000                DTEND;VALUE=DATE:20260311
//
// 3. From 09:00 to 10:00 again, but the side that moved the start left the exclusion of 9 March at
//    09:00. Such a date stays, which `stays` states; a list is split for this:
//
//        EXDATE:20260309T090000,              EXDATE:20260309T090000
//            20260316T090000                  EXDATE:20260316T100000
//
// 4. From 09:00 to 10:00, and the other side ended the series with the occurrence of 16 March. The
//    end moves along, because the last occurrence would be after it. The end of a day stays:
//
//        UNTIL=20260316T090000                UNTIL=20260316T100000
//        UNTIL=20260316T235959                UNTIL=20260316T235959

/// Moves the dates that depend on the start of a series along with it.
///
/// If a series moves from 10:00 to 11:00, the occurrence that was excluded at 10:00 is now at
/// 11:00. Therefore an EXDATE, RDATE or override that the other side added in the meantime moves,
/// too (RFC 5545 §3.8.4.4, §3.8.5.1, §3.8.5.2).
struct StartShift {
  private let from: EventTime
  private let to: EventTime
  private let clock: MergeClock
  /// The series with the new start.
  private let series: Component?

  /// Creates the shift between two starts, or nil if they are equal or one is missing.
  init?(from: EventTime?, to: EventTime?, of series: Component? = nil, clock: MergeClock) {
    guard let from, let to, !clock.areAlike(from, to) else { return nil }
    self.from = from
    self.to = to
    self.series = series
    self.clock = clock
  }

  /// Whether one start is a date and the other one a time.
  var changesType: Bool { from.isAllDay != to.isAllDay }

  /// The shifted time, or nil if it is undefined.
  func shifted(_ time: EventTime) -> EventTime? {
    clock.wall(of: time, on: from).flatMap(move.moved)
  }

  private var move: StartMove { StartMove(from: from, to: to) }

  /// The occurrence of the shifted time.
  func shiftedOccurrence(at time: EventTime) -> OccurrenceKey? {
    shifted(time).map(clock.occurrence)
  }

  /// A component with its dates shifted, except for those that stay.
  ///
  /// An override at its regular time moves as a whole. An override that was moved before keeps its
  /// own time.
  func shifted(
    _ component: Component, except stays: (EventTime) -> Bool
  ) -> Component {
    guard let id = component[.recurrenceID] else {
      return shiftingLists(of: component, except: stays)
    }
    guard let time = clock.time(of: id), !stays(time), let new = shifted(time) else {
      return component
    }
    var result = component
    let own = clock.time(of: component[.dtStart])
    if own.map({ clock.isSame($0, time) }) ?? false {
      for name in [PropertyName.dtStart, .dtEnd, .due] {
        guard let property = component[name], let own = clock.time(of: property) else { continue }
        result[name] = shifted(own).map { property.at($0) } ?? property
      }
    } else if changesType {
      // RECURRENCE-ID and DTSTART must have the same type.
      guard let own, let place = place(of: own, insteadOf: time) else { return component }
      result[.dtStart] = component[.dtStart]?.at(place)
    }
    if changesType { setLength(of: &result) }
    result[.recurrenceID] = id.at(new)
    return result
  }

  /// Gives an override the duration of the series.
  ///
  /// A duration in hours cannot be converted to days, or vice versa.
  private func setLength(of override: inout Component) {
    let place = clock.time(of: override[.dtStart])
    let shift = StartShift(from: to, to: place, clock: clock)
    for name in [PropertyName.dtEnd, .due, .duration] {
      override[name] = series?[name].flatMap { length -> Property? in
        guard let end = clock.time(of: length) else { return length }
        return (shift == nil ? end : shift?.shifted(end)).map { length.at($0) }
      }
    }
  }

  /// The new start of a moved override that changes its type.
  ///
  /// It stays on its own day, unless that is the day of the occurrence.
  private func place(of own: EventTime, insteadOf occurrence: EventTime) -> EventTime? {
    guard let wall = clock.wall(of: own, on: from), let named = clock.wall(of: occurrence, on: from)
    else { return nil }
    if wall.date == named.date { return shifted(occurrence) }
    return to.at(CivilDateTime(wall.date, to.wallTime.time))
  }

  private func shiftingLists(
    of component: Component, except stays: (EventTime) -> Bool
  ) -> Component {
    var properties: [Property] = []
    var isChanged = false
    for property in component.properties {
      if property.isNamed(.rRule) || property.isNamed(.exRule) {
        let moved = shiftedRule(property)
        if moved != property { isChanged = true }
        properties.append(moved)
        continue
      }
      guard property.isNamed(.exDate) || property.isNamed(.rDate) else {
        properties.append(property)
        continue
      }
      let moved = shiftedLines(property, except: stays)
      if moved != [property] { isChanged = true }
      properties += moved
    }
    guard isChanged else { return component }
    var result = component
    result.properties = PropertyList(properties)
    return result
  }

  /// A rule whose UNTIL moves along, unless the side that moved the start left this UNTIL.
  private func shiftedRule(_ property: Property) -> Property {
    guard case .recurrence(let rule)? = property.typedValues.first, let until = rule.until,
      let new = shifted(until, of: rule)
    else { return property }
    let parts = property.rawValue.split(separator: ";", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { $0.uppercased().hasPrefix("UNTIL=") }) else {
      return property
    }
    let left = series?.properties(named: property.name).contains { own in
      own.rawValue.uppercased().split(separator: ";").contains(Substring(parts[place].uppercased()))
    }
    guard left != true else { return property }
    var moved = parts
    moved[place] = "UNTIL=\(new)"
    return property.with(rawValue: moved.joined(separator: ";"))
  }

  /// The shifted UNTIL of a rule as text; nil if it is undefined.
  private func shifted(_ until: RecurrenceRule.Until, of rule: RecurrenceRule) -> String? {
    let time: EventTime =
      switch until {
      case .date(let date): .date(date)
      case .local(let wall): from.at(wall)
      case .utc(let wall): .utc(wall)
      }
    // A date includes all occurrences of its day.
    if case .date(let date) = time, !from.isAllDay { return move.moved(date)?.description }
    let wall = clock.wall(of: time, on: from)
    let new = wall.flatMap { move.movedUntil($0, of: rule) }
    switch new {
    case .date(let date)?: return date.description
    case .floating(let wall)?: return wall.description
    case .utc(let wall)?: return "\(wall)Z"
    case .zoned?: return new.flatMap { clock.instant(at: $0)?.civil() }.map { "\($0)Z" }
    case nil: return nil
    }
  }

  /// The lines with the values that stay and with the values that move.
  private func shiftedLines(
    _ property: Property, except stays: (EventTime) -> Bool
  ) -> [Property] {
    var left: [String] = []
    var moved: [Property] = []
    for value in property.listValues {
      let single = property.with(rawValue: value)
      if let time = clock.time(of: single), !stays(time), let new = shifted(time) {
        moved.append(single.at(new))
      } else {
        left.append(value)
      }
    }
    guard let first = moved.first else { return [property] }
    let joined = first.with(rawValue: moved.map(\.rawValue).joined(separator: ","))
    return left.isEmpty ? [joined] : [property.with(rawValue: left.joined(separator: ",")), joined]
  }
}

extension Property {
  /// The property with another time and the required parameters (RFC 5545 §3.2.19, §3.2.20).
  func at(_ time: EventTime) -> Property {
    var result = self
    if time.isAllDay {
      result[.value] = ValueType.date.rawValue
    } else if result[.value] != nil {
      result[.value] = nil
    }
    if result[.tzID] != time.tzID { result[.tzID] = time.tzID }
    switch time {
    case .date(let date): result.rawValue = date.description
    case .utc(let wall): result.rawValue = "\(wall)Z"
    case .floating(let wall), .zoned(let wall, _): result.rawValue = wall.description
    }
    return result
  }
}
