// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CalendarSync
import ICalSyntax

extension CalendarDocument {
  /// The items and the unreadable parts, in file order.
  package func listing() -> LocalListing {
    var listing = LocalListing()
    for (uid, slots) in places.sorted(by: { ($0.value.first ?? 0) < ($1.value.first ?? 0) }) {
      do throws(ItemError) {
        let item = try item(in: slots)
        listing.entries.append(
          LocalEntry(name: uid.rawValue, revision: revision(of: item), item: item))
      } catch {
        listing.unreadable.append(
          UnreadableEntry(name: uid.rawValue, reason: error.description))
      }
    }
    listing.unreadable += unnamed
    return listing
  }

  /// The components that are no items, because they have no UID (RFC 5545 §3.8.4.7).
  private var unnamed: [UnreadableEntry] {
    unnamedSlots.enumerated().compactMap { number, slot in
      do throws(ItemError) {
        _ = try item(in: [slot])
        return nil
      } catch {
        let kind = slots[slot].components.first?.name.canonicalName ?? ""
        return UnreadableEntry(name: "\(kind) \(number + 1)", reason: error.description)
      }
    }
  }

  /// Applies a change if its condition holds.
  ///
  /// The outcome is final except for the revision. `resolved(_:)` sets the revision after all
  /// changes, because a later change may add a time zone that this item uses.
  package mutating func make(_ change: LocalChange) -> LocalOutcome {
    switch change {
    case .create(let item): create(Self.normalized(item), item.normalForm.zones)
    case .update(let name, let revision, let item):
      update(name, from: revision, to: Self.normalized(item), item.normalForm.zones)
    case .putBack(let name, let revision, let bytes): putBack(name, from: revision, bytes)
    case .delete(let name, let revision): delete(name, from: revision)
    }
  }

  /// Returns an outcome with the current revision of its item in the document.
  func resolved(_ outcome: LocalOutcome) -> LocalOutcome {
    guard case .done(let name, .some) = outcome, let slots = places[UID(name)],
      let item = try? item(in: slots)
    else { return outcome }
    return .done(name: name, revision: revision(of: item))
  }

  private mutating func create(_ item: CalendarItem, _ resolver: ZoneResolver?) -> LocalOutcome {
    if let slots = places[item.uid] {
      do throws(ItemError) {
        _ = try self.item(in: slots)
        return .conditionFailed
      } catch {
        return .failed(
          reason: "'\(item.uid)' is in the way and cannot be read: \(error.description)")
      }
    }
    let slot = append([], to: 0)
    places[item.uid] = [slot]
    fill(slot, with: item, resolver)
    return .done(name: item.uid.rawValue, revision: revision(of: item))
  }

  private mutating func update(
    _ name: String, from revision: Revision, to item: CalendarItem, _ resolver: ZoneResolver? = nil,
    keepsLineBreaks: Bool = false
  ) -> LocalOutcome {
    guard item.uid == UID(name) else {
      return .failed(reason: "'\(name)' cannot become '\(item.uid)'")
    }
    guard let slots = current(name, revision), let first = slots.first else {
      return .conditionFailed
    }
    for slot in slots { fill(slot, with: []) }
    places[item.uid] = [first]
    fill(first, with: item, resolver, keepsLineBreaks: keepsLineBreaks)
    return .done(name: name, revision: self.revision(of: item))
  }

  /// Replaces an item by the lines that it had before, with their line ends.
  private mutating func putBack(
    _ name: String, from revision: Revision, _ bytes: [UInt8]
  ) -> LocalOutcome {
    do throws(ItemError) {
      return update(
        name, from: revision, to: try CalendarItem(parsing: bytes), keepsLineBreaks: true)
    } catch {
      return .failed(reason: error.message)
    }
  }

  private mutating func delete(_ name: String, from revision: Revision) -> LocalOutcome {
    guard let slots = current(name, revision) else { return .conditionFailed }
    for slot in slots { fill(slot, with: []) }
    places[UID(name)] = nil
    return .done(name: name, revision: nil)
  }

  /// The slots of an item, if it has this revision.
  private func current(_ name: String, _ revision: Revision) -> [Int]? {
    guard let slots = places[UID(name)], let item = try? item(in: slots),
      self.revision(of: item) == revision
    else { return nil }
    return slots
  }

  /// Fills an empty slot with an item, and adds the time zones that its calendar does not define.
  ///
  /// A definition that other items use is kept, because changing it could move their events. A TZID
  /// with another meaning is renamed (RFC 5545 §3.2.19).
  private mutating func fill(
    _ slot: Int, with item: CalendarItem, _ resolver: ZoneResolver?, keepsLineBreaks: Bool = false
  ) {
    let calendar = slots[slot].calendar
    let components = item.components
    let used = components.usedTimeZones
    guard !used.isEmpty else {
      return fill(slot, with: components, keepsLineBreaks: keepsLineBreaks)
    }
    var scope = scopes[calendar] ?? scope(of: calendar, resolver ?? self.resolver)
    for name in used where (zoneUses[ZoneKey(calendar: calendar, name: name)] ?? 0) == 0 {
      scope.forget(name)
    }
    let own = item.timeZones.filter { used.contains($0[.tzID]?.text ?? "") }
    let adopted = scope.adopt(components, definitions: own)
    scopes[calendar] = scope
    fill(slot, with: adopted.components, keepsLineBreaks: keepsLineBreaks)
    define(adopted.newDefinitions, in: calendar)
  }

  /// Adds definitions of time zones to a calendar, or replaces those with the same TZIDs.
  private mutating func define(_ definitions: [Component], in calendar: Int) {
    for definition in definitions {
      guard let name = definition[.tzID]?.text else { continue }
      let key = ZoneKey(calendar: calendar, name: name)
      if let zone = zones[key] {
        if slots[zone].components != [definition] { fill(zone, with: [definition]) }
      } else {
        zones[key] = append([definition], to: calendar)
      }
    }
  }

  /// The TZIDs of a calendar that its components use.
  private func scope(of calendar: Int, _ resolver: ZoneResolver) -> ZoneScope {
    let used = zoneUses.filter { $0.key.calendar == calendar && $0.value > 0 }.map(\.key.name)
    let definitions = used.compactMap { name in
      zones[ZoneKey(calendar: calendar, name: name)].flatMap { slots[$0].components.first }
    }
    var scope = ZoneScope(zones: resolver, definitions: definitions)
    scope.use(used)
    return scope
  }

  /// The frame of another file, with TZIDs that do not contradict those of this one.
  ///
  /// - Parameters:
  ///   - other: The other file.
  ///   - scope: The TZIDs of this file, see ``frameScope``.
  ///   - definitions: Receives the definitions that this file does not have.
  /// - Returns: The frame; nil if one of the files has several calendars.
  func frame(
    of other: CalendarDocument, in scope: inout ZoneScope, adding definitions: inout [Component]
  ) -> Component? {
    guard calendar != nil, var frame = other.frame else { return nil }
    let used = frame.components.usedTimeZones
    let own = used.sorted().compactMap { name in
      other.zones[ZoneKey(calendar: 0, name: name)].flatMap { other.slots[$0].components.first }
    }
    let adopted = scope.adopt(Array(frame.components), definitions: own)
    definitions += adopted.newDefinitions
    frame.components = ComponentList(adopted.components)
    return frame
  }

  /// The TZIDs of a file with one calendar.
  var frameScope: ZoneScope { scopes[0] ?? scope(of: 0, resolver) }

  /// Replaces the calendar, except its items and time zones.
  ///
  /// - Parameters:
  ///   - frame: The calendar.
  ///   - definitions: Definitions of time zones; those that the calendar uses are added.
  mutating func setFrame(_ frame: Component, definitions: [Component]) {
    setFrame(frame)
    let used = frame.components.usedTimeZones
    define(definitions.filter { used.contains($0[.tzID]?.text ?? "") }, in: 0)
    scopes[0] = nil
  }

  /// The item with CRLF line breaks; the document gives new parts those of its file.
  private static func normalized(_ item: CalendarItem) -> CalendarItem {
    (try? CalendarItem(parsing: item.serialized(forStorage: true))) ?? item
  }

  /// The item in these slots, with the time zones that it uses.
  ///
  /// The parts of an item can be in several calendars, whose definitions of a TZID may differ.
  private func item(in places: [Int]) throws(ItemError) -> CalendarItem {
    let calendar = places.first.map { slots[$0].calendar } ?? 0
    var components = places.flatMap { slots[$0].components }
    var definitions = Set(places.flatMap(zones(usedIn:))).sorted().flatMap { slots[$0].components }
    if places.contains(where: { slots[$0].calendar != calendar }) {
      var scope = ZoneScope(zones: resolver)
      (components, definitions) = ([], [])
      for place in places {
        let own = zones(usedIn: place).sorted().flatMap { slots[$0].components }
        let adopted = scope.adopt(slots[place].components, definitions: own)
        components += adopted.components
        definitions += adopted.newDefinitions
      }
    }
    return try CalendarItem(
      components: components, timeZones: definitions, calendarProperties: properties(of: calendar))
  }

  /// The slots of the time zones that a slot uses.
  private func zones(usedIn place: Int) -> [Int] {
    let names = slots[place].components.usedTimeZones
    return names.compactMap { zones[ZoneKey(calendar: slots[place].calendar, name: $0)] }
  }

  private func revision(of item: CalendarItem) -> Revision {
    Revision(of: item.serialized())
  }
}
