// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

extension CalendarDocument {
  /// Returns the changed file; unchanged parts, and the text between the parts, have their bytes.
  package mutating func bytes() -> [UInt8] {
    removeAbandonedZones()
    let added = addedComponents()
    var bytes: [UInt8] = []
    for (number, layout) in layouts.enumerated() {
      bytes += layout.before
      if changedCalendars.contains(number) || layout.range.isEmpty {
        write(number, added[number] ?? AddedComponents(), to: &bytes)
      } else {
        bytes += source[layout.range]
      }
    }
    return bytes + source[(layouts.last?.range.upperBound ?? 0)...]
  }

  /// The components that a calendar did not have when it was read.
  private struct AddedComponents {
    var zones: [Component] = []
    var others: [Component] = []
  }

  private mutating func removeAbandonedZones() {
    for key in abandonedZones where zoneUses[key] == 0 {
      scopes[key.calendar]?.forget(key.name)
      guard let slot = zones.removeValue(forKey: key) else { continue }
      fill(slot, with: [])
    }
    abandonedZones = []
  }

  /// The added components of the changed calendars, by the number of the calendar.
  private func addedComponents() -> [Int: AddedComponents] {
    var added: [Int: AddedComponents] = [:]
    for slot in slots[readCount...] {
      if slot.components.first?.name == .timeZone {
        added[slot.calendar, default: AddedComponents()].zones += slot.components
      } else {
        added[slot.calendar, default: AddedComponents()].others += slot.components
      }
    }
    return added
  }

  /// Writes a changed calendar.
  ///
  /// Added time zones could follow the items that use them, which the RFC allows. Programs that read
  /// in one pass need them first, so that they follow the time zones at the start of the calendar.
  private func write(_ number: Int, _ added: AddedComponents, to bytes: inout [UInt8]) {
    let layout = layouts[number]
    let properties = replacedProperties[number]
    var zones = added.zones[...]
    func writeZones() {
      for zone in zones { Serializer().write(zone, to: &bytes) }
      zones = []
    }
    bytes += layout.head
    bytes += properties?.first ?? []
    for part in layout.parts {
      switch part.place {
      case .property(let index):
        let text = properties?.texts[index] ?? layout.text(ofProperty: index)
        bytes += text
        if !text.isEmpty { bytes += part.gap }
      case .slot(let slot):
        let components = slots[slot].components
        if let first = components.first, first.name != .timeZone { writeZones() }
        for component in components { Serializer().write(component, to: &bytes) }
        if !components.isEmpty { bytes += part.gap }
      }
    }
    writeZones()
    for component in added.others { Serializer().write(component, to: &bytes) }
    bytes += layout.tail
  }
}

extension CalendarDocument {
  /// The calendar without its items and time zones, or nil if the file has several calendars.
  var frame: Component? {
    guard var frame = calendar else { return nil }
    frame.components = ComponentList(frameSlots.flatMap { slots[$0].components })
    return frame
  }

  /// Replaces the calendar, except its items and time zones; what it has already keeps its place.
  mutating func setFrame(_ frame: Component) {
    setProperties(frame.properties, of: 0)
    let places = frameSlots
    let originals = places.map { slots[$0].components }
    let components = Array(frame.components)
    guard components != originals.flatMap(\.self) else { return }
    let placement = ListPlacement(
      of: components, in: originals.compactMap(\.first), bytes: Serializer().bytes,
      name: \.name.canonicalName)
    for (place, list) in zip(places, placement.lists) where list != slots[place].components {
      fill(place, with: list)
    }
    for component in placement.first { _ = append([component], to: 0) }
  }

  /// The slots of components that are neither items, which require a UID, nor time zones.
  private var frameSlots: [Int] {
    slots.indices.filter { slot in
      slots[slot].components.contains { component in
        component.name != .timeZone && (ItemKind(component.name) == nil || component.uid == nil)
      }
    }
  }
}
