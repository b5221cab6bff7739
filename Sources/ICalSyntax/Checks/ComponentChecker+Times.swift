// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Checks that involve several times of a component.
extension ComponentChecker {
  private static let timed: ComponentSet = [
    .items, .freeBusy, .availability, .available,
  ]
  /// Components whose start and end must be in UTC (RFC 5545 §3.6.4).
  private static let inUTC: ComponentSet = .freeBusy
  /// Components whose start and end must be in UTC or in a zone (RFC 7953 §3.1).
  private static let offices: ComponentSet = [.availability, .available]

  func checkTimes(of component: CheckedComponent, into found: inout [Diagnostic]) {
    guard !component.set.isEmpty, Self.timed.contains(component.set) else { return }
    if component.set == Self.inUTC { checkBusyTime(component, into: &found) }
    if Self.offices.contains(component.set) { checkOfficeHours(component, into: &found) }
    guard let start = component[plan.dtStart] else {
      let wantsStart: ComponentSet = [.reminder, .availability]
      if wantsStart.contains(component.set), let duration = component[plan.duration] {
        found.append(
          duration.property.diagnostic(
            aboutName: .error, .missingProperty, "expected DTSTART beside DURATION, found none",
            reference: component.set == .reminder ? "RFC 5545 §3.6.2" : "RFC 7953 §3.1"))
      }
      return
    }
    checkEnd(component[plan.dtEnd], start, into: &found)
    checkEnd(component[plan.due], start, into: &found)
    for rule in component.all(plan.rRule) { checkRule(rule, start, into: &found) }
    for date in component.all(plan.exDate) { checkSameType(date, start, .warning, into: &found) }
    for date in component.all(plan.rDate) where date.values.type != .period {
      checkSameType(date, start, .warning, into: &found)
    }
    if let duration = component[plan.duration] { checkDuration(duration, start, into: &found) }
  }

  private func checkEnd(
    _ end: CheckedComponent.Entry?, _ start: CheckedComponent.Entry,
    into found: inout [Diagnostic]
  ) {
    guard let end else { return }
    checkSameType(end, start, .error, into: &found)
    let isEarlier: Bool
    let isSame: Bool
    let unit: String
    switch (start.values.first, end.values.first) {
    case (.date(let first)?, .date(let last)?):
      (isEarlier, isSame, unit) = (last < first, last == first, "day")
    case (.dateTime(let first, let firstIsUTC)?, .dateTime(let last, let lastIsUTC)?):
      // Comparing times in different zones would require the zones' rules.
      guard firstIsUTC == lastIsUTC, start.property[.tzID] == end.property[.tzID] else { return }
      (isEarlier, isSame, unit) = (last < first, last == first, "time")
    default: return
    }
    guard isEarlier || isSame else { return }
    let name = end.name.canonicalName
    // A recurring reminder needs a DTSTART (§3.8.5.3), and one that is due at a moment has no other.
    let severityIfSame = name == "DUE" ? Diagnostic.Severity.note : .warning
    let advice =
      unit == "day" && name == "DTEND"
      ? Fix(advice: "remove DTEND, so that the event takes one day, or name the day after its last")
      : nil
    found.append(
      end.property.diagnostic(
        isEarlier ? .error : severityIfSame, .timeOrder,
        "expected \(name) after DTSTART, found \(isSame ? "the same" : "an earlier") \(unit)",
        reference: end.row?.reference
      ).with(advice))
  }

  private func checkSameType(
    _ entry: CheckedComponent.Entry, _ start: CheckedComponent.Entry,
    _ severity: Diagnostic.Severity, into found: inout [Diagnostic]
  ) {
    let type = entry.values.type
    let startType = start.values.type
    guard type != startType else { return }
    found.append(
      entry.property.diagnostic(
        severity, .timeType,
        "expected \(entry.name.canonicalName) to be a \(startType.rawValue) as DTSTART is, "
          + "found a \(type.rawValue)", reference: entry.row?.reference))
  }

  /// If the start is a date, the duration must be in days or weeks (RFC 5545 §3.6.1).
  private func checkDuration(
    _ duration: CheckedComponent.Entry, _ start: CheckedComponent.Entry,
    into found: inout [Diagnostic]
  ) {
    guard case .date? = start.values.first, case .duration(let length)? = duration.values.first,
      length.exactSeconds != 0
    else { return }
    found.append(
      duration.property.diagnostic(
        .warning, .timeType,
        "expected a duration in days or weeks, because DTSTART is a date, found \(length)",
        reference: "RFC 5545 §3.6.1"))
  }

  /// The start and end of a VFREEBUSY must be in UTC (RFC 5545 §3.6.4).
  private func checkBusyTime(_ component: CheckedComponent, into found: inout [Diagnostic]) {
    for number in [plan.dtStart, plan.dtEnd] {
      guard let entry = component[number], case .dateTime(_, isUTC: false)? = entry.values.first
      else { continue }
      found.append(
        entry.property.diagnostic(
          .error, .timeInUTC, "expected a UTC time, which ends in Z, found a local time",
          reference: "RFC 5545 §3.6.4"))
    }
  }

  /// The start and end of availability must be times in UTC or in a zone (RFC 7953 §3.1).
  private func checkOfficeHours(_ component: CheckedComponent, into found: inout [Diagnostic]) {
    for number in [plan.dtStart, plan.dtEnd] {
      guard let entry = component[number] else { continue }
      let isDate = if case .date? = entry.values.first { true } else { false }
      guard isDate || entry.values.first?.isLocal == true && entry.property[.tzID] == nil else {
        continue
      }
      found.append(
        entry.property.diagnostic(
          .error, .timeType,
          "expected a time in UTC or in a time zone, found \(isDate ? "a date" : "a local time")",
          reference: "RFC 7953 §3.1"))
    }
  }

  /// UNTIL must match the type of DTSTART and must not be before it.
  private func checkRule(
    _ rule: CheckedComponent.Entry, _ start: CheckedComponent.Entry,
    into found: inout [Diagnostic]
  ) {
    guard let type = startType(start), case .recurrence(let value)? = rule.values.first,
      value.mayOffend(type),
      let reading = try? RecurrenceRule.parse(leniently: rule.property.rawValue)
    else { return }
    checkRule(reading, type, start: start, of: rule.property, into: &found)
    guard let until = reading.rule.until, let first = start.values.first else { return }
    let isBefore =
      switch (until, first) {
      case (.date(let last), .date(let day)): last < day
      case (.utc(let last), .dateTime(let time, isUTC: true)): last < time
      case (.local(let last), .dateTime(let time, isUTC: false)): last < time
      // A zone is at most about a day away from UTC.
      case (.utc(let last), .dateTime(let time, isUTC: false)): last.date < time.date.dayBefore
      default: false
      }
    guard isBefore else { return }
    found.append(
      rule.property.diagnostic(
        .warning, .until,
        "expected UNTIL at or after DTSTART, found \(until), so that nothing takes place",
        reference: "RFC 5545 §3.3.10"))
  }

  /// Reports the parts of a rule that do not match its start or contradict each other.
  func checkRule(
    _ reading: RecurrenceRuleReading, _ type: RecurrenceRuleReading.StartType,
    start: CheckedComponent.Entry?, of property: Property, into found: inout [Diagnostic]
  ) {
    for issue in reading.issues(forStart: type) {
      let isUntil = issue.expected.hasPrefix("a ")
      found.append(
        property.diagnostic(
          .warning, isUntil ? .until : .ruleConflict, atValueOffset: issue.offset, issue.message,
          reference: issue.section))
    }
    guard reading.rule.mayBeImpossible, let start, isImpossible(reading.rule, from: start) else {
      return
    }
    found.append(
      property.diagnostic(
        .warning, .neverMatches, "expected days that exist, found a rule that never matches",
        reference: "RFC 5545 §3.3.10"))
  }

  /// Whether a rule provably has no instance; rules with other calendars are not checked.
  private func isImpossible(_ rule: RecurrenceRule, from start: CheckedComponent.Entry) -> Bool {
    switch start.values.first {
    case .date(let date)?: (try? Expansion(of: rule, from: date))?.isImpossible ?? false
    case .dateTime(let time, isUTC: _)?:
      (try? Expansion(of: rule, from: time))?.isImpossible ?? false
    default: false
    }
  }

  private func startType(
    _ start: CheckedComponent.Entry
  ) -> RecurrenceRuleReading.StartType? {
    switch start.values.first {
    case .date?: .date
    case .dateTime(_, isUTC: true)?: .utc
    case .dateTime?: start.property[.tzID] == nil ? .floating : .zoned
    default: nil
    }
  }
}

extension Value {
  /// Whether the value is a date-time that is not in UTC.
  fileprivate var isLocal: Bool {
    if case .dateTime(_, isUTC: false) = self { true } else { false }
  }
}

extension CivilDate {
  /// The day before, or the same day if it is the first valid one.
  fileprivate var dayBefore: CivilDate { adding(days: -1) ?? self }
}

extension RecurrenceRule {
  /// Whether a rule must be parsed again with the offsets of its parts, because it may have issues.
  ///
  /// Nearly all rules have no end and only common parts, which have no issues.
  fileprivate func mayOffend(_ type: RecurrenceRuleReading.StartType) -> Bool {
    until != nil || type == .date || mayBeImpossible
  }

  /// Whether the rule has a part that may prevent any instance; most rules have none.
  fileprivate var mayBeImpossible: Bool {
    !byMonth.isEmpty || !byMonthDay.isEmpty || !byYearDay.isEmpty || !byWeekNo.isEmpty
      || !bySetPos.isEmpty || !byHour.isEmpty || !byMinute.isEmpty || !bySecond.isEmpty
  }
}
