// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import Testing

/// The occurrences of a calendar found in the obvious way: everything is expanded from its start,
/// collected, filtered and sorted.
///
/// It reads components through the typed views, and knows the forms that `RandomSeries` writes.
struct NaiveOccurrences {
  /// An occurrence as it is sorted.
  private struct Found {
    let start: Instant
    let isTimed: Bool
    let end: Instant
    let uid: String
    let id: Instant?
    let text: String
  }

  let viewer: ZoneRules
  let range: Range<Instant>

  /// The text of each occurrence, in order.
  func texts(_ components: [Component]) throws -> [String] {
    var found: [Found] = []
    let items = Dictionary(grouping: components.map { Event($0) }, by: { $0.uid })
    for events in items.values { found += try expand(events) }
    let inside = found.filter { one in
      one.start < range.upperBound
        && (one.end > range.lowerBound || (one.start == one.end && one.start >= range.lowerBound))
    }
    return inside.sorted { left, right in
      if left.start != right.start { return left.start < right.start }
      if left.isTimed != right.isTimed { return right.isTimed }
      if left.end != right.end { return left.end < right.end }
      if left.uid != right.uid { return left.uid < right.uid }
      return left.id ?? Instant(secondsSinceEpoch: .min)
        < right.id ?? Instant(secondsSinceEpoch: .min)
    }.map(\.text)
  }

  private func expand(_ events: [Event]) throws -> [Found] {
    let main = try #require(events.first { $0.recurrenceID == nil })
    var overrides: [Instant: Event] = [:]
    for event in events {
      if let id = event.recurrenceID { overrides[try instant(id.time)] = event }
    }
    var found: [Found] = []
    for (key, event) in overrides where event.status != .cancelled {
      let start = try #require(event.start)
      found.append(try one(event, start: start, id: key, series: main))
    }
    for start in try starts(of: main) {
      let key = try instant(start)
      guard overrides[key] == nil else { continue }
      let future = overrides.filter {
        $0.value.recurrenceID?.includesFuture == true && $0.key < key
      }
      guard let (from, event) = future.max(by: { $0.key < $1.key }) else {
        if main.status == .cancelled { continue }
        found.append(try one(main, start: start, id: key, series: main))
        continue
      }
      if event.status == .cancelled { continue }
      let (moved, original) = (try #require(event.start), try time(like: start, at: from))
      let shift = start.wallTime.wallSeconds - original.wallTime.wallSeconds
      let wall = try #require(moved.wallTime.adding(seconds: shift))
      found.append(try one(event, start: time(like: moved, wall), id: key, series: main))
    }
    return found
  }

  /// All starts until the end of the range and half a year more.
  private func starts(of event: Event) throws -> [EventTime] {
    let start = try #require(event.start)
    let clock: RecurrenceClock =
      switch start {
      case .date: .date
      case .floating: .zone(viewer)
      case .utc: .utc
      case .zoned(_, let tzID): .zone(try OccurrenceCase.database.rules(named: tzID))
      }
    var set = RecurrenceSet(start: start.wallTime, clock: clock)
    set.rules = event.recurrence.rules
    set.dates = event.recurrence.dates.map { .local($0.start.wallTime) }
    set.excludedDates = event.recurrence.excludedDates.map { .local($0.wallTime) }
    var starts: [EventTime] = []
    for instance in try set.instances() {
      let time = time(like: start, instance.local)
      let last = range.upperBound.secondsSinceEpoch + 180 * 86_400
      guard try instant(time).secondsSinceEpoch < last else { break }
      starts.append(time)
    }
    return starts
  }

  private func one(_ event: Event, start: EventTime, id: Instant, series: Event) throws -> Found {
    let own = try #require(event.start)
    let begin = try instant(start)
    let end: EventTime
    switch event.end {
    case .time(let time) where start.isAllDay:
      let days = time.date.dayNumber - own.date.dayNumber
      end = .date(try #require(start.date.adding(days: days)))
    case .time(let time):
      let length = try instant(time).secondsSinceEpoch - instant(own).secondsSinceEpoch
      end = try self.time(like: start, at: #require(begin.adding(seconds: length)))
    case .duration(let duration) where start.isAllDay:
      end = .date(try #require(start.date.adding(days: duration.nominalDays)))
    case .duration(let duration):
      let wall = try self.time(like: start, at: begin).wallTime
      let rules = try rules(of: start)
      end = try self.time(like: start, at: #require(rules.instant(of: wall, adding: duration)))
    case nil:
      end = start.isAllDay ? .date(try #require(start.date.adding(days: 1))) : start
    }
    let stop = try instant(end)
    let name = try self.text(start) + "/" + self.text(end)
    let isRecurring = series.recurrence.isRecurring || event.recurrenceID != nil
    let original = isRecurring ? " = \(id.secondsSinceEpoch)" : ""
    return Found(
      start: begin, isTimed: !start.isAllDay, end: stop, uid: event.uid?.rawValue ?? "", id: id,
      text: "\(event.uid?.rawValue ?? "") \(name)\(original) \(event.summary ?? "")")
  }

  /// A time as the text of a property would have it, by what the clock really shows.
  private func text(_ time: EventTime) throws -> String {
    if case .date(let date) = time { return date.description }
    return try self.time(like: time, at: instant(time)).wallTime.description
  }

  private func rules(of time: EventTime) throws -> ZoneRules {
    switch time {
    case .date, .floating: viewer
    case .utc: try OccurrenceCase.database.rules(named: "Etc/UTC")
    case .zoned(_, let tzID): try OccurrenceCase.database.rules(named: tzID)
    }
  }

  private func instant(_ time: EventTime) throws -> Instant {
    try rules(of: time).instant(of: time.wallTime)
  }

  private func time(like time: EventTime, at instant: Instant) throws -> EventTime {
    self.time(like: time, try #require(try rules(of: time).civil(at: instant)))
  }

  private func time(like time: EventTime, _ wall: CivilDateTime) -> EventTime {
    switch time {
    case .date: .date(wall.date)
    case .floating: .floating(wall)
    case .utc: .utc(wall)
    case .zoned(_, let tzID): .zoned(wall, tzID: tzID)
    }
  }
}
