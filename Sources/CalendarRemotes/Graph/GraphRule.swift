// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The recurrence of an event in Microsoft Graph (resource type patternedRecurrence).
///
/// Graph has six patterns and three ranges. A rule of RFC 5545 is one of them, or it is refused: an
/// approximation would move occurrences.
struct GraphRecurrence: Codable, Hashable, Sendable {
  /// The days of a series.
  struct Pattern: Codable, Hashable, Sendable {
    var type: String
    var interval: Int
    var daysOfWeek: [String]?
    var firstDayOfWeek: String?
    var dayOfMonth: Int?
    var month: Int?
    var index: String?
  }

  /// The beginning and the end of a series.
  struct Range: Codable, Hashable, Sendable {
    var type: String
    var startDate: String
    var endDate: String?
    var numberOfOccurrences: Int?
    var recurrenceTimeZone: String?
  }

  var pattern: Pattern
  var range: Range

  private static let days: [(weekday: Weekday, name: String)] = [
    (.monday, "monday"), (.tuesday, "tuesday"), (.wednesday, "wednesday"),
    (.thursday, "thursday"), (.friday, "friday"), (.saturday, "saturday"), (.sunday, "sunday"),
  ]
  private static let indexes = [
    (1, "first"), (2, "second"), (3, "third"), (4, "fourth"), (-1, "last"),
  ]
}

extension GraphRecurrence {
  /// Creates the recurrence of a series.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start of the series, in the form of the vendor.
  ///   - until: The last day of the series, if the rule has one.
  /// - Throws: `HoldingRefusal.recurrence` if no pattern gives the same days.
  init(
    _ rule: RecurrenceRule, start: EventTime, until: CivilDate?
  ) throws(HoldingRefusal) {
    guard let pattern = Self.pattern(of: rule, from: start.date) else {
      throw .recurrence("RRULE:\(rule)")
    }
    self.pattern = pattern
    range = Range(type: "noEnd", startDate: start.date.iso8601)
    if let count = rule.count {
      (range.type, range.numberOfOccurrences) = ("numbered", count)
    } else if let until {
      guard until >= start.date else { throw .recurrence("RRULE:\(rule)") }
      (range.type, range.endDate) = ("endDate", until.iso8601)
    }
    if let zone = start.tzID { range.recurrenceTimeZone = zone }
  }

  private static func pattern(of rule: RecurrenceRule, from start: CivilDate) -> Pattern? {
    let frequency = rule.parts.subtracting([.freq, .interval, .count, .until, .wkst])
    switch rule.frequency {
    case .daily where frequency.isEmpty: return Pattern(type: "daily", interval: rule.interval)
    case .weekly where frequency.isSubset(of: [.byDay]): return weekly(rule, start)
    case .monthly where frequency.isSubset(of: [.byMonthDay]):
      return dayOfMonth(rule, start).flatMap { day in
        // In a month without the day, Graph takes the last one.
        day <= 28 ? Pattern(type: "absoluteMonthly", interval: rule.interval, dayOfMonth: day) : nil
      }
    case .monthly where frequency.isSubset(of: [.byDay, .bySetPos]):
      return relative(rule, start, "relativeMonthly")
    case .yearly where frequency.isSubset(of: [.byMonth, .byMonthDay]):
      guard month(rule, start) != nil, let day = dayOfMonth(rule, start),
        (start.month, day) != (2, 29)
      else { return nil }
      return Pattern(
        type: "absoluteYearly", interval: rule.interval, dayOfMonth: day, month: start.month)
    case .yearly
    where frequency.isSubset(of: [.byMonth, .byDay, .bySetPos]) && !rule.byMonth.isEmpty:
      guard let month = month(rule, start) else { return nil }
      var pattern = relative(rule, start, "relativeYearly")
      pattern?.month = month
      return pattern
    default: return nil
    }
  }

  private static func weekly(_ rule: RecurrenceRule, _ start: CivilDate) -> Pattern? {
    let days = rule.byDay.isEmpty ? [start.weekday] : rule.byDay.map(\.weekday)
    guard rule.byDay.allSatisfy({ $0.ordinal == nil }), days.contains(start.weekday) else {
      return nil
    }
    return Pattern(
      type: "weekly", interval: rule.interval, daysOfWeek: names(days),
      firstDayOfWeek: name(of: rule.weekStart))
  }

  /// The only month of a yearly rule, if it is that of the start.
  private static func month(_ rule: RecurrenceRule, _ start: CivilDate) -> Int? {
    let isStart = rule.byMonth.isEmpty || rule.byMonth.map(\.description) == ["\(start.month)"]
    return isStart ? start.month : nil
  }

  /// The only day of the month, if it is that of the start.
  private static func dayOfMonth(_ rule: RecurrenceRule, _ start: CivilDate) -> Int? {
    rule.byMonthDay.isEmpty || rule.byMonthDay == [start.day] ? start.day : nil
  }

  /// A pattern such as the second Tuesday, or the last working day, of a month.
  private static func relative(
    _ rule: RecurrenceRule, _ start: CivilDate, _ type: String
  ) -> Pattern? {
    let ordinals = rule.byDay.map(\.ordinal)
    let position: Int
    switch (ordinals.count, rule.bySetPos) {
    case (1, []): position = (ordinals.first ?? nil) ?? 0
    case (1..., let positions) where positions.count == 1 && ordinals.allSatisfy({ $0 == nil }):
      position = positions.first ?? 0
    default: return nil
    }
    let days = rule.byDay.map(\.weekday)
    guard let index = indexes.first(where: { $0.0 == position })?.1,
      isAt(position, among: days, start)
    else { return nil }
    return Pattern(type: type, interval: rule.interval, daysOfWeek: names(days), index: index)
  }

  /// Whether a date has a position among the days of its month with these weekdays.
  private static func isAt(_ position: Int, among days: [Weekday], _ date: CivilDate) -> Bool {
    let length = CivilDate.daysInMonth(date.month, of: date.year)
    let fitting = (1...length).filter { day in
      CivilDate(year: date.year, month: date.month, day: day).map { days.contains($0.weekday) }
        ?? false
    }
    let index = position > 0 ? position - 1 : fitting.count + position
    return fitting.indices.contains(index) && fitting[index] == date.day
  }

  private static func names(_ days: [Weekday]) -> [String] {
    Self.days.filter { days.contains($0.weekday) }.map(\.name)
  }

  private static func name(of day: Weekday) -> String? {
    days.first { $0.weekday == day }?.name
  }

  // MARK: Reading

  /// The rule that gives the same days, as the value of RRULE; nil if the pattern is not a known one.
  ///
  /// - Parameter until: The end of the rule on a day.
  /// - Returns: The rule.
  func rule(until: (CivilDate) -> RecurrenceRule.Until?) -> String? {
    guard var parts = days else { return nil }
    if pattern.interval > 1 { parts.insert("INTERVAL=\(pattern.interval)", at: 1) }
    switch range.type {
    case "numbered": parts += range.numberOfOccurrences.map { ["COUNT=\($0)"] } ?? []
    case "endDate":
      let date = range.endDate.flatMap { try? CivilDate(parsing: $0) }
      parts += date.flatMap(until).map { ["UNTIL=\($0)"] } ?? []
    default: break
    }
    return parts.joined(separator: ";")
  }

  /// The parts of a rule for the pattern.
  private var days: [String]? {
    let weekdays = (pattern.daysOfWeek ?? []).compactMap { name in
      Self.days.first { $0.name == name }?.weekday.description
    }
    let byDay = "BYDAY=\(weekdays.joined(separator: ","))"
    let month =
      pattern.type.hasSuffix("Yearly") ? pattern.month.map { ["BYMONTH=\($0)"] } ?? [] : []
    let frequency = pattern.type.hasSuffix("Yearly") ? "FREQ=YEARLY" : "FREQ=MONTHLY"
    switch pattern.type {
    case "daily": return ["FREQ=DAILY"]
    case "weekly":
      let first = Self.days.first { $0.name == pattern.firstDayOfWeek }?.weekday ?? .monday
      return ["FREQ=WEEKLY", byDay] + (first == .monday ? [] : ["WKST=\(first)"])
    case "absoluteMonthly", "absoluteYearly":
      return pattern.dayOfMonth.map { [frequency] + month + ["BYMONTHDAY=\($0)"] }
    case "relativeMonthly", "relativeYearly":
      guard let position = Self.indexes.first(where: { $0.1 == pattern.index ?? "first" })?.0 else {
        return nil
      }
      let day =
        weekdays.count == 1
        ? ["BYDAY=\(position)\(weekdays[0])"] : [byDay, "BYSETPOS=\(position)"]
      return [frequency] + month + day
    default: return nil
    }
  }
}
