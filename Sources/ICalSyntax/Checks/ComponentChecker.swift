// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Says what in a component is not as the RFCs want it: values, and which properties go together.
///
/// It looks at one component with all that is nested in it; what concerns a calendar as a whole is
/// `CalendarChecker`'s.
public struct ComponentChecker: Sendable {
  /// Creates a checker.
  public init() {}

  /// The diagnostics for a component, in order of place.
  public func diagnostics(for component: Component, in parent: ComponentName? = nil) -> [Diagnostic]
  {
    var found: [Diagnostic] = []
    check(component, in: parent, into: &found)
    return found.sorted { $0.position < $1.position }
  }

  private func check(
    _ component: Component, in parent: ComponentName?, into found: inout [Diagnostic]
  ) {
    for property in component.properties where property.isWellFormed {
      check(property, in: component.name, into: &found)
    }
    if let row = ComponentTable.row(for: component.name) {
      check(component, against: row, in: parent, into: &found)
    }
    checkTimes(of: component, into: &found)
    checkAlarm(component, into: &found)
    checkZone(component, into: &found)
    for nested in component.components { check(nested, in: component.name, into: &found) }
  }

  func check(
    _ component: Component, against row: ComponentTable.Row, in parent: ComponentName?,
    into found: inout [Diagnostic]
  ) {
    let name = component.name.canonicalName
    if let parent, !row.parents.isEmpty, !row.parents.contains(parent) {
      let expected = row.parents.map(\.canonicalName).joined(separator: " or ")
      found.append(
        component.diagnostic(
          .error, .misplacedComponent,
          "expected \(name) inside \(expected), found it inside \(parent.canonicalName)",
          reference: row.reference))
    }
    for required in row.required where component[required] == nil {
      found.append(
        component.diagnostic(
          .error, .missingProperty, "expected \(required.rawName) in \(name), found none",
          reference: row.reference))
    }
    for once in row.once {
      for repeated in component.properties(named: once).dropFirst() {
        found.append(
          repeated.diagnostic(
            aboutName: .error, .repeatedProperty,
            "expected \(once.rawName) at most once in \(name), found another one",
            reference: row.reference))
      }
    }
    for (first, second) in row.exclusive {
      guard component[first] != nil, let other = component[second] else { continue }
      found.append(
        other.diagnostic(
          aboutName: .error, .conflictingProperties,
          "expected \(first.rawName) or \(second.rawName), found both", reference: row.reference))
    }
  }

  private func checkAlarm(_ component: Component, into found: inout [Diagnostic]) {
    guard component.name == .alarm else { return }
    let action = component[.action]?.rawValue.asciiUppercased
    var wanted: [PropertyName] = []
    if action == "DISPLAY" { wanted = [.descriptionText] }
    if action == "EMAIL" { wanted = [.descriptionText, .summary, .attendee] }
    for required in wanted where component[required] == nil {
      found.append(
        component.diagnostic(
          .error, .missingProperty,
          "expected \(required.rawName) in an alarm with ACTION:\(action ?? ""), found none",
          reference: "RFC 5545 §3.6.6"))
    }
    guard (component[.duration] == nil) != (component[.repeatCount] == nil) else { return }
    found.append(
      component.diagnostic(
        .error, .missingProperty, "expected DURATION and REPEAT together in VALARM, found only one",
        reference: "RFC 5545 §3.6.6"))
  }

  private func checkZone(_ component: Component, into found: inout [Diagnostic]) {
    guard component.name == .timeZone,
      !component.components.contains(where: { $0.name == .standard || $0.name == .daylight })
    else { return }
    found.append(
      component.diagnostic(
        .error, .missingComponent, "expected STANDARD or DAYLIGHT in VTIMEZONE, found none",
        reference: "RFC 5545 §3.6.5"))
  }
}
