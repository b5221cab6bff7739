// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

extension CalendarDocument {
  /// The calendar without its items and time zones, or nil if the file has several calendars.
  var frame: Component? {
    guard var frame = calendar else { return nil }
    frame.components = ComponentList(frameSlots.flatMap { slots[$0].components })
    return frame
  }

  /// Replaces the calendar, except its items and time zones.
  mutating func setFrame(_ frame: Component) {
    setProperties(frame.properties, of: 0)
    let places = frameSlots
    let components = Array(frame.components)
    guard components != places.flatMap({ slots[$0].components }) else { return }
    for place in places { fill(place, with: []) }
    if let first = places.first {
      fill(first, with: components)
    } else {
      _ = append(components, to: 0)
    }
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
