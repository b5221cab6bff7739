// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

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
