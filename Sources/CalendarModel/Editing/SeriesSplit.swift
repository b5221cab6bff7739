// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A series that is split at an occurrence into an earlier and a later part.
struct SeriesSplit<Content: ItemContent> {
  let series: SeriesView<Content>
  let main: Component
  /// The original start of the later part's first occurrence, in the zone of the series.
  let wall: CivilDateTime
  /// The start of the later series; it is after `wall` if only RDATE produces `wall`.
  private(set) var futureStart: CivilDateTime
  private(set) var past = RecurrenceProperties()
  private(set) var future = RecurrenceProperties()
  private(set) var pastComponents: [Component] = []
  private(set) var futureComponents: [Component] = []

  /// Splits an item at an occurrence, or returns nil if no instance precedes the occurrence.
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
    try divide(recurrence.rules)
    try exclude(recurrence.exclusionRules)
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

  /// Whether an excluded date is the day of the split, so that it applies to both parts.
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

  /// Ends the rules before the split and continues them in the later part.
  private mutating func divide(_ rules: [RecurrenceRule]) throws(EditError) {
    var next: CivilDateTime?
    for rule in rules {
      guard let first = try series.expansion(of: rule).first(from: wall) else { continue }
      next = min(next ?? first, first)
    }
    futureStart = next ?? wall
    for rule in rules {
      let parts = try RuleDivision(rule, of: series, at: wall, startingFrom: futureStart)
      if let rule = parts.past { past.rules.append(rule) }
      if let rule = parts.future { future.rules.append(rule) }
      future.dates += parts.dates.map { .time(series.time($0)) }
    }
  }

  /// Continues the exclusion rules in the later part; the earlier part keeps them unchanged.
  private mutating func exclude(_ rules: [RecurrenceRule]) throws(EditError) {
    past.exclusionRules = rules
    for rule in rules {
      let parts = try RuleDivision(rule, of: series, at: wall, startingFrom: futureStart)
      if let rule = parts.future { future.exclusionRules.append(rule) }
      future.excludedDates += parts.dates.map { series.time($0) }
    }
  }
}
