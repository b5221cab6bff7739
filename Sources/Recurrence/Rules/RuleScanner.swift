// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A fast parser for rules in the common form, which returns nil for any other text.
///
/// `RecurrenceRuleParser` reads the other rules. It is about thirty times slower, because it tracks
/// the information for messages. For rules that both accept, the results are equal.
struct RuleScanner {
  private var rule = RecurrenceRule(.daily)
  private var index = 0
  /// The parts that have been read, one bit each.
  private var seen: UInt32 = 0

  /// Parses a rule, or returns nil if it is unusual in any way.
  static func scan(_ bytes: Span<UInt8>) -> RecurrenceRule? {
    var scanner = RuleScanner()
    guard scanner.word(bytes) == Self.frequencyKey, scanner.skip("=", bytes) else { return nil }
    scanner.seen = 1 << Self.frequencyPlace
    let name = scanner.word(bytes)
    guard let frequency = Self.frequencies.first(where: { $0.key == name }) else { return nil }
    scanner.rule.frequency = frequency.value
    // Each iteration consumes at least one byte or returns.
    while scanner.index < bytes.count {
      guard scanner.skip(";", bytes), scanner.readPart(bytes) else { return nil }
    }
    return scanner.isUsual ? scanner.rule : nil
  }

  private static let parts = RulePart.allCases.map { (key: key(of: $0.rawValue), value: $0) }
  private static let frequencies = Frequency.allCases.map {
    (key: key(of: $0.rawValue), value: $0)
  }
  private static let weekdays = Weekday.allCases.map { (key: key(of: $0.description), value: $0) }
  private static let frequencyKey = key(of: RulePart.freq.rawValue)
  private static let frequencyPlace = RulePart.allCases.firstIndex(of: .freq) ?? 0

  /// A unique key of up to ten capital letters, with six bits for each.
  private static func key(of word: String) -> UInt64 {
    word.utf8.reduce(0) { $0 << 6 | UInt64($1 & 0x3F) }
  }

  /// Reads capital letters and returns their key, or 0 if there are none.
  private mutating func word(_ bytes: Span<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    let end = min(bytes.count, index + 10)
    while index < end, 0x41...0x5A ~= bytes[index] {
      key = key << 6 | UInt64(bytes[index] & 0x3F)
      index += 1
    }
    return key
  }

  private mutating func skip(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func readPart(_ bytes: Span<UInt8>) -> Bool {
    let key = word(bytes)
    guard skip("=", bytes), let place = Self.parts.firstIndex(where: { $0.key == key }),
      seen & 1 << UInt32(place) == 0
    else { return false }
    seen |= 1 << UInt32(place)
    switch Self.parts[place].value {
    case .count:
      rule.count = number(bytes, 1...Int(Int32.max))
      return rule.count != nil
    case .interval:
      guard let interval = number(bytes, 1...Int(Int32.max)) else { return false }
      rule.interval = interval
      return true
    case .until: return readUntil(bytes)
    case .wkst:
      guard let weekday = weekday(bytes) else { return false }
      rule.weekStart = weekday
      return true
    case .byDay: return readWeekdays(bytes)
    case .byMonth:
      guard let months = numbers(bytes, 1...12) else { return false }
      rule.byMonth = months.map { MonthNumber($0) }
      return true
    case .bySecond: return read(\.bySecond, 0...60, bytes)
    case .byMinute: return read(\.byMinute, 0...59, bytes)
    case .byHour: return read(\.byHour, 0...23, bytes)
    case .byMonthDay: return read(\.byMonthDay, 1...31, isSigned: true, bytes)
    case .byYearDay: return read(\.byYearDay, 1...366, isSigned: true, bytes)
    case .byWeekNo: return read(\.byWeekNo, 1...53, isSigned: true, bytes)
    case .bySetPos: return read(\.bySetPos, 1...366, isSigned: true, bytes)
    case .rscale, .skip, .freq: return false
    }
  }

  private mutating func read(
    _ list: WritableKeyPath<RecurrenceRule, [Int]>, _ range: ClosedRange<Int>,
    isSigned: Bool = false, _ bytes: Span<UInt8>
  ) -> Bool {
    guard let numbers = numbers(bytes, range, isSigned: isSigned) else { return false }
    rule[keyPath: list] = numbers
    return true
  }

  private mutating func readUntil(_ bytes: Span<UInt8>) -> Bool {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: ";") { index += 1 }
    let value = bytes.extracting(start..<index)
    if value.count == 8 {
      guard let date = try? BasicFormat.date(value) else { return false }
      rule.until = .date(date)
    } else {
      guard let (time, isUTC) = try? BasicFormat.dateTime(value) else { return false }
      rule.until = isUTC ? .utc(time) : .local(time)
    }
    return true
  }

  private mutating func readWeekdays(_ bytes: Span<UInt8>) -> Bool {
    repeat {
      var ordinal: Int?
      if index < bytes.count, !(0x41...0x5A ~= bytes[index]) {
        ordinal = number(bytes, 1...53, isSigned: true)
        if ordinal == nil { return false }
      }
      guard let weekday = weekday(bytes) else { return false }
      rule.byDay.append(WeekdayNumber(weekday, ordinal: ordinal))
    } while skip(",", bytes)
    if rule.byDay.count > 1 { rule.byDay = RecurrenceRule.sorted(Set(rule.byDay)) }
    return true
  }

  private mutating func weekday(_ bytes: Span<UInt8>) -> Weekday? {
    let key = word(bytes)
    return Self.weekdays.first { $0.key == key }?.value
  }

  private mutating func numbers(
    _ bytes: Span<UInt8>, _ range: ClosedRange<Int>, isSigned: Bool = false
  ) -> [Int]? {
    var numbers: [Int] = []
    var isOrdered = true
    repeat {
      guard let number = number(bytes, range, isSigned: isSigned) else { return nil }
      if let last = numbers.last, !RecurrenceRule.isOrdered(last, number) { isOrdered = false }
      numbers.append(number)
    } while skip(",", bytes)
    return isOrdered ? numbers : Set(numbers).sorted(by: RecurrenceRule.isOrdered)
  }

  private mutating func number(
    _ bytes: Span<UInt8>, _ range: ClosedRange<Int>, isSigned: Bool = false
  ) -> Int? {
    let isNegative = isSigned && skip("-", bytes)
    if isSigned, !isNegative { _ = skip("+", bytes) }
    let start = index
    let end = min(bytes.count, start + 10)
    var number = 0
    while index < end, 0x30...0x39 ~= bytes[index] {
      number = number * 10 + Int(bytes[index] & 0xF)
      index += 1
    }
    guard index > start, range.contains(number) else { return nil }
    return isNegative ? -number : number
  }

  /// Whether the parts may be combined; if not, the other parser reports issues.
  private var isUsual: Bool {
    if rule.until != nil, rule.count != nil { return false }
    let isDated = rule.frequency == .yearly || rule.frequency == .monthly
    if !isDated, !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty { return false }
    if rule.frequency != .yearly, !rule.byWeekNo.isEmpty || !rule.byYearDay.isEmpty { return false }
    let hasOrdinals = rule.byDay.contains { $0.ordinal != nil }
    if hasOrdinals, !isDated || !rule.byWeekNo.isEmpty { return false }
    return rule.bySetPos.isEmpty
  }
}

extension RecurrenceRule {
  /// Parses a rule in the common form quickly, or returns nil for any other text.
  ///
  /// If it is nil, `parse(leniently:)` returns the rule or its issues.
  package init?(usual bytes: Span<UInt8>) {
    guard let rule = RuleScanner.scan(bytes) else { return nil }
    self = rule
  }
}
