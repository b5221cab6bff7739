// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
import CivilTime
import Recurrence

/// The part of a series that a user chose, by the date of an occurrence.
///
/// ``DateReading/occurrence(_:)`` reads a date. The second moment is used if the series has no occurrence at
/// the first one.
public enum SpanChoice: Hashable, Sendable {
  /// One occurrence.
  case this(Moment, or: Moment? = nil)
  /// An occurrence and all later ones.
  case future(Moment, or: Moment? = nil)
  /// All occurrences.
  case all
}

extension DateReading {
  /// The choice of the occurrence at a date.
  ///
  /// - Throws: `EpactError` if the text is not a date, names a period, or has several readings.
  package func this(_ date: String) throws(EpactError) -> SpanChoice {
    try expectSingleDate(date)
    let (first, other) = try occurrence(date)
    return .this(first, or: other)
  }

  /// The choice of the occurrence at a date and all later ones.
  ///
  /// - Throws: `EpactError` if the text is not a date, names a period, or has several readings.
  package func future(_ date: String) throws(EpactError) -> SpanChoice {
    try expectSingleDate(date)
    let (first, other) = try occurrence(date)
    return .future(first, or: other)
  }

  /// Rejects a period such as `next week`, whose first day need not be the meant occurrence.
  private func expectSingleDate(_ text: String) throws(EpactError) {
    guard (try? span(text))?.isSeveralDays == true, (try? moment(text)) != nil else { return }
    throw EpactError(
      .argument, "expected a single date or time, found the days of \"\(text)\"", subject: text)
  }
}

extension LibraryEditor {
  /// The maximum number of occurrences that are named in an error.
  private static let namedLimit = 5
  /// The time in which the next occurrence is searched, in seconds.
  private static let horizon: Int64 = 20 * 366 * 86_400

  /// The part of an item for an edit; an item without a series is always edited as a whole.
  ///
  /// - Parameters:
  ///   - choice: The choice of the user.
  ///   - found: The item.
  /// - Returns: The part.
  /// - Throws: `EpactError` if the series has no occurrence at the date, or several.
  public func span(_ choice: SpanChoice, of found: FoundItem) throws(EpactError) -> EditSpan {
    guard found.isSeries else {
      switch choice {
      case .this(let moment, let other), .future(let moment, let other):
        try expect(found, at: moment, or: other)
      case .all: break
      }
      return .all
    }
    switch choice {
    case .all: return .all
    case .this(let moment, let other):
      return .occurrence(try occurrence(of: found, at: moment, or: other))
    case .future(let moment, let other):
      return .future(from: try occurrence(of: found, at: moment, or: other))
    }
  }

  /// Checks that an item without a series takes place at a date or a time.
  private func expect(
    _ found: FoundItem, at moment: Moment, or other: Moment?
  ) throws(EpactError) {
    let isThere = [moment, other].compactMap(\.self).contains { moment in
      let range = self.range(of: moment)
      return occurrences(of: found, in: range).contains { range.contains($0.start.instant) }
    }
    guard !isThere else { return }
    throw EpactError(
      .argument, "\"\(found.item.title)\" does not repeat, and is not at \(text(of: moment))",
      subject: found.item.uid.rawValue)
  }

  /// The instants of a date or a time in a zone; by default the viewer's.
  private func range(of moment: Moment, in zone: ZoneRules? = nil) -> Range<Instant> {
    let zone = zone ?? viewer
    let start = moment.instant(in: zone)
    if case .date(let date) = moment, let next = date.adding(days: 1) {
      return start..<max(start, zone.instant(of: CivilDateTime(next, .midnight)))
    }
    return start..<(start.adding(seconds: 1) ?? start)
  }

  /// The original start of the occurrence at a date or a time, or else at another one.
  ///
  /// Views show it in the viewer's zone, and the item alone in its own. If these are two occurrences,
  /// neither is chosen.
  private func occurrence(
    of found: FoundItem, at moment: Moment, or other: Moment?
  ) throws(EpactError) -> EventTime {
    let own = zone(of: found.item) ?? viewer
    var moment = moment
    var (here, there) = starts(of: found, at: moment, own)
    if here.isEmpty, there.isEmpty, let other {
      let (first, second) = starts(of: found, at: other, own)
      if !first.isEmpty || !second.isEmpty { (moment, here, there) = (other, first, second) }
    }
    guard let first = here.first ?? there.first else { throw noOccurrence(of: found, at: moment) }
    if let second = there.first, !here.isEmpty, here != there {
      throw twoOccurrences(of: found, at: moment, (first, second), own)
    }
    let starts = here.isEmpty ? there : here
    guard starts.count == 1 else {
      throw EpactError(
        .argument,
        "there are \(starts.count) occurrences of \"\(found.item.title)\" at \(text(of: moment))",
        details: occurrences(of: found, in: range(of: moment)).prefix(Self.namedLimit).map {
          text(of: $0.start)
        }, subject: found.item.uid.rawValue)
    }
    return first
  }

  /// The original starts of the occurrences at a date or a time, in the viewer's zone and in that of
  /// the item.
  private func starts(
    of found: FoundItem, at moment: Moment, _ own: ZoneRules
  ) -> (here: [EventTime], there: [EventTime]) {
    let here = starts(of: found, in: range(of: moment))
    guard own.name != viewer.name else { return (here, here) }
    return (here, starts(of: found, in: range(of: moment, in: own)))
  }

  private func starts(of found: FoundItem, in range: Range<Instant>) -> [EventTime] {
    var starts: [EventTime] = []
    for occurrence in occurrences(of: found, in: range)
    where range.contains(occurrence.start.instant) {
      if let start = occurrence.recurrenceID?.time, !starts.contains(start) { starts.append(start) }
    }
    guard starts.isEmpty else { return starts }
    // A moved occurrence also has the date that it had.
    let times = times(of: found.item, zone: nil)
    return found.item.overrides.compactMap { Event($0).recurrenceID?.time }.filter { time in
      range.contains(times.instant(of: time))
    }
  }

  /// The time zone of an item's start; nil if it is floating, in UTC, or a day.
  private func zone(of item: CalendarItem) -> ZoneRules? {
    guard let tzID = item.main?[.dtStart]?[.tzID] ?? item.main?[.due]?[.tzID] else { return nil }
    let resolver = machine.zoneResolver
    return try? resolver.rules(of: resolver.resolve(tzID, definitions: item.timeZones))
  }

  private func noOccurrence(of found: FoundItem, at moment: Moment) -> EpactError {
    let (start, end) = (range(of: moment).lowerBound, range(of: moment).upperBound)
    let next = occurrences(of: found, in: start..<(start.adding(seconds: Self.horizon) ?? end))
      .first { $0.start.instant >= end }
    return EpactError(
      .argument, "there is no occurrence of \"\(found.item.title)\" at \(text(of: moment))",
      details: next.map { ["the next one is \(text(of: $0.start))"] } ?? [],
      subject: found.item.uid.rawValue)
  }

  private func twoOccurrences(
    of found: FoundItem, at moment: Moment, _ starts: (here: EventTime, there: EventTime),
    _ own: ZoneRules
  ) -> EpactError {
    let times = times(of: found.item, zone: nil)
    let here = viewer.rfc3339(times.instant(of: starts.here))
    let there = own.rfc3339(times.instant(of: starts.there))
    return EpactError(
      .argument,
      "\(text(of: moment)) is one occurrence of \"\(found.item.title)\" in \(viewer.name), and "
        + "another one in \(own.name): write \(here) or \(there)",
      subject: found.item.uid.rawValue)
  }

  /// The occurrences of an item in a range, computed on demand; those of a reminder when it is due.
  func occurrences(of found: FoundItem, in range: Range<Instant>) -> Occurrences {
    found.item.occurrences(
      in: range, viewer: viewer, zones: machine.zoneResolver,
      recurrence: machine.recurrenceOptions)
  }

  /// The first occurrence from now on; nil if there is none.
  func nextOccurrence(of found: FoundItem) -> Occurrence? {
    let now = machine.now()
    guard let end = now.adding(seconds: Self.horizon), let today = viewer.civil(at: now)?.date
    else { return nil }
    // A whole day is the next one until it is over.
    let begin = min(now, viewer.instant(of: CivilDateTime(today, .midnight)))
    return occurrences(of: found, in: begin..<end).first { occurrence in
      let start = occurrence.start
      return start.time.isAllDay ? start.time.date >= today : start.instant >= now
    }
  }

  /// The text of the start of an occurrence, in the viewer's zone.
  private func text(of time: OccurrenceTime) -> String {
    guard !time.time.isAllDay, let wall = viewer.civil(at: time.instant) else {
      return text(of: .date(time.time.date))
    }
    return text(of: .local(wall))
  }

  private func text(of moment: Moment) -> String { WhenText(viewer: viewer).text(moment) }
}

extension CalendarItem {
  /// The occurrences in a range, computed on demand; those of a reminder when it is due.
  func occurrences(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver,
    recurrence: RecurrenceOptions
  ) -> Occurrences {
    var options = OccurrenceOptions()
    options.reminders = .due
    options.recurrence = recurrence
    var query = OccurrenceQuery(in: range, viewer: viewer, zones: zones, options: options)
    query.add(self)
    return query.occurrences()
  }
}
