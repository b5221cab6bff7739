// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The rules that concern several times of one component.
extension ComponentChecker {
  func checkTimes(of component: Component, into found: inout [Diagnostic]) {
    guard [.event, .reminder, .journal, .freeBusy].contains(component.name) else { return }
    let start = component[.dtStart]
    if let start {
      checkEnd(component[.dtEnd], start, isStrict: false, into: &found)
      checkEnd(component[.due], start, isStrict: true, into: &found)
      for rule in component.properties(named: .rRule) { checkRule(rule, start, into: &found) }
      for date in component.properties(named: .exDate) {
        checkSameType(date, start, .warning, into: &found)
      }
    } else if component.name == .reminder, let duration = component[.duration] {
      found.append(
        duration.diagnostic(
          aboutName: .error, .missingProperty, "expected DTSTART beside DURATION, found none",
          reference: "RFC 5545 §3.6.2"))
    }
    if let id = component[.recurrenceID], let start { checkSameType(id, start, into: &found) }
  }

  private func checkEnd(
    _ end: Property?, _ start: Property, isStrict: Bool, into found: inout [Diagnostic]
  ) {
    guard let end else { return }
    checkSameType(end, start, into: &found)
    let name = end.name.canonicalName
    switch (start.typedValues.first, end.typedValues.first) {
    case (.date(let first)?, .date(let last)?):
      guard last <= first else { return }
      found.append(
        end.diagnostic(
          last < first || isStrict ? .error : .warning, .conflictingProperties,
          "expected \(name) after DTSTART, found \(last == first ? "the same day" : "an earlier day")",
          reference: PropertyTable.row(for: end.name)?.reference))
    case (.dateTime(let first, let firstIsUTC)?, .dateTime(let last, let lastIsUTC)?):
      // Times in different zones can only be compared with the zones' rules.
      guard firstIsUTC == lastIsUTC, start[.tzID] == end[.tzID] else { return }
      guard last <= first else { return }
      found.append(
        end.diagnostic(
          last < first || isStrict ? .error : .warning, .conflictingProperties,
          "expected \(name) after DTSTART, found \(last == first ? "the same time" : "an earlier time")",
          reference: PropertyTable.row(for: end.name)?.reference))
    default: return
    }
  }

  private func checkSameType(
    _ property: Property, _ start: Property, _ severity: Diagnostic.Severity = .error,
    into found: inout [Diagnostic]
  ) {
    let type = property.typedValues.type
    let startType = start.typedValues.type
    guard type != startType else { return }
    let name = property.name.canonicalName
    found.append(
      property.diagnostic(
        severity, .conflictingProperties,
        "expected \(name) to be a \(startType.rawValue) as DTSTART is, found a \(type.rawValue)",
        reference: PropertyTable.row(for: property.name)?.reference))
  }

  /// UNTIL is a date exactly where DTSTART is one, in UTC where DTSTART has a zone, and not before it.
  private func checkRule(
    _ property: Property, _ start: Property, into found: inout [Diagnostic]
  ) {
    guard let type = startType(start),
      let reading = try? RecurrenceRule.parse(leniently: property.rawValue)
    else { return }
    for issue in reading.issues(forStart: type) {
      found.append(
        property.diagnostic(
          .warning, .conflictingProperties, atValueOffset: issue.offset, issue.message,
          reference: issue.section))
    }
    guard let until = reading.rule.until, let first = start.typedValues.first else { return }
    let isBefore =
      switch (until, first) {
      case (.date(let last), .date(let day)): last < day
      case (.utc(let last), .dateTime(let time, isUTC: true)): last < time
      case (.local(let last), .dateTime(let time, isUTC: false)): last < time
      default: false
      }
    guard isBefore else { return }
    found.append(
      property.diagnostic(
        .warning, .conflictingProperties, "expected UNTIL after DTSTART, found \(until)",
        reference: "RFC 5545 §3.3.10"))
  }

  private func startType(_ start: Property) -> RecurrenceRuleReading.StartType? {
    switch start.typedValues.first {
    case .date?: .date
    case .dateTime(_, isUTC: true)?: .utc
    case .dateTime?: start[.tzID] == nil ? .floating : .zoned
    default: nil
    }
  }
}
