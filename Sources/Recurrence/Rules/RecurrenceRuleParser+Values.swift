// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The range of numbers in a part.
private struct NumberForm {
  let noun: String
  let range: ClosedRange<Int>
  /// The maximum in calendars other than the Gregorian one, some of which have leap months.
  let greatestElsewhere: Int
  /// Whether numbers may have a sign; negative numbers count from the end.
  let isSigned: Bool

  static let all: [RulePart: NumberForm] = [
    .bySecond: NumberForm("a second", 0...60),
    .byMinute: NumberForm("a minute", 0...59),
    .byHour: NumberForm("an hour", 0...23),
    .byMonthDay: NumberForm("a day of the month", 1...31, elsewhere: 32, isSigned: true),
    .byYearDay: NumberForm("a day of the year", 1...366, elsewhere: 385, isSigned: true),
    .byWeekNo: NumberForm("a week", 1...53, elsewhere: 56, isSigned: true),
    .bySetPos: NumberForm("a position", 1...366, elsewhere: 385, isSigned: true),
    .byMonth: NumberForm("a month", 1...12, elsewhere: 13),
    // The ordinal before a weekday, which `weekdays` parses.
    .byDay: NumberForm("a weekday's number", 1...53, elsewhere: 56, isSigned: true),
  ]

  init(
    _ noun: String, _ range: ClosedRange<Int>, elsewhere: Int? = nil, isSigned: Bool = false
  ) {
    self.noun = noun
    self.range = range
    greatestElsewhere = elsewhere ?? range.upperBound
    self.isSigned = isSigned
  }

  /// The allowed range, without a sign.
  func allowed(isGregorian: Bool) -> ClosedRange<Int> {
    range.lowerBound...(isGregorian ? range.upperBound : greatestElsewhere)
  }

  /// The description of the range for messages.
  func expectation(isGregorian: Bool) -> String {
    let (low, high) = (range.lowerBound, allowed(isGregorian: isGregorian).upperBound)
    let words = "\(noun) from \(low) through \(high)"
    return isSigned ? "\(words) or -\(high) through -\(low)" : words
  }
}

extension RecurrenceRuleParser {
  private var isGregorian: Bool { rule.rscale == nil || rule.rscale == "GREGORIAN" }

  mutating func readFrequency(_ range: Range<Int>) throws(RecurrenceRuleIssue) {
    guard let frequency = Frequency(rawValue: text(range).uppercased()) else {
      throw issue(.missingFrequency, at: range, expected: "a frequency such as DAILY")
    }
    rule.frequency = frequency
  }

  mutating func readPart(_ part: RulePart, _ range: Range<Int>) throws(RecurrenceRuleIssue) {
    switch part {
    case .freq: break
    case .rscale: rule.rscale = try calendarName(range)
    case .until: rule.until = try until(range)
    case .count: rule.count = try positive(part, range)
    case .interval: rule.interval = try positive(part, range)
    case .bySecond: rule.bySecond = numbers(part, range)
    case .byMinute: rule.byMinute = numbers(part, range)
    case .byHour: rule.byHour = numbers(part, range)
    case .byMonthDay: rule.byMonthDay = numbers(part, range)
    case .byYearDay: rule.byYearDay = numbers(part, range)
    case .byWeekNo: rule.byWeekNo = numbers(part, range)
    case .bySetPos: rule.bySetPos = numbers(part, range)
    case .byDay: rule.byDay = weekdays(range)
    case .byMonth: rule.byMonth = months(range)
    case .wkst: rule.weekStart = weekStart(range)
    case .skip: rule.skip = skip(range)
    }
  }

  // MARK: - Single values

  private func calendarName(_ range: Range<Int>) throws(RecurrenceRuleIssue) -> String {
    let isToken = bytes[range].allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
      default: false
      }
    }
    guard isToken else {
      throw issue(
        .malformedValue, at: range, expected: "the name of a calendar", section: "RFC 7529 §4")
    }
    return text(range).uppercased()
  }

  private func until(_ range: Range<Int>) throws(RecurrenceRuleIssue) -> RecurrenceRule.Until {
    let value = bytes.span.extracting(range)
    do {
      guard value.count > 8 else { return .date(try BasicFormat.date(value)) }
      let (time, isUTC) = try BasicFormat.dateTime(value)
      return isUTC ? .utc(time) : .local(time)
    } catch {
      throw RecurrenceRuleIssue(
        .malformedValue, at: range.lowerBound + error.offset, expected: error.expected,
        found: error.found, section: error.section)
    }
  }

  /// Reads a positive number; zero is read as 1, and a number that is too large as the maximum.
  private mutating func positive(
    _ part: RulePart, _ range: Range<Int>
  ) throws(RecurrenceRuleIssue) -> Int {
    let expected = "a number of 1 or more"
    guard bytes[range].allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw issue(.malformedValue, at: range, expected: expected)
    }
    let number = (try? BasicFormat.integer(bytes.span.extracting(range))) ?? Int(Int32.max) + 1
    guard 1...Int(Int32.max) ~= number else {
      note(
        .valueOutOfRange, at: range,
        expected: number == 0 ? expected : "a number of at most \(Int32.max)")
      return number == 0 ? 1 : Int(Int32.max)
    }
    return number
  }

  private mutating func weekStart(_ range: Range<Int>) -> Weekday {
    if let weekday = Weekday(text(range)) { return weekday }
    note(.malformedValue, at: range, expected: "a weekday such as MO")
    return .monday
  }

  private mutating func skip(_ range: Range<Int>) -> RecurrenceRule.Skip {
    if let skip = RecurrenceRule.Skip(rawValue: text(range).uppercased()) { return skip }
    note(
      .malformedValue, at: range, expected: "OMIT, BACKWARD or FORWARD",
      section: "RFC 7529 §4.1")
    return .omit
  }

  // MARK: - Lists

  private mutating func numbers(_ part: RulePart, _ range: Range<Int>) -> [Int] {
    var numbers: Set<Int> = []
    for element in elements(range) {
      if let number = number(part, element) { numbers.insert(number) }
    }
    return numbers.sorted(by: RecurrenceRule.isOrdered)
  }

  private mutating func months(_ range: Range<Int>) -> [MonthNumber] {
    var months: Set<MonthNumber> = []
    for element in elements(range) {
      guard let last = element.last, bytes[last] | 0x20 == UInt8(ascii: "l") else {
        if let number = number(.byMonth, element) { months.insert(MonthNumber(number)) }
        continue
      }
      guard !isGregorian else {
        note(
          .valueOutOfRange, at: element, expected: "a month that is no leap month",
          section: "RFC 7529 §4.2")
        continue
      }
      if let number = number(.byMonth, element.lowerBound..<last) {
        months.insert(MonthNumber(number, isLeap: true))
      }
    }
    return months.sorted { ($0.number, $0.isLeap ? 1 : 0) < ($1.number, $1.isLeap ? 1 : 0) }
  }

  private mutating func weekdays(_ range: Range<Int>) -> [WeekdayNumber] {
    var weekdays: Set<WeekdayNumber> = []
    for element in elements(range) {
      let split = max(element.lowerBound, element.upperBound - 2)
      guard let weekday = Weekday(text(split..<element.upperBound)) else {
        note(.malformedValue, at: element, expected: "a weekday such as MO or -1FR")
        continue
      }
      guard split > element.lowerBound else {
        weekdays.insert(WeekdayNumber(weekday))
        continue
      }
      let prefix = element.lowerBound..<split
      if (try? BasicFormat.integer(bytes.span.extracting(prefix))) == 0 {
        // Some programs write 0 for "any"; dropping the weekday would change the rule.
        noteRange(.byDay, prefix)
        weekdays.insert(WeekdayNumber(weekday))
      } else if let ordinal = number(.byDay, prefix) {
        weekdays.insert(WeekdayNumber(weekday, ordinal: ordinal))
      }
    }
    return RecurrenceRule.sorted(weekdays)
  }

  /// Reads a number of a list, or reports why it is invalid.
  private mutating func number(_ part: RulePart, _ range: Range<Int>) -> Int? {
    guard let form = NumberForm.all[part] else { return nil }
    let isDigit = range.first.map { 0x30...0x39 ~= bytes[$0] } ?? false
    guard isDigit || form.isSigned,
      let number = try? BasicFormat.integer(bytes.span.extracting(range))
    else {
      let expected = form.expectation(isGregorian: isGregorian)
      note(.malformedValue, at: range, expected: expected)
      return nil
    }
    guard form.allowed(isGregorian: isGregorian).contains(abs(number)) else {
      noteRange(part, range)
      return nil
    }
    return number
  }

  private mutating func noteRange(_ part: RulePart, _ range: Range<Int>) {
    guard let form = NumberForm.all[part] else { return }
    note(.valueOutOfRange, at: range, expected: form.expectation(isGregorian: isGregorian))
  }
}

extension RecurrenceRule {
  /// The order of numbers in lists: positive ones first, then negative ones.
  static func isOrdered(_ left: Int, _ right: Int) -> Bool {
    (left < 0 ? 1 : 0, left) < (right < 0 ? 1 : 0, right)
  }

  /// The order of weekdays in lists: by ordinal, then from Monday on.
  static func sorted(_ weekdays: Set<WeekdayNumber>) -> [WeekdayNumber] {
    weekdays.sorted { left, right in
      let (leftNumber, rightNumber) = (left.ordinal ?? 0, right.ordinal ?? 0)
      return leftNumber == rightNumber
        ? left.weekday.rawValue < right.weekday.rawValue : isOrdered(leftNumber, rightNumber)
    }
  }
}
