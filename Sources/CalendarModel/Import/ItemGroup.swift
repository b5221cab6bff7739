// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The components of a stream with the same UID, before they form an item.
struct ItemGroup: Sendable {
  /// A component of the group.
  struct Part: Sendable {
    var component: Component
    let kind: ItemKind
    /// The number of its calendar in the stream.
    let calendar: Int
    /// The time zones that the component uses, once they are known.
    var timeZones: [Component]?
    /// The METHOD of the calendar of a scheduling message.
    var method: Property?

    init(component: Component, kind: ItemKind, calendar: Int = 0) {
      self.component = component
      self.kind = kind
      self.calendar = calendar
    }

    /// The approximate memory of the part: its size in the file, in bytes.
    var size: Int { component.sourceSize ?? component.properties.count * 64 }
  }

  let uid: UID
  private(set) var parts: [Part] = []
  private(set) var hasMain = false
  private(set) var size = 0
  /// The number of parts whose calendar's definitions are known.
  private var resolvedCount = 0
  private var properties: [Property]?

  init(uid: UID) {
    self.uid = uid
  }

  mutating func add(_ part: Part) {
    parts.append(part)
    size += part.size
    if !part.component.isOverride { hasMain = true }
  }

  /// Takes the definitions of the latest parts' calendar.
  mutating func resolve(_ definitions: CalendarDefinitions, keepingMethod: Bool) {
    if properties == nil { properties = definitions.properties }
    for index in resolvedCount..<parts.count {
      parts[index].timeZones = definitions.timeZones(usedBy: parts[index].component)
      if keepingMethod { parts[index].method = definitions.method }
    }
    resolvedCount = parts.count
  }

  /// The items of the group, usually one, with their diagnostics.
  func items() -> [ItemGrouping.Element] {
    if parts.count == 1 { return elements(of: parts) }
    guard parts.contains(where: { $0.method != nil }) else { return items(of: parts) }
    // Each message is an item of its own; calendars without METHOD are combined.
    var places: [Int: Int] = [:]
    var groups: [[Part]] = []
    for part in parts {
      let calendar = part.method == nil ? -1 : part.calendar
      if let place = places[calendar] {
        groups[place].append(part)
      } else {
        places[calendar] = groups.count
        groups.append([part])
      }
    }
    return groups.flatMap { items(of: $0) }
  }

  /// The items of parts from one message, or from calendars without METHOD.
  private func items(of parts: [Part]) -> [ItemGrouping.Element] {
    let method = parts.first?.method.map { SchedulingMethod(rawValue: $0.text) }
    if let method, !method.bringsItem {
      // For example, answers of several attendees are not rivals.
      return Set(parts.map(\.kind)).sorted().flatMap { kind in
        elements(of: parts.filter { $0.kind == kind })
      }
    }
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

  /// The item of the parts, preceded by diagnostics about its time zones.
  private func elements(of parts: [Part]) -> [ItemGrouping.Element] {
    var elements: [ItemGrouping.Element] = []
    var definitions = CalendarDefinitions()
    var timeZones: [Component] = []
    var names: Set<String> = []
    for timeZone in parts.flatMap({ $0.timeZones ?? [] }) {
      guard let name = timeZone[.tzID]?.text else { continue }
      if names.insert(name).inserted { timeZones.append(timeZone) }
      // A series and its override may be in different calendars of the stream.
      if parts.count > 1, let conflict = definitions.add(timeZone: timeZone) {
        elements.append(.diagnostic(conflict))
      }
    }
    let method = parts.first?.method.map { [$0] } ?? []
    do throws(ItemError) {
      elements.append(
        .item(
          try CalendarItem(
            components: parts.map(\.component), timeZones: timeZones,
            calendarProperties: (properties ?? []) + method)))
    } catch {
      let position = error.position ?? SourcePosition(line: 1, column: 1)
      elements.append(.rejected(Diagnostic(.error, .incompleteItem, at: position, error.message)))
    }
    return elements
  }
}
