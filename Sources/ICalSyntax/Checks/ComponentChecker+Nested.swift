// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Checks of alarms (RFC 5545 §3.6.6, §3.8.6.3).
extension ComponentChecker {
  func checkAlarm(
    _ alarm: CheckedComponent, in parent: CheckedComponent?, into found: inout [Diagnostic]
  ) {
    let action = alarm[.action]?.property.rawValue.asciiUppercased
    var wanted: [PropertyName] = []
    if action == "DISPLAY" { wanted = [.descriptionText] }
    if action == "EMAIL" { wanted = [.descriptionText, .summary, .attendee] }
    for required in wanted where alarm[required] == nil {
      found.append(
        alarm.diagnostic(
          .error, .missingProperty,
          "expected \(required.rawName) in an alarm with ACTION:\(action ?? ""), found none",
          reference: "RFC 5545 §3.6.6"))
    }
    if action == "AUDIO" || action == "DISPLAY" { checkSurplus(alarm, action, into: &found) }
    if (alarm[.duration] == nil) != (alarm[.repeatCount] == nil) {
      found.append(
        alarm.diagnostic(
          .error, .missingProperty,
          "expected DURATION and REPEAT together in VALARM, found only one",
          reference: "RFC 5545 §3.6.6"))
    }
    if let trigger = alarm[.trigger] {
      checkTrigger(trigger, in: parent, into: &found)
    }
  }

  /// AUDIO allows one attachment, DISPLAY none, and neither allows attendees (RFC 5545 §3.6.6).
  private func checkSurplus(
    _ alarm: CheckedComponent, _ action: String?, into found: inout [Diagnostic]
  ) {
    let allowed = action == "AUDIO" ? 1 : 0
    let surplus =
      alarm.all(plan.attach).dropFirst(allowed) + alarm.entries.filter { $0.name == .attendee }
    for entry in surplus {
      found.append(
        entry.property.diagnostic(
          aboutName: .warning, .conflictingProperties,
          """
          expected no \(entry.name.canonicalName) in an alarm with ACTION:\(action ?? ""), found one
          """,
          reference: "RFC 5545 §3.6.6"))
    }
  }

  /// A relative trigger requires a time that it refers to, and an absolute one must be in UTC.
  private func checkTrigger(
    _ trigger: CheckedComponent.Entry, in parent: CheckedComponent?, into found: inout [Diagnostic]
  ) {
    let property = trigger.property
    switch trigger.values.first {
    case .dateTime?:
      guard property[.related] != nil else { return }
      found.append(
        property.diagnostic(
          aboutName: .warning, .misplacedParameter,
          "expected no RELATED parameter on a trigger at a fixed time, found one",
          reference: "RFC 5545 §3.8.6.3"
        ).with(setting(.related, to: nil, on: property)))
    case .duration?:
      guard let parent, !parent.set.isEmpty, parent.position != nil else { return }
      let isFromEnd = property[.related]?.asciiUppercased == "END"
      let end: PropertyName = parent.set == .reminder ? .due : .dtEnd
      let hasStart = parent[.dtStart] != nil
      let hasEnd = parent[end] != nil || (hasStart && parent[.duration] != nil)
      if isFromEnd, !hasEnd {
        found.append(
          missing("\(end) or DURATION for a trigger that counts from the end", property))
      } else if !isFromEnd, !hasStart {
        found.append(missing("DTSTART for a trigger that counts from the start", property))
      }
    default: return
    }
  }

  private func missing(_ expected: String, _ property: Property) -> Diagnostic {
    property.diagnostic(
      aboutName: .warning, .missingProperty, "expected \(expected), found none",
      reference: "RFC 5545 §3.8.6.3")
  }
}

/// Checks of the observances of time zones (RFC 5545 §3.6.5).
extension ComponentChecker {
  func checkObservance(_ observance: CheckedComponent, into found: inout [Diagnostic]) {
    for entry in observance.entries where entry.number == plan.dtStart || entry.number == plan.rDate
    {
      checkLocal(entry, into: &found)
    }
    for rule in observance.all(plan.rRule) {
      guard case .recurrence? = rule.values.first,
        let reading = try? RecurrenceRule.parse(leniently: rule.property.rawValue)
      else { continue }
      checkRule(
        reading, .observance, start: observance[plan.dtStart], of: rule.property, into: &found)
    }
  }

  /// An onset is a local time in the offset before it, so it has no TZID.
  private func checkLocal(_ entry: CheckedComponent.Entry, into found: inout [Diagnostic]) {
    func add(_ code: DiagnosticCode, _ message: String) {
      found.append(
        entry.property.diagnostic(.warning, code, message, reference: "RFC 5545 §3.6.5"))
    }
    let name = entry.name.canonicalName
    switch entry.values.first {
    case .date?: add(.timeType, "expected \(name) with a time in a time zone, found a date")
    case .dateTime(_, isUTC: true)?:
      add(.timeInUTC, "expected a local time in a time zone, found a UTC time")
    default:
      guard entry.property[.tzID] != nil else { return }
      add(.timeZone, "expected no TZID parameter in a time zone, found one")
    }
  }
}
