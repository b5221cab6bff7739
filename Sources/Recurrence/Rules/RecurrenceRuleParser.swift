// SPDX-License-Identifier: Apache-2.0

import CivilTime

// recur           = recur-rule-part *( ";" recur-rule-part )
// recur-rule-part = name "=" value *( "," value )
//
// The parts come in any order, each at most once, and FREQ is required (RFC 5545 §3.3.10).

/// A lenient parser that collects the issues in a rule.
struct RecurrenceRuleParser {
  /// The maximum number of issues that are collected.
  static let issueLimit = 50

  let bytes: [UInt8]
  var rule = RecurrenceRule(.daily)
  private(set) var issues: [RecurrenceRuleIssue] = []
  /// The ranges of the parts' values.
  private var values: [RulePart: Range<Int>] = [:]

  init(_ span: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.reserveCapacity(span.count)
    for index in span.indices { copy.append(span[index]) }
    bytes = copy
  }

  mutating func read() throws(RecurrenceRuleIssue) -> RecurrenceRuleReading {
    checkCase()
    var start = 0
    var isFirst = true
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
      locatePart(start..<end, isFirst: isFirst)
      isFirst = false
      start = end + 1
    }
    guard let frequency = values[.freq] else {
      throw issue(
        .missingFrequency, at: bytes.count..<bytes.count, expected: "a FREQ part")
    }
    try readFrequency(frequency)
    // RSCALE is read first, because the ranges of other parts depend on it.
    for part in RulePart.allCases where part != .freq {
      if let range = values[part] { try readPart(part, range) }
    }
    checkCombinations()
    return RecurrenceRuleReading(
      rule: rule, source: String(decoding: bytes, as: UTF8.self), issues: issues,
      offsets: values.mapValues(\.lowerBound))
  }

  /// Whether the text has a part with a value.
  func has(_ part: RulePart) -> Bool { values[part] != nil }

  /// The range of a part's value.
  func valueRange(of part: RulePart) -> Range<Int> { values[part] ?? 0..<0 }

  // MARK: - Parts

  private mutating func locatePart(_ whole: Range<Int>, isFirst: Bool) {
    let range = trimmed(whole)
    guard !range.isEmpty else {
      // For an empty rule, only the missing FREQ is reported.
      if !bytes.isEmpty { note(.emptyPart, at: whole, expected: "a rule part") }
      return
    }
    let equals = bytes[range].firstIndex(of: UInt8(ascii: "=")) ?? range.upperBound
    let nameRange = trimmed(range.lowerBound..<equals)
    let name = text(nameRange)
    guard let part = RulePart(name: name) else {
      note(.unknownPart, at: nameRange, expected: "the name of a rule part")
      return
    }
    let value = trimmed(min(equals + 1, range.upperBound)..<range.upperBound)
    guard !value.isEmpty else {
      note(.malformedPart, at: value, expected: "a value of \(part.rawValue)")
      return
    }
    guard values[part] == nil else {
      note(.duplicatePart, at: nameRange, expected: "\(part.rawValue) only once")
      return
    }
    if isFirst, part != .freq, part != .rscale {
      note(.unusualOrder, at: nameRange, expected: "FREQ as the first part")
    }
    values[part] = value
  }

  private mutating func checkCase() {
    guard let first = bytes.firstIndex(where: { 0x61...0x7A ~= $0 }) else { return }
    let rest = bytes[first...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") } ?? bytes.count
    note(.lowerCase, at: first..<end, expected: "upper case letters")
  }

  // MARK: - Issues

  /// Records an issue at a range of the text.
  mutating func note(
    _ code: RecurrenceRuleIssue.Code, at range: Range<Int>, expected: String,
    section: String = "RFC 5545 §3.3.10"
  ) {
    guard issues.count < RecurrenceRuleParser.issueLimit else { return }
    issues.append(issue(code, at: range, expected: expected, section: section))
  }

  func issue(
    _ code: RecurrenceRuleIssue.Code, at range: Range<Int>, expected: String,
    section: String = "RFC 5545 §3.3.10"
  ) -> RecurrenceRuleIssue {
    let isAtEnd = range.lowerBound >= bytes.count
    let found = range.isEmpty ? (isAtEnd ? "the end of the rule" : "nothing") : quoted(text(range))
    return RecurrenceRuleIssue(
      code, at: range.lowerBound, expected: expected, found: found, section: section)
  }

  // MARK: - Text

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Trims a range, and reports whitespace at its ends.
  mutating func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    if start > range.lowerBound {
      note(.whitespace, at: range.lowerBound..<start, expected: "no space")
    } else if end < range.upperBound {
      note(.whitespace, at: end..<range.upperBound, expected: "no space")
    }
    return start..<end
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The ranges between the commas of a value.
  mutating func elements(_ range: Range<Int>) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var start = range.lowerBound
    while start <= range.upperBound {
      let comma = UInt8(ascii: ",")
      let end = bytes[start..<range.upperBound].firstIndex(of: comma) ?? range.upperBound
      elements.append(trimmed(start..<end))
      start = end + 1
    }
    return elements
  }
}

extension RecurrenceRuleParser {
  /// Reports parts that must not be combined, and drops those that have no meaning then.
  mutating func checkCombinations() {
    if rule.until != nil, rule.count != nil {
      let later = max(valueRange(of: .until).lowerBound, valueRange(of: .count).lowerBound)
      let part = later == valueRange(of: .until).lowerBound ? RulePart.until : .count
      note(
        .conflictingParts, at: valueRange(of: part), expected: "UNTIL or COUNT, not both")
    }
    for part in RulePart.applicationOrder
    where has(part) && rule.effect(of: part) == .notApplicable {
      note(
        .notApplicable, at: valueRange(of: part),
        expected: "no \(part.rawValue) with FREQ=\(rule.frequency.rawValue)")
      drop(part)
    }
    checkOrdinals()
    let isAlone = rule.parts.allSatisfy { !$0.isBy || $0 == .bySetPos }
    if !rule.bySetPos.isEmpty, isAlone {
      note(
        .missingPart, at: valueRange(of: .bySetPos),
        expected: "another part that starts with BY beside BYSETPOS")
      rule.bySetPos = []
    }
    if has(.skip), rule.rscale == nil {
      note(
        .missingPart, at: valueRange(of: .skip), expected: "RSCALE beside SKIP",
        section: "RFC 7529 §4.1")
      rule.skip = .omit
    }
  }

  /// Reports ordinals of weekdays that the rule does not allow, and drops them.
  private mutating func checkOrdinals() {
    guard rule.byDay.contains(where: { $0.ordinal != nil }) else { return }
    let hasWeeks = !rule.byWeekNo.isEmpty
    switch rule.frequency {
    case .monthly: return
    case .yearly where !hasWeeks: return
    default: break
    }
    let context = hasWeeks ? "BYWEEKNO" : "FREQ=\(rule.frequency.rawValue)"
    note(
      .notApplicable, at: valueRange(of: .byDay),
      expected: "weekdays without numbers with \(context)")
    rule.byDay = RecurrenceRule.sorted(Set(rule.byDay.map { WeekdayNumber($0.weekday) }))
  }

  private mutating func drop(_ part: RulePart) {
    switch part {
    case .byWeekNo: rule.byWeekNo = []
    case .byYearDay: rule.byYearDay = []
    case .byMonthDay: rule.byMonthDay = []
    default: break
    }
  }
}
