// SPDX-License-Identifier: Apache-2.0

import CivilTime

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
          "expected no \(entry.name.canonicalName) in an alarm with ACTION:\(action ?? ""), found one",
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
