// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
package import CalendarModel
package import CivilTime
package import Recurrence

extension Repetition {
  /// The rule for an item.
  ///
  /// - Parameters:
  ///   - start: The start of the item, which determines the form of UNTIL (RFC 5545 §3.3.10).
  ///   - rules: The rules that the item has.
  ///   - instant: The instant of a moment.
  /// - Returns: The rule; nil for none.
  /// - Throws: `EpactError` if the text is not a rule.
  package func rule(
    for start: EventTime, _ rules: [RecurrenceRule], instant: (Moment) -> Instant
  ) throws(EpactError) -> RecurrenceRule? {
    guard !isNone else { return nil }
    guard text != nil || rules.count == 1 else {
      throw EpactError(.argument, "the number or the end of occurrences needs a recurrence")
    }
    let rule: RecurrenceRule
    if let text { rule = try withWeekStart(Self.parsed(text), text) } else { rule = rules[0] }
    guard count != nil || until != nil || isEndless else {
      return try rule.keepingEnd(of: rules, text)
    }
    guard count == nil || until == nil else {
      throw EpactError(
        .argument, "a recurrence ends after a number of times or at a date, not both")
    }
    let kept = "\(rule)".split(separator: ";").filter {
      !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=")
    }
    let end = count.map { "COUNT=\($0)" } ?? until.map { "UNTIL=\(Self.until($0, start, instant))" }
    let parts = kept.map(String.init) + [end].compactMap(\.self)
    return try Self.parsed(parts.joined(separator: ";"))
  }

  /// The rule of a text in words, with the first day of the week if its occurrences depend on it.
  private func withWeekStart(
    _ rule: RecurrenceRule, _ text: String
  ) throws(EpactError) -> RecurrenceRule {
    guard !text.contains("="), rule.frequency == .weekly,
      !rule.isSame(inWeeksFrom: weekStart, as: rule.weekStart)
    else { return rule }
    return try Self.parsed("\(rule);WKST=\(weekStart)")
  }

  /// The UNTIL value: a date is included as a whole day.
  private static func until(
    _ moment: Moment, _ start: EventTime, _ instant: (Moment) -> Instant
  ) -> String {
    let wall: CivilDateTime? =
      switch moment {
      case .date(let date):
        TimeOfDay(hour: 23, minute: 59, second: 59).map { CivilDateTime(date, $0) }
      case .local(let wall): wall
      case .instant(let instant): instant.civil()
      }
    guard let wall else { return "" }
    switch start {
    case .date: return "\(wall.date)"
    case .floating: return "\(wall)"
    case .utc, .zoned:
      let last = if case .instant(let instant) = moment { instant } else { instant(.local(wall)) }
      return "\(last)"
    }
  }

  fileprivate static func parsed(_ text: String) throws(EpactError) -> RecurrenceRule {
    do throws(DatePhraseError) {
      return try rule(of: text)
    } catch {
      throw EpactError(.argument, error.message)
    }
  }
}

extension RecurrenceRule {
  /// The rule with the end of an earlier rule, if words state another repetition and no end.
  fileprivate func keepingEnd(
    of rules: [RecurrenceRule], _ text: String?
  ) throws(EpactError) -> RecurrenceRule {
    guard let text, !text.contains("="), rules.count == 1, count == nil, until == nil else {
      return self
    }
    let end = "\(rules[0])".split(separator: ";").filter {
      $0.hasPrefix("COUNT=") || $0.hasPrefix("UNTIL=")
    }
    guard !end.isEmpty else { return self }
    return try Repetition.parsed((["\(self)"] + end.map(String.init)).joined(separator: ";"))
  }
}
