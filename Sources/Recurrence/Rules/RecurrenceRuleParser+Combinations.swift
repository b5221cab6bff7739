// SPDX-License-Identifier: Apache-2.0

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
