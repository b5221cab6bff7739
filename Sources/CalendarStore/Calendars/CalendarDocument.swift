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

  /// The calendars of the file; usually one.
  private(set) var calendars: [Component]
  /// The text of each calendar between its parts.
  let layouts: [CalendarLayout]
  /// The file as it was read.
  let source: [UInt8]
  /// The replaced properties of a calendar, if any.
  var replacedProperties: [Int: CalendarLayout.Properties] = [:]
  /// The line break of most lines, which those of changed parts get.
  private(set) lazy var lineBreak = LineBreak(mostOf: source)
  var slots: [Slot] = []
  /// The slots of each item; never empty.
  var places: [UID: [Int]] = [:]
  /// The slots of the components that are no items, because they have no UID.
  private(set) var unnamedSlots: [Int] = []
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
  private(set) var readCount = 0
  /// The calendars that a change reached.
  var changedCalendars: Set<Int> = []

  /// Creates an empty calendar.
  package init(zones: ZoneResolver = .system) {
    resolver = zones
    let calendar = Component(
      .calendar,
      properties: [
        Property(.version, rawValue: "2.0"),
        Property(.productID, rawValue: CalendarItem.productID),
      ])
    calendars = [calendar]
    source = []
    layouts = [CalendarLayout(of: calendar, slots: 0, in: source, after: 0)]
  }

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - zones: The resolver of TZIDs, to compare the definitions of different calendars.
  /// - Throws: `ItemError` unless the whole file is valid.
  package init(
    parsing bytes: [UInt8], zones: ZoneResolver = .system
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
    try ConflictMarker.expectNone(in: bytes, stream.diagnostics)
    if let fault = stream.diagnostics.first(where: \.isStructural) {
      throw ItemError(code: .incomplete, position: fault.position, message: fault.message)
    }
    guard !stream.calendars.isEmpty else {
      throw ItemError(
        code: .notCalendar, position: stream.diagnostics.first?.position,
        message: "expected BEGIN:VCALENDAR, found no calendar")
    }
    calendars = stream.calendars
    source = bytes
    var layouts: [CalendarLayout] = []
    var slot = 0
    for calendar in calendars {
      let end = layouts.last?.range.upperBound ?? 0
      layouts.append(CalendarLayout(of: calendar, slots: slot, in: bytes, after: end))
      slot += calendar.components.count
    }
    self.layouts = layouts
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
    } else if ItemKind(component.name) != nil {
      if let uid = component.uid {
        places[uid, default: []].append(slot)
      } else {
        unnamedSlots.append(slot)
      }
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
  ///
  /// - Parameters:
  ///   - slot: The slot.
  ///   - components: The components.
  ///   - keepsLineBreaks: Whether they keep their line breaks; otherwise new ones get those of the
  ///     file.
  mutating func fill(
    _ slot: Int, with components: [Component], keepsLineBreaks: Bool = false
  ) {
    let before = slots[slot].components
    countZones(of: slot, by: -1)
    slots[slot].components = components.map { component in
      let isKept = keepsLineBreaks || before.contains { $0.hasSameSource(as: component) }
      return isKept ? component : lineBreak.applied(to: component)
    }
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

  /// Replaces the properties of a calendar; those that it has already keep their places.
  mutating func setProperties(_ properties: PropertyList, of calendar: Int) {
    guard calendars[calendar].properties != properties else { return }
    replacedProperties[calendar] = layouts[calendar].placing(Array(properties), lineBreak)
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
}
