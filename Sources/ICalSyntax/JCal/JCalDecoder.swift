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
        """
        expected \(values.expected), found \(values.refused?.kind ?? "nothing"); the property is \
        left out
        """,
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
      guard JCalValues.isParameterName(member.name) else {
        note(
          .error, .malformedJCal, member.value.position,
          "expected the name of a parameter, found \"\(member.name)\"; it is left out", section)
        continue
      }
      let name = ParameterName(member.name.asciiUppercased)
      // VALUE is redundant, because jCal states the type of the property, unless it names none.
      if name == .value, !isRaw, member.value.text.map(JCalValues.isTypeName) ?? false { continue }
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

/// Decoding of components and their nesting (RFC 7265 §3.3, RFC 5545 §3.6).
extension JCalDecoder {
  private static let section = "RFC 7265 §3.3"

  /// The position of a component in the tree.
  private struct Place {
    /// The depth; 1 for a component directly in a calendar.
    var depth = 1
    /// Whether an enclosing component belongs directly in a calendar, such as an event.
    var isInOutermost = false
  }

  /// The component in an array, followed by the components that were lifted out of it.
  ///
  /// An event inside an event is lifted out of it, and a calendar out of all components. In content
  /// lines, their BEGIN would close the enclosing component, because a missing END is far more
  /// likely there.
  mutating func components(_ node: JSONNode) -> [Component] {
    components(node, Place())
  }

  private mutating func components(_ node: JSONNode, _ place: Place) -> [Component] {
    guard let parts = parts(node, place) else { return [] }
    let isCalendar = parts.name == .calendar
    let isOutermost = StructureNames.shared.isOutermost(parts.name.index)
    let isLifted = isOutermost && place.isInOutermost
    if isCalendar || isLifted {
      note(
        .error, .misplacedComponent, node.position,
        "expected no \"\(parts.name.rawName.asciiLowercased)\" inside of another component, found one; "
          + "it is read as if it came after that one", Self.section)
    }
    let (liftedBefore, calendarsBefore) = (lifted.count, calendars.count)
    var made: [Property] = []
    for node in parts.properties {
      if let property = property(node) { made.append(property) }
    }
    let inside = Place(
      depth: place.depth + 1, isInOutermost: !isCalendar && (place.isInOutermost || isOutermost))
    var nested: [Component] = []
    for node in parts.components { nested += components(node, inside) }
    let component = Component(
      parts.name, properties: made, components: nested, position: node.position)
    if isCalendar {
      calendars.insert(component, at: calendarsBefore)
      return []
    }
    if isLifted {
      lifted.insert(component, at: liftedBefore)
      return []
    }
    guard isOutermost else { return [component] }
    defer { lifted.removeSubrange(liftedBefore...) }
    return [component] + lifted[liftedBefore...]
  }

  /// The parts of a component's array, or nil if it is malformed.
  private mutating func parts(
    _ node: JSONNode, _ place: Place
  ) -> (name: ComponentName, properties: [JSONNode], components: [JSONNode])? {
    guard let parts = node.elements else {
      refuse(node, expected: "an array for a component", Self.section)
      return nil
    }
    guard parts.count >= 3, let name = parts[0].text, let properties = parts[1].elements,
      let components = parts[2].elements
    else {
      note(
        .error, .malformedJCal, node.position,
        "expected a name, an array of properties and an array of components; it is left out",
        Self.section)
      return nil
    }
    guard place.depth <= nesting, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      note(
        .error, place.depth <= nesting ? .malformedJCal : .nesting, node.position,
        place.depth <= nesting
          ? "expected the name of a component, found control characters; it is left out"
          : "expected at most \(nesting) components inside one another; it is left out",
        Self.section)
      return nil
    }
    // A name cannot contain DEL; the text may start with a space once DEL is removed.
    let spelling = name.asciiUppercased.utf8.filter { $0 != ASCII.delete }
    let trimmed = spelling.span.trimmedRange
    return (
      ComponentName(String(decoding: spelling[trimmed], as: UTF8.self)), properties, components
    )
  }
}
