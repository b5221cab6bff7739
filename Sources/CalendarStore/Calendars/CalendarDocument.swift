// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
import ICalSyntax

/// An iCalendar file that is edited item by item and otherwise preserved.
///
/// The file is a sequence of *slots*, one for each component in its calendars, in file order. A
/// change empties or fills slots. Unchanged slots are written with their original bytes.
package struct CalendarDocument {
  /// A position in the file, with the original component or its replacement.
  struct Slot {
    let calendar: Int
    var components: [Component]
  }

  /// The key of a VTIMEZONE: its TZID and calendar, because its scope is that calendar.
  struct ZoneKey: Hashable {
    let calendar: Int
    let name: String
  }

  /// The original calendars of the file; usually one.
  private var calendars: [Component]
  var slots: [Slot] = []
  /// The slots of each item; never empty.
  var places: [UID: [Int]] = [:]
  /// The slot of each VTIMEZONE; of duplicates in one calendar, the first.
  var zones: [ZoneKey: Int] = [:]
  /// The number of slots that use each time zone.
  var zoneUses: [ZoneKey: Int] = [:]
  /// The time zones that any change stopped using.
  var abandonedZones: Set<ZoneKey> = []
  /// The TZIDs of each calendar that received items.
  var scopes: [Int: ZoneScope] = [:]
  /// Compares the definitions of different calendars.
  let resolver: ZoneResolver
  /// How many slots were read; those behind them were added.
  private var readCount = 0
  /// The calendars that a change reached.
  private var changedCalendars: Set<Int> = []

  /// Creates an empty calendar.
  package init(zones: ZoneResolver = ZoneResolver()) {
    resolver = zones
    calendars = [
      Component(
        .calendar,
        properties: [
          Property(.version, rawValue: "2.0"),
          Property(.productID, rawValue: CalendarItem.productID),
        ])
    ]
  }

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - zones: The resolver of TZIDs, to compare the definitions of different calendars.
  /// - Throws: `ItemError` unless the whole file is valid.
  package init(
    parsing bytes: [UInt8], zones: ZoneResolver = ZoneResolver()
  ) throws(ItemError) {
    resolver = zones
    guard !bytes.isEmpty else {
      throw ItemError(
        code: .notCalendar,
        message: "the file is empty, as after a power failure; delete it to start a new calendar")
    }
    let stream: CalendarStream
    do throws(SyntaxError) {
      stream = try CalendarStream(parsing: bytes)
    } catch {
      throw ItemError(
        code: .limit, position: error.diagnostic.position, message: error.diagnostic.message)
    }
    if let fault = stream.diagnostics.first(where: \.isStructural) {
      throw ItemError(code: .incomplete, position: fault.position, message: fault.message)
    }
    guard !stream.calendars.isEmpty else {
      throw ItemError(
        code: .notCalendar, position: stream.diagnostics.first?.position,
        message: "expected BEGIN:VCALENDAR, found no calendar")
    }
    calendars = stream.calendars
    for (number, calendar) in calendars.enumerated() {
      for component in calendar.components { add(component, to: number) }
    }
    readCount = slots.count
  }

  private mutating func add(_ component: Component, to calendar: Int) {
    let slot = slots.count
    if component.name == .timeZone, let name = component[.tzID]?.text {
      let key = ZoneKey(calendar: calendar, name: name)
      if zones[key] == nil { zones[key] = slot }
    } else if ItemKind(component.name) != nil, let uid = component.uid {
      places[uid, default: []].append(slot)
    }
    slots.append(Slot(calendar: calendar, components: [component]))
    countZones(of: slot, by: 1)
  }

  /// Whether any change was applied.
  var isChanged: Bool { !changedCalendars.isEmpty }

  /// The calendar properties that each item includes.
  func properties(of calendar: Int) -> [Property] {
    [PropertyName.version, .productID, .calscale].compactMap { calendars[calendar][$0] }
  }

  /// Replaces the components in a slot.
  mutating func fill(_ slot: Int, with components: [Component]) {
    countZones(of: slot, by: -1)
    slots[slot].components = components
    countZones(of: slot, by: 1)
    changedCalendars.insert(slots[slot].calendar)
  }

  /// Appends a slot to a calendar and returns its index.
  mutating func append(_ components: [Component], to calendar: Int) -> Int {
    slots.append(Slot(calendar: calendar, components: []))
    fill(slots.count - 1, with: components)
    return slots.count - 1
  }

  /// The calendar without components, or nil if the file has several calendars.
  var calendar: Component? {
    guard calendars.count == 1, var calendar = calendars.first else { return nil }
    calendar.components = ComponentList()
    return calendar
  }

  /// Replaces the properties of a calendar.
  mutating func setProperties(_ properties: PropertyList, of calendar: Int) {
    calendars[calendar].properties = properties
    changedCalendars.insert(calendar)
  }

  private mutating func countZones(of slot: Int, by step: Int) {
    let calendar = slots[slot].calendar
    for name in slots[slot].components.usedTimeZones {
      let key = ZoneKey(calendar: calendar, name: name)
      zoneUses[key, default: 0] += step
      if step < 0 { abandonedZones.insert(key) }
    }
  }

  /// Returns the changed file; unchanged calendars have their original bytes.
  package mutating func bytes() -> [UInt8] {
    for key in abandonedZones where zoneUses[key] == 0 {
      scopes[key.calendar]?.forget(key.name)
      guard let slot = zones.removeValue(forKey: key) else { continue }
      fill(slot, with: [])
    }
    abandonedZones = []
    let contents = changedContents()
    var bytes: [UInt8] = []
    for (number, calendar) in calendars.enumerated() {
      guard changedCalendars.contains(number) else {
        Serializer().write(calendar, to: &bytes)
        continue
      }
      let (begin, end) = Self.frame(of: calendar)
      bytes += begin
      for property in calendar.properties { Serializer().write(property, to: &bytes) }
      for component in contents[number] ?? [] { Serializer().write(component, to: &bytes) }
      bytes += end
    }
    return bytes
  }

  /// The first and the last line of a calendar: as they were read if each is a line of its own.
  private static func frame(of calendar: Component) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    let (first, last) = ("BEGIN:\(calendar.name.rawName)", "END:\(calendar.name.rawName)")
    var begin = Array("\(first)\r\n".utf8)[...]
    var end = Array("\(last)\r\n".utf8)[...]
    guard calendar.sourceSize != nil else { return (begin, end) }
    let bytes = Serializer().bytes(of: calendar)
    if let place = bytes.firstIndex(of: 10), place <= first.utf8.count + 1 {
      begin = bytes[...place]
    }
    if let place = bytes.dropLast().lastIndex(of: 10), bytes.last == 10,
      bytes.count - place <= last.utf8.count + 3
    {
      end = bytes[(place + 1)...]
    }
    return (begin, end)
  }

  /// The components of the changed calendars in their order, by the number of the calendar.
  ///
  /// Added time zones follow the items that use them, which the RFC allows. Programs that read in
  /// one pass need them first, so that they are moved to the start of their calendar.
  private func changedContents() -> [Int: [Component]] {
    var contents: [Int: (components: [Component], added: [Component])] = [:]
    for (place, slot) in slots.enumerated() where changedCalendars.contains(slot.calendar) {
      if place >= readCount, slot.components.first?.name == .timeZone {
        contents[slot.calendar, default: ([], [])].added += slot.components
      } else {
        contents[slot.calendar, default: ([], [])].components += slot.components
      }
    }
    return contents.mapValues { components, added in
      let head = components.prefix { $0.name == .timeZone }.count
      return Array(components[..<head]) + added + components[head...]
    }
  }
}

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
