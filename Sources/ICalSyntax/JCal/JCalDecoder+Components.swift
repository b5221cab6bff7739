// SPDX-License-Identifier: Apache-2.0

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
