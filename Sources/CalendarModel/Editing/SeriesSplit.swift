// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A series in two parts: what lies before an occurrence, and that occurrence with all later ones.
struct SeriesSplit<Content: ItemContent> {
  /// The most instances that are counted to divide a COUNT.
  private static var countLimit: Int { 1_000_000 }

  let series: SeriesView<Content>
  let main: Component
  /// When the first occurrence of the later part starts by the rule, on the clock of the series.
  let wall: CivilDateTime
  /// When the series of the later part starts: there, unless only RDATE put it there.
  private(set) var futureStart: CivilDateTime
  private(set) var past = RecurrenceProperties()
  private(set) var future = RecurrenceProperties()
  private(set) var pastComponents: [Component] = []
  private(set) var futureComponents: [Component] = []

  /// Splits an item; nil if nothing lies before the occurrence.
  init?(
    of item: CalendarItem, at time: EventTime, _ resolver: ZoneResolver, _ editor: ItemEditor
  ) throws(EditError) {
    guard let main = item.main else {
      throw EditError(.noSeries, "expected the main component of the item, found only overrides")
    }
    var series = try SeriesView<Content>(main, of: item, resolver)
    let wall = series.wall(of: time)
    let place = editor.place(of: wall, in: item.components, &series)
    let isInstance = try series.hasInstance(at: wall)
    guard isInstance || place != nil else { throw editor.noOccurrence(time) }
    guard try series.hasInstance(before: wall) else { return nil }
    self.main = main
    self.wall = wall
    self.series = series
    futureStart = wall
    let recurrence = series.content.recurrence
    guard recurrence.rules.count <= 1, recurrence.exclusionRules.isEmpty else {
      throw EditError(
        .unsupported, "expected one RRULE and no EXRULE in a series that is split, found more")
    }
    if let rule = recurrence.rules.first { try split(rule) }
    for date in recurrence.dates { divide(date, &series) }
    for time in recurrence.excludedDates {
      let start = series.wall(of: time)
      if start < wall { past.excludedDates.append(time) }
      if start >= wall || isDay(time, wall) { future.excludedDates.append(time) }
    }
    for component in item.components {
      let id = component.isOverride ? Content(component).recurrenceID?.time : nil
      if let id, series.wall(of: id) >= wall {
        futureComponents.append(component)
      } else {
        pastComponents.append(component)
      }
    }
  }

  /// Whether a time is the day that the later part begins on, and so excludes in both.
  private func isDay(_ time: EventTime, _ wall: CivilDateTime) -> Bool {
    time.isAllDay && !series.start.isAllDay && time.date == wall.date
  }

  private mutating func divide(_ date: RecurrenceDate, _ series: inout SeriesView<Content>) {
    let start = series.wall(of: date.start)
    if start < wall {
      past.dates.append(date)
    } else if start != futureStart || future.rules.isEmpty == false {
      future.dates.append(date)
    }
  }

  /// Ends the rule before the later part, which goes on with the rest of it.
  private mutating func split(_ rule: RecurrenceRule) throws(EditError) {
    let expansion = try series.expansion(of: rule)
    guard let next = expansion.first(from: wall) else {
      past.rules = [rule]
      return
    }
    futureStart = next
    var (before, after) = (RuleParts(rule), RuleParts(rule))
    if let count = rule.count {
      let passed = try instancesBefore(expansion)
      before.count = passed
      after.count = count - passed
      if passed > 0 { past.rules = [before.rule ?? rule] }
    } else {
      before.until = series.until(before: wall)
      past.rules = [before.rule ?? rule]
    }
    future.rules = [after.rule ?? rule]
  }

  /// How many instances of the rule lie before the later part.
  private func instancesBefore(_ expansion: Expansion) throws(EditError) -> Int {
    var count = 0
    for instance in expansion {
      guard instance < wall else { return count }
      count += 1
      guard count < Self.countLimit else { break }
    }
    throw EditError(
      .unsupported, "expected fewer than \(Self.countLimit) instances before the split, found more")
  }
}
