// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A series in two parts: what lies before an occurrence, and that occurrence with all later ones.
struct SeriesSplit<Content: ItemContent> {
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

  /// Ends the rules before the later part, which goes on with the rest of them.
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

  /// Goes on with the rest of the rules that exclude; before the later part they stay as they are.
  private mutating func exclude(_ rules: [RecurrenceRule]) throws(EditError) {
    past.exclusionRules = rules
    for rule in rules {
      let parts = try RuleDivision(rule, of: series, at: wall, startingFrom: futureStart)
      if let rule = parts.future { future.exclusionRules.append(rule) }
      future.excludedDates += parts.dates.map { series.time($0) }
    }
  }
}
