// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The components of a stream that share a UID, until they are made into an item.
struct ItemGroup: Sendable {
  /// A component of the group.
  struct Part: Sendable {
    var component: Component
    let kind: ItemKind
    /// The time zones that it uses, once they are known.
    var timeZones: [Component]?

    init(component: Component, kind: ItemKind) {
      self.component = component
      self.kind = kind
    }

    /// How much memory the part takes, roughly: its bytes in the file.
    var size: Int { component.sourceSize ?? component.properties.count * 64 }
  }

  let uid: UID
  private(set) var parts: [Part] = []
  private(set) var hasMain = false
  private(set) var size = 0
  private var properties: [Property]?

  init(uid: UID) {
    self.uid = uid
  }

  mutating func add(_ part: Part) {
    parts.append(part)
    size += part.size
    if !part.component.isOverride { hasMain = true }
  }

  /// Takes what the calendar of the latest parts defines.
  mutating func resolve(_ definitions: CalendarDefinitions) {
    if properties == nil { properties = definitions.properties }
    for index in parts.indices where parts[index].timeZones == nil {
      parts[index].timeZones = definitions.timeZones(usedBy: parts[index].component)
    }
  }

  /// The items that the group makes, usually one, and what there is to say of them.
  func items() -> [ItemGrouping.Element] {
    if parts.count == 1 { return elements(of: parts) }
    var all: [ItemGrouping.Element] = []
    let kinds = Set(parts.map(\.kind)).sorted()
    for (place, kind) in kinds.enumerated() {
      var selection = PartSelection(of: parts.filter { $0.kind == kind })
      if place > 0 { selection.rename(becauseOf: kinds[0]) }
      all += selection.diagnostics.map { .diagnostic($0) }
      all += elements(of: selection.kept)
      all += selection.separated.flatMap { elements(of: [$0]) }
    }
    return all
  }

  /// The item that parts make, after what there is to say of their time zones.
  private func elements(of parts: [Part]) -> [ItemGrouping.Element] {
    var elements: [ItemGrouping.Element] = []
    var definitions = CalendarDefinitions()
    var timeZones: [Component] = []
    var names: Set<String> = []
    for timeZone in parts.flatMap({ $0.timeZones ?? [] }) {
      guard let name = timeZone[.tzID]?.text else { continue }
      if names.insert(name).inserted { timeZones.append(timeZone) }
      // A series may lie in one calendar of the stream and its override in another.
      if parts.count > 1, let conflict = definitions.add(timeZone: timeZone) {
        elements.append(.diagnostic(conflict))
      }
    }
    do throws(ItemError) {
      elements.append(
        .item(
          try CalendarItem(
            components: parts.map(\.component), timeZones: timeZones,
            calendarProperties: properties ?? [])))
    } catch {
      let position = error.position ?? SourcePosition(line: 1, column: 1)
      elements.append(.rejected(Diagnostic(.error, .incompleteItem, at: position, error.message)))
    }
    return elements
  }
}
