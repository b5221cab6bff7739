// SPDX-License-Identifier: Apache-2.0

/// Says what in the components of a message does not go with its METHOD (RFC 5546 §3).
struct MethodChecker: Sendable {
  /// The method in upper case.
  private let method: String
  private let isKnown: Bool
  /// What was told as a note: a feed of thousands of events is told of its habit once.
  private var toldNotes: Set<String> = []

  /// Creates a checker; nil for a calendar without METHOD, which is no message.
  init?(_ property: Property?) {
    guard let property else { return nil }
    method = property.text.asciiUppercased
    isKnown = MethodTable.methods.contains(method)
  }

  /// What is wrong with the method itself.
  func diagnostics(about property: Property) -> [Diagnostic] {
    guard !isKnown else { return [] }
    return [
      property.diagnostic(
        .note, .valueRange, "expected a method of RFC 5546, found \"\(method)\"",
        reference: "RFC 5546 §1.4")
    ]
  }

  /// What does not go with the method in a component directly in the calendar.
  mutating func diagnostics(about component: Component) -> [Diagnostic] {
    guard isKnown, MethodTable.subjects.contains(component.name) else { return [] }
    let name = component.name.canonicalName
    guard let row = MethodTable.row(method, component.name) else {
      return [
        component.diagnostic(
          .warning, .methodForbidden, "expected no \(name) with METHOD:\(method), found one",
          reference: "RFC 5546 §3")
      ]
    }
    return diagnostics(about: component, row).filter {
      $0.severity != .note || toldNotes.insert($0.message).inserted
    }
  }

  private func diagnostics(about component: Component, _ row: MethodTable.Row) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let name = component.name.canonicalName
    var present: Set<PropertyName> = []
    var attendees = 0
    for property in component.properties where property.isWellFormed {
      let propertyName = property.name
      let isFirst = present.insert(propertyName).inserted
      if propertyName == .attendee { attendees += 1 }
      let isSurplus = propertyName == .attendee && attendees - 1 == row.attendeeLimit
      guard isSurplus || isFirst && row.forbidden.contains(propertyName) else { continue }
      let expected = isSurplus ? "one" : "no"
      let surplus = isSurplus ? "another one" : "one"
      found.append(
        property.diagnostic(
          aboutName: row.severity, .methodForbidden,
          "expected \(expected) \(propertyName.canonicalName) in a \(name) with METHOD:\(method), "
            + "found \(surplus)", reference: row.reference))
    }
    for required in row.required where !present.contains(required) {
      found.append(
        component.diagnostic(
          row.severity, .methodMissing,
          "expected \(required) in a \(name) with METHOD:\(method), found none",
          reference: row.reference))
    }
    if !row.allowsAlarms, let alarm = component.components.first(where: { $0.name == .alarm }) {
      found.append(
        alarm.diagnostic(
          row.severity, .methodForbidden,
          "expected no VALARM in a \(name) with METHOD:\(method), found one",
          reference: row.reference))
    }
    return found
  }
}
