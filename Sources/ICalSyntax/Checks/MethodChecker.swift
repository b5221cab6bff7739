// SPDX-License-Identifier: Apache-2.0

/// Checks the components of a message against its METHOD (RFC 5546 §3).
struct MethodChecker: Sendable {
  /// The method in upper case.
  private let method: String
  private let isKnown: Bool
  /// The notes that were already reported, because one each is enough for a feed of thousands.
  private var toldNotes: Set<String> = []
  /// The first component that the message is about: its name and UID.
  private var subject: (name: ComponentName, uid: String?)?
  private var hasToldOfCompany = false
  /// The first code of a REQUEST-STATUS in the message.
  private var statusCode: StatusCode?
  private var hasToldOfStatus = false

  /// Creates a checker, or returns nil for a calendar without METHOD, which is not a message.
  init?(_ property: Property?) {
    guard let property else { return nil }
    method = property.text.asciiUppercased
    isKnown = MethodTable.methods.contains(method)
  }

  /// Returns the diagnostics about the METHOD property itself.
  func diagnostics(about property: Property) -> [Diagnostic] {
    guard !isKnown else { return [] }
    return [
      property.diagnostic(
        .note, .valueRange, "expected a method of RFC 5546, found \"\(method)\"",
        reference: "RFC 5546 §1.4")
    ]
  }

  /// Returns the method's diagnostics about a top-level component of the calendar.
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
    let found =
      [company(of: component, row), status(of: component)].compactMap(\.self)
      + diagnostics(about: component, row)
    return found.filter {
      $0.severity != .note || toldNotes.insert($0.message).inserted
    }
  }

  /// Checks the combination of components in a message, and reports at most one deviation.
  ///
  /// A message contains components of one kind, and most methods require one item or a single
  /// component.
  private mutating func company(of component: Component, _ row: MethodTable.Row) -> Diagnostic? {
    let uid = component[.uid]?.text
    guard let subject else {
      self.subject = (component.name, uid)
      return nil
    }
    guard !hasToldOfCompany else { return nil }
    let name = component.name.canonicalName
    let expectation: (expected: String, found: String)? =
      if component.name != subject.name {
        ("no \(name) beside a \(subject.name.canonicalName)", "one")
      } else {
        switch row.company {
        case .any: nil
        case .sameUID:
          uid == subject.uid
            ? nil : ("every \(name) to have the UID \"\(subject.uid ?? "")\"", "\"\(uid ?? "")\"")
        case .none: ("one \(name)", "another one")
        }
      }
    guard let expectation else { return nil }
    hasToldOfCompany = true
    return component.diagnostic(
      row.severity, .methodForbidden,
      "expected \(expectation.expected) with METHOD:\(method), found \(expectation.found)",
      reference: row.reference)
  }

  /// Checks that the status codes of a message are consistent, and reports at most one deviation.
  ///
  /// If one component has a code of level 3 or 5, all components with a code must have that level
  /// (RFC 5546 §3.6).
  private mutating func status(of component: Component) -> Diagnostic? {
    guard !hasToldOfStatus, let property = component[.requestStatus],
      let code = property.statusCode
    else { return nil }
    guard let first = statusCode else {
      statusCode = code
      return nil
    }
    let levels = [first.level, code.level]
    guard code.level != first.level, levels.contains("3") || levels.contains("5") else {
      return nil
    }
    hasToldOfStatus = true
    return property.diagnostic(
      aboutName: .warning, .methodForbidden,
      "expected a REQUEST-STATUS that goes with \(first.code) in another component, "
        + "found \(code.code)", reference: "RFC 5546 §3.6")
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
    if let unfit = unfitValue(of: component, row) { found.append(unfit) }
    if !row.allowsAlarms, let alarm = component.components.first(where: { $0.name == .alarm }) {
      found.append(
        alarm.diagnostic(
          row.severity, .methodForbidden,
          "expected no VALARM in a \(name) with METHOD:\(method), found one",
          reference: row.reference))
    }
    return found
  }

  /// A cancellation requires STATUS:CANCELLED or none, and an addition requires a SEQUENCE above 0.
  private func unfitValue(of component: Component, _ row: MethodTable.Row) -> Diagnostic? {
    let name = component.name.canonicalName
    if row.isCancellation, let status = component[.status],
      !status.text.isEqualIgnoringASCIICase(to: "CANCELLED")
    {
      return status.diagnostic(
        row.severity, .methodForbidden,
        """
        expected no STATUS but CANCELLED in a \(name) with METHOD:\(method), found \
        \"\(status.text)\"
        """,
        reference: row.reference)
    }
    if row.isAddition, let sequence = component[.sequence], sequence.usualInteger == 0 {
      return sequence.diagnostic(
        row.severity, .methodForbidden,
        "expected a SEQUENCE from 1 in a \(name) with METHOD:\(method), found 0",
        reference: row.reference)
    }
    return nil
  }
}

/// The code of a REQUEST-STATUS (RFC 5545 §3.8.8.3), such as `2.11`.
struct StatusCode: Equatable {
  /// The source text of the code.
  let code: String
  /// The first number of the code (RFC 5546 §3.6).
  ///
  /// 2 is success, 3 is a client error, 4 is a scheduling conflict, and 5 is a service error.
  let level: Substring

  /// Parses `1*DIGIT 1*2("." 1*DIGIT)`, or returns nil for other texts.
  init?(_ code: String) {
    let numbers = code.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= numbers.count,
      numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    self.code = code
    level = numbers[0]
  }
}

extension Property {
  /// The REQUEST-STATUS code, or nil if the code or the description is missing.
  var statusCode: StatusCode? {
    let parts = rawValue.utf8.split(
      separator: ASCII.semicolon, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? StatusCode(String(Substring(parts[0]))) : nil
  }
}
