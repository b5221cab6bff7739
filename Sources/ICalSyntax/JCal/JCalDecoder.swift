// SPDX-License-Identifier: Apache-2.0

/// Makes components and properties of the JSON that stands for them (RFC 7265 §3.3, §3.4).
struct JCalDecoder {
  /// Something that is not what it should be.
  struct Problem {
    let severity: Diagnostic.Severity
    let code: DiagnosticCode
    let position: SourcePosition
    let message: String
    let reference: String
  }

  /// How deep components may be nested.
  let nesting: Int
  private var problems: [Problem] = []

  init(nesting: Int) {
    self.nesting = nesting
  }

  /// What was found since the last time.
  mutating func takeProblems() -> [Problem] {
    defer { problems = [] }
    return problems
  }

  mutating func note(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ position: SourcePosition,
    _ message: String, _ reference: String
  ) {
    problems.append(
      Problem(
        severity: severity, code: code, position: position, message: message, reference: reference))
  }

  private mutating func refuse(_ node: JSONNode, expected: String, _ reference: String) {
    note(
      .error, .malformedJCal, node.position,
      "expected \(expected), found \(node.kind); it is left out", reference)
  }

  // MARK: Components

  /// The component that an array stands for, or nil if it is none.
  mutating func component(_ node: JSONNode, depth: Int = 1) -> Component? {
    let section = "RFC 7265 §3.3"
    guard let parts = node.elements else {
      refuse(node, expected: "an array for a component", section)
      return nil
    }
    guard parts.count >= 3, let name = parts[0].text, let properties = parts[1].elements,
      let components = parts[2].elements
    else {
      note(
        .error, .malformedJCal, node.position,
        "expected a name, an array of properties and an array of components; it is left out",
        section)
      return nil
    }
    guard depth <= nesting, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      note(
        .error, depth <= nesting ? .malformedJCal : .nesting, node.position,
        depth <= nesting
          ? "expected the name of a component, found control characters; it is left out"
          : "expected at most \(nesting) components inside one another; it is left out", section)
      return nil
    }
    var made: [Property] = []
    for node in properties {
      if let property = property(node) { made.append(property) }
    }
    var nested: [Component] = []
    for node in components {
      if let component = component(node, depth: depth + 1) { nested.append(component) }
    }
    return Component(
      ComponentName(name.asciiUppercased), properties: made, components: nested,
      position: node.position)
  }

  // MARK: Properties

  /// The property that an array stands for, or nil if it is none.
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
      // What the type of the property says is not said twice.
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
