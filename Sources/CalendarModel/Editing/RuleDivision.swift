// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// One rule of a series in two parts: what it gives before an occurrence, and what from there on.
///
/// The later part starts with the first instance of whichever rule comes first. A rule that does not
/// give that instance says itself what it took from the old start, such as the day of the week, and ends
/// at a time instead of by a COUNT. Where it would lose its rhythm all the same, its instances are listed.
struct RuleDivision<Content: ItemContent> {
  /// The most instances that are counted to divide a COUNT.
  private static var countLimit: Int { 1_000_000 }
  /// The most instances that are listed one by one.
  private static var listLimit: Int { 500 }
  /// How many instances are compared, to know that a rule kept its rhythm.
  private static var comparedCount: Int { 500 }

  /// The rule of the earlier part; nil if it gives nothing there.
  private(set) var past: RecurrenceRule?
  /// The rule of the later part; nil if it gives nothing there.
  private(set) var future: RecurrenceRule?
  /// The instances of the later part, if no rule gives them.
  private(set) var dates: [CivilDateTime] = []

  /// Divides a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - series: The series that it is of.
  ///   - wall: The occurrence that the later part begins with, on the clock of the series.
  ///   - start: When the series of the later part starts.
  /// - Throws: `EditError` if the rule has too many instances, or would lose its rhythm and has no end.
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
      before.until = series.until(before: wall)
    }
    past = first < wall ? before.rule : nil
    guard next != start else {
      future = after.rule
      return
    }
    after.sayWhat(series.start.wallTime, impliesBut: start, isDay: series.start.isAllDay)
    if rule.count != nil {
      after.count = nil
      after.until = try Self.last(of: rest).map {
        series.until(before: $0.adding(seconds: 1) ?? $0)
      }
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
        "expected rules that go on from \(start) in their rhythm, found '\(rule)', which does not")
    }
  }

  /// How many instances lie before a time.
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
