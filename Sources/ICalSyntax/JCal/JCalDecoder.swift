// SPDX-License-Identifier: Apache-2.0

/// Decodes jCal components and properties (RFC 7265 §3.3, §3.4).
///
/// Components are in `JCalDecoder+Components.swift`.
struct JCalDecoder {
  /// A problem in the JSON.
  struct Problem {
    let severity: Diagnostic.Severity
    let code: DiagnosticCode
    let position: SourcePosition
    let message: String
    let reference: String
  }

  /// The maximum nesting depth of components.
  let nesting: Int
  private var problems: [Problem] = []
  /// Components that were lifted out of an enclosing one that cannot contain them.
  var lifted: [Component] = []
  /// Calendars that were nested in components or calendars.
  var calendars: [Component] = []

  init(nesting: Int) {
    self.nesting = nesting
  }

  /// Returns the problems that were found since the last call.
  mutating func takeProblems() -> [Problem] {
    defer { problems = [] }
    return problems
  }

  /// Returns the nested calendars that were found since the last call.
  mutating func takeCalendars() -> [Component] {
    defer { calendars = [] }
    return calendars
  }

  mutating func note(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ position: SourcePosition,
    _ message: String, _ reference: String
  ) {
    problems.append(
      Problem(
        severity: severity, code: code, position: position, message: message, reference: reference))
  }

  mutating func refuse(_ node: JSONNode, expected: String, _ reference: String) {
    note(
      .error, .malformedJCal, node.position,
      "expected \(expected), found \(node.kind); it is left out", reference)
  }

  // MARK: Properties

  /// Decodes a property from its array, or returns nil if it is malformed.
  mutating func property(_ node: JSONNode) -> Property? {
    let section = "RFC 7265 §3.4"
    guard let parts = node.elements else {
      refuse(node, expected: "an array for a property", section)
      return nil
    }
    guard parts.count >= 4, let name = parts[0].text, let members = parts[1].members,
      let type = parts[2].text
    else {
      note(
        .error, .malformedJCal, node.position,
        "expected a name, an object of parameters, a type and a value; it is left out", section)
      return nil
    }
    guard !name.isEmpty, name.utf8.allSatisfy(\.isNameByte) else {
      note(
        .error, .malformedJCal, parts[0].position,
        "expected the name of a property, found \"\(name)\"; it is left out", section)
      return nil
    }
    let propertyName = PropertyName(name.asciiUppercased)
    // As content lines, these would begin and end components.
    guard propertyName != "BEGIN", propertyName != "END" else {
      note(
        .error, .malformedJCal, parts[0].position,
        "expected the name of a property, found \"\(name)\", which is none; it is left out", section
      )
      return nil
    }
    let row = PropertyTable.row(for: propertyName)
    var values = JCalValueDecoder(row: row, typeName: type)
    guard let raw = values.rawValue(of: parts[3...]) else {
      note(
        .error, .malformedJCal, values.refused?.position ?? node.position,
        "expected \(values.expected), found \(values.refused?.kind ?? "nothing"); the property is left out",
        values.reference)
      return nil
    }
    for (position, message) in values.deviations {
      note(.warning, .malformedJCal, position, message, values.reference)
    }
    return Property(
      propertyName, valueBytes: Array(raw.utf8),
      parameters: values.addedParameters + parameters(members, isRaw: values.isRaw),
      position: node.position)
  }

  private mutating func parameters(_ members: [JSONNode.Member], isRaw: Bool) -> [Parameter] {
    let section = "RFC 7265 §3.5"
    var result: [Parameter] = []
    for member in members {
      guard !member.name.isEmpty, member.name.utf8.allSatisfy(\.isNameByte) else {
        note(
          .error, .malformedJCal, member.value.position,
          "expected the name of a parameter, found \"\(member.name)\"; it is left out", section)
        continue
      }
      let name = ParameterName(member.name.asciiUppercased)
      // VALUE is redundant, because jCal states the type of the property.
      if name == .value, !isRaw { continue }
      let nodes = member.value.elements ?? [member.value]
      let texts = nodes.compactMap(\.text)
      guard !texts.isEmpty, texts.count == nodes.count else {
        refuse(member.value, expected: "a string or an array of strings for a parameter", section)
        continue
      }
      result.append(Parameter(name, texts))
    }
    return result
  }
}
