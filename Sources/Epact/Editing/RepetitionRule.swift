// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Recurrence

extension Repetition {
  /// The words for simple rules.
  private static let words = [
    "daily": "FREQ=DAILY", "weekly": "FREQ=WEEKLY", "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
  ]
  /// The words that remove the recurrence.
  private static let noWords = ["never", "none", "no", ""]
  private static let units = [
    "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
  ]

  /// Whether the text removes the recurrence.
  var isNone: Bool { text.map { Self.noWords.contains($0.lowercased()) } ?? false }

  /// The rule for an item.
  ///
  /// - Parameters:
  ///   - start: The start of the item, which determines the form of UNTIL (RFC 5545 §3.3.10).
  ///   - rules: The rules that the item has.
  ///   - instant: The instant of a moment.
  /// - Returns: The rule; nil for none.
  /// - Throws: `EpactError` if the text is not a rule.
  func rule(
    for start: EventTime, _ rules: [RecurrenceRule], instant: (Moment) -> Instant
  ) throws(EpactError) -> RecurrenceRule? {
    guard !isNone else { return nil }
    guard text != nil || rules.count == 1 else {
      throw EpactError(.argument, "the number or the end of occurrences needs a recurrence")
    }
    let rule: RecurrenceRule
    if let text { rule = try Self.parsed(text) } else { rule = rules[0] }
    guard count != nil || until != nil else { return rule }
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

  private static func parsed(_ text: String) throws(EpactError) -> RecurrenceRule {
    let phrase = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    var source = words[phrase.joined(separator: " ")]
    if source == nil, phrase.first == "every", let period = period(phrase.dropFirst()) {
      source = period
    }
    if source == nil, text.contains("=") {
      source = text.uppercased().hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
    }
    guard let source else {
      throw EpactError(
        .argument,
        "expected daily, weekly, monthly, yearly, weekdays, \"every 2 weeks\" or a rule such as "
          + "FREQ=MONTHLY;BYDAY=-1FR, found \"\(text)\"")
    }
    do throws(RecurrenceRuleIssue) {
      return try RecurrenceRule(parsing: source)
    } catch {
      throw EpactError(.argument, "the recurrence \"\(text)\": \(error)")
    }
  }

  /// The rule of `2 weeks`, `week` or `3 months`.
  private static func period(_ words: ArraySlice<String>) -> String? {
    var (rest, count) = (words, 1)
    if let number = rest.first.flatMap({ Int($0) }), number > 0 {
      (rest, count) = (rest.dropFirst(), number)
    }
    guard rest.count == 1, let name = rest.first else { return nil }
    let unit = name.hasSuffix("s") ? String(name.dropLast()) : name
    guard let frequency = units[unit] else { return nil }
    return count == 1 ? "FREQ=\(frequency)" : "FREQ=\(frequency);INTERVAL=\(count)"
  }

  /// The text for a rule, which parses to the same rule.
  static func text(of rule: RecurrenceRule) -> String {
    words.sorted { $0.key < $1.key }.first { $0.value == "\(rule)" }?.key ?? "\(rule)"
  }
}
