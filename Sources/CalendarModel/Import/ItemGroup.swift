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
  private let zones: ZoneResolver
  private(set) var parts: [Part] = []
  private(set) var hasMain = false
  private(set) var size = 0
  /// The number of parts whose calendar's definitions are known.
  private var resolvedCount = 0
  private var properties: [Property]?

  /// Creates an empty group; the resolver compares the time zones of different calendars.
  init(uid: UID, zones: ZoneResolver) {
    self.uid = uid
    self.zones = zones
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
    var messages = Groups<Int, Part>()
    for part in parts { messages.add(part, to: part.method == nil ? -1 : part.calendar) }
    return messages.all.flatMap { items(of: $0) }
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
    var components = parts.map(\.component)
    var timeZones = parts.first?.timeZones ?? []
    if parts.count > 1 {
      // A series and its override may be in different calendars of the stream.
      (components, timeZones) = ([], [])
      var scope = ZoneScope(zones: zones)
      for part in parts {
        let adopted = scope.adopt([part.component], definitions: part.timeZones ?? [])
        components += adopted.components
        timeZones += adopted.newDefinitions
        for (name, new) in adopted.names.sorted(by: { $0.key < $1.key }) {
          elements.append(.diagnostic(Self.conflict(name, as: new, in: part.component)))
        }
      }
    }
    let method = parts.first?.method.map { [$0] } ?? []
    do throws(ItemError) {
      elements.append(
        .item(
          try CalendarItem(
            components: components, timeZones: timeZones,
            calendarProperties: (properties ?? []) + method)))
    } catch {
      let position = error.position ?? SourcePosition(line: 1, column: 1)
      elements.append(.rejected(Diagnostic(.error, .incompleteItem, at: position, error.message)))
    }
    return elements
  }

  private static func conflict(_ name: String, as new: String, in part: Component) -> Diagnostic {
    part.diagnostic(
      .note, .timeZoneConflict,
      "expected one definition of the time zone '\(name)' for all components with the UID "
        + "'\(part.uid?.rawValue ?? "")', found another one in this calendar, which becomes '\(new)'",
      reference: "RFC 5545 §3.2.19")
  }
}

/// Selects the components with the same UID and kind that form one item, regardless of order.
///
/// An item has one main component and one override for each occurrence. If a stream has several,
/// `RivalRanking` selects one; the others that it keeps get UIDs of their own.
struct PartSelection {
  private(set) var kept: [ItemGroup.Part] = []
  /// Parts that become items of their own, with other UIDs.
  private(set) var separated: [ItemGroup.Part] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(of parts: [ItemGroup.Part]) {
    var places = Groups<OccurrenceKey, Int>()
    for (index, part) in parts.enumerated() { places.add(index, to: part.component.occurrenceKey) }
    var chosen: Set<Int> = []
    for rivals in places.all {
      chosen.insert(rivals.count == 1 ? rivals[0] : decide(between: rivals, of: parts))
    }
    kept = parts.indices.filter { chosen.contains($0) }.map { parts[$0] }
    separated.sort { $0.component.uid ?? UID("") < $1.component.uid ?? UID("") }
    diagnostics.sort { $0.position < $1.position }
  }

  /// Gives the whole selection another UID, because a component of another kind has this one.
  mutating func rename(becauseOf other: ItemKind) {
    guard let first = kept.first, let uid = first.component.uid else { return }
    var form = CanonicalForm()
    form.append(uid.rawValue)
    form.append(first.kind.rawValue)
    let derived = UID.derived(from: SHA256.digest(of: form.bytes))
    for index in kept.indices {
      kept[index].component[.uid] = Property(.uid, text: derived.rawValue)
    }
    diagnostics.append(
      first.component.diagnostic(
        .warning, .sharedUID,
        "expected only one kind of component with the UID '\(uid)', found \(other.rawValue) and "
          + "\(first.kind.rawValue); the latter becomes '\(derived)'", reference: "RFC 4791 §4.1"))
  }

  /// Chooses one of the parts for the same occurrence, and separates or drops the others.
  private mutating func decide(between rivals: [Int], of parts: [ItemGroup.Part]) -> Int {
    let ranking = RivalRanking(of: rivals.map { parts[$0].component })
    for other in ranking.others {
      var part = parts[rivals[other.place]]
      var derived: UID?
      if case .equal = other.verdict { derived = UID.derived(from: other.digest) }
      diagnostics.append(
        RivalRanking.diagnostic(about: part.component, other.verdict, keptAs: derived))
      guard let derived else { continue }
      part.component[.uid] = Property(.uid, text: derived.rawValue)
      separated.append(part)
    }
    return rivals[ranking.chosen]
  }
}

/// The calendar's properties and definitions that its items need on their own.
struct CalendarDefinitions: Sendable {
  /// The calendar properties that each item keeps.
  ///
  /// Other properties, such as METHOD or X-WR-CALNAME, describe the calendar.
  private static let kept: Set<PropertyName> = [.version, .productID, .calscale]

  private(set) var properties: [Property] = []
  /// The METHOD of the calendar, with which each item is a scheduling message.
  private(set) var method: Property?
  private var timeZones: [String: Component] = [:]

  mutating func add(_ property: Property) {
    if method == nil, property.isNamed(.method), !property.text.isEmpty { method = property }
    guard Self.kept.contains(property.name) else { return }
    guard !properties.contains(where: { $0.name == property.name }) else { return }
    properties.append(property)
  }

  /// Adds a definition; the first one with a name is kept, and a different one is reported.
  mutating func add(timeZone: Component) -> Diagnostic? {
    guard let name = timeZone[.tzID]?.text else { return nil }
    guard let first = timeZones[name] else {
      timeZones[name] = timeZone
      return nil
    }
    // Nearly always it is the same one, or a copy, and the digests take far longer.
    guard !first.hasSameSource(as: timeZone),
      CanonicalForm.digest(of: first) != CanonicalForm.digest(of: timeZone)
    else { return nil }
    return timeZone.diagnostic(
      .warning, .timeZoneConflict,
      "expected one definition of the time zone '\(name)', found another one, which is not used",
      reference: "RFC 5545 §3.6.5")
  }

  /// Whether each TZID of a component has a definition.
  func defineTimeZones(of component: Component) -> Bool {
    component.usedTimeZones.allSatisfy { timeZones[$0] != nil }
  }

  /// The definitions that a component uses, sorted by name.
  func timeZones(usedBy component: Component) -> [Component] {
    component.usedTimeZones.sorted().compactMap { timeZones[$0] }
  }
}
