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
  /// The same as the rule or the file specifies it, which may be in a gap of the zone.
  let local: CivilDateTime
  /// The start of the later series; it is after `local` if only RDATE produces `local`.
  private(set) var futureStart: CivilDateTime
  private(set) var past = RecurrenceProperties()
  private(set) var future = RecurrenceProperties()
  private(set) var pastComponents: [Component] = []
  private(set) var futureComponents: [Component] = []
  /// The override of the later part's first occurrence, if it has one.
  private(set) var firstOverride: Component?

  /// Splits an item at an occurrence, or returns nil if no instance precedes the occurrence.
  init?(
    of item: CalendarItem, at time: EventTime, _ resolver: ZoneResolver, _ editor: ItemEditor
  ) throws(EditError) {
    guard let main = item.main else {
      throw EditError(.noSeries, "expected the main component of the item, found only overrides")
    }
    var series = try SeriesView<Content>(main, of: item, resolver, editor.recurrence)
    let wall = series.wall(of: time)
    let place = editor.place(of: wall, in: item.components, &series)
    let instance = series.instance(at: wall)
    guard instance != nil || place != nil else { throw editor.noOccurrence(time) }
    guard series.hasInstance(before: wall) else { return nil }
    self.main = main
    self.wall = wall
    local = instance ?? wall
    self.series = series
    futureStart = local
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
        if series.wall(of: id) == wall { firstOverride = component }
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
    } else if start != series.shown(futureStart) || future.rules.isEmpty == false {
      future.dates.append(date)
    }
  }

  /// Ends the rules before the split and continues them in the later part.
  private mutating func divide(_ rules: [RecurrenceRule]) throws(EditError) {
    var next: CivilDateTime?
    for rule in rules {
      guard let first = try series.expansion(of: rule).first(from: local) else { continue }
      next = min(next ?? first, first)
    }
    futureStart = next ?? local
    for rule in rules {
      let parts = try RuleDivision(rule, of: series, at: local, startingFrom: futureStart)
      if let rule = parts.past { past.rules.append(rule) }
      if let rule = parts.future { future.rules.append(rule) }
      future.dates += parts.dates.map { .time(series.time($0)) }
    }
  }

  /// Continues the exclusion rules in the later part; the earlier part keeps them unchanged.
  private mutating func exclude(_ rules: [RecurrenceRule]) throws(EditError) {
    past.exclusionRules = rules
    for rule in rules {
      let parts = try RuleDivision(rule, of: series, at: local, startingFrom: futureStart)
      if let rule = parts.future { future.exclusionRules.append(rule) }
      future.excludedDates += parts.dates.map { series.time($0) }
    }
  }
}

/// A rule of a series, divided at an occurrence into an earlier and a later part.
///
/// The later series starts at the earliest remaining instance of all rules. If a rule does not
/// produce this instance, values that it inherited from the old start, such as the weekday, become
/// explicit, and UNTIL replaces COUNT. If the instances would still differ, they are listed as
/// dates.
struct RuleDivision<Content: ItemContent> {
  /// The maximum number of instances that are counted to divide a COUNT.
  private static var countLimit: Int { 1_000_000 }
  /// The maximum number of instances that are listed as dates.
  private static var listLimit: Int { 500 }
  /// The number of instances that are compared to verify the later rule.
  private static var comparedCount: Int { 500 }

  /// The rule of the earlier part; nil if it has no instances there.
  private(set) var past: RecurrenceRule?
  /// The rule of the later part; nil if it has no instances there.
  private(set) var future: RecurrenceRule?
  /// The instances of the later part, if no rule produces them.
  private(set) var dates: [CivilDateTime] = []

  /// Divides a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - series: The series of the rule.
  ///   - wall: The first occurrence of the later part, in the zone of the series.
  ///   - start: The start of the later series.
  /// - Throws: `EditError` if the rule has too many instances to count or list.
  init(
    _ rule: RecurrenceRule, of series: SeriesView<Content>, at wall: CivilDateTime,
    startingFrom start: CivilDateTime
  ) throws(EditError) {
    let expansion = try series.expansion(of: rule)
    let rest = expansion.starting(at: wall)
    guard let next = rest.first(from: wall) else {
      past = rule
      return
    }
    let first = expansion.first(from: series.start.wallTime) ?? next
    var before = RuleParts(rule)
    var after = RuleParts(rule)
    if let count = rule.count {
      let passed = try Self.count(of: expansion, before: wall)
      before.count = passed
      after.count = count - passed
    } else {
      before.until = Self.last(of: expansion, before: wall).map { series.until($0) }
    }
    past = first < wall ? before.rule : nil
    guard next != start else {
      future = after.rule
      return
    }
    after.sayWhat(series.start.wallTime, impliesBut: start, isDay: series.start.isAllDay)
    if rule.count != nil {
      after.count = nil
      after.until = try Self.last(of: rest).map { series.until($0) }
    }
    if let candidate = after.rule,
      let found = try? series.expansion(of: candidate, from: start),
      found.prefix(Self.comparedCount).elementsEqual(rest.prefix(Self.comparedCount))
    {
      future = candidate
      return
    }
    dates = Array(rest.prefix(Self.listLimit + 1))
    guard dates.count <= Self.listLimit else {
      throw EditError(
        .unsupported,
        "expected rules that can continue from \(start), found '\(rule)'")
    }
  }

  /// Returns the number of instances before a time.
  private static func count(
    of expansion: Expansion, before wall: CivilDateTime
  ) throws(EditError) -> Int {
    var count = 0
    for instance in expansion {
      guard instance < wall else { return count }
      count += 1
      guard count < countLimit else { throw tooMany }
    }
    return count
  }

  /// Returns the last instance before a time, found by looking back ever further.
  ///
  /// It reads the instances of twice the time between it and `wall`.
  private static func last(of expansion: Expansion, before wall: CivilDateTime) -> CivilDateTime? {
    var span: Int64 = 1
    while let start = wall.adding(seconds: -span) {
      if let last = last(of: expansion.starting(at: start), upTo: wall) { return last }
      span *= 2
    }
    return last(of: expansion, upTo: wall)
  }

  private static func last(of expansion: Expansion, upTo wall: CivilDateTime) -> CivilDateTime? {
    var last: CivilDateTime?
    for instance in expansion {
      guard instance < wall else { break }
      last = instance
    }
    return last
  }

  private static func last(of expansion: Expansion) throws(EditError) -> CivilDateTime? {
    var last: CivilDateTime?
    var count = 0
    for instance in expansion {
      last = instance
      count += 1
      guard count < countLimit else { throw tooMany }
    }
    return last
  }

  private static var tooMany: EditError {
    EditError(
      .unsupported, "expected fewer than \(countLimit) instances of a rule with COUNT, found more")
  }
}
