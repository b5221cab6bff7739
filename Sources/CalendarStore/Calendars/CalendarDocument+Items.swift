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
    return listing
  }

  /// Applies a change if its condition holds.
  ///
  /// The outcome is final except for the revision. `resolved(_:)` sets the revision after all
  /// changes, because a later change may add a time zone that this item uses.
  package mutating func make(_ change: LocalChange) -> LocalOutcome {
    switch change {
    case .create(let item): create(Self.normalized(item))
    case .update(let name, let revision, let item):
      update(name, from: revision, to: Self.normalized(item))
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

  private mutating func create(_ item: CalendarItem) -> LocalOutcome {
    if let slots = places[item.uid] {
      do throws(ItemError) {
        _ = try self.item(in: slots)
        return .conditionFailed
      } catch {
        return .failed(
          reason: "'\(item.uid)' is in the way and cannot be read: \(error.description)")
      }
    }
    let slot = append(item.components, to: 0)
    places[item.uid] = [slot]
    define(item.timeZones, usedBy: slot)
    return .done(name: item.uid.rawValue, revision: revision(of: item))
  }

  private mutating func update(
    _ name: String, from revision: Revision, to item: CalendarItem
  ) -> LocalOutcome {
    guard item.uid == UID(name) else {
      return .failed(reason: "'\(name)' cannot become '\(item.uid)'")
    }
    guard let slots = current(name, revision), let first = slots.first else {
      return .conditionFailed
    }
    fill(first, with: item.components)
    for slot in slots.dropFirst() { fill(slot, with: []) }
    places[item.uid] = [first]
    define(item.timeZones, usedBy: first)
    return .done(name: name, revision: self.revision(of: item))
  }

  /// Replaces an item by the lines that it had before, with their line ends.
  private mutating func putBack(
    _ name: String, from revision: Revision, _ bytes: [UInt8]
  ) -> LocalOutcome {
    do throws(ItemError) {
      return update(name, from: revision, to: try CalendarItem(parsing: bytes))
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

  /// Adds the time zones of an item that the calendar does not define yet.
  ///
  /// A definition that other items use is kept, because changing it could move their events.
  private mutating func define(_ definitions: [Component], usedBy slot: Int) {
    let calendar = slots[slot].calendar
    let used = slots[slot].components.reduce(into: Set()) { $0.formUnion($1.usedTimeZones) }
    for definition in definitions {
      guard let name = definition[.tzID]?.text, used.contains(name) else { continue }
      let key = ZoneKey(calendar: calendar, name: name)
      if let zone = zones[key] {
        guard zoneUses[key] == 1, slots[zone].components != [definition] else { continue }
        fill(zone, with: [definition])
      } else {
        zones[key] = append([definition], to: calendar)
      }
    }
  }

  /// The item with CRLF line breaks; the parts that are already in the file keep theirs.
  private static func normalized(_ item: CalendarItem) -> CalendarItem {
    (try? CalendarItem(parsing: item.serialized(forStorage: true))) ?? item
  }

  /// The item in these slots, with the time zones that it uses.
  private func item(in places: [Int]) throws(ItemError) -> CalendarItem {
    var timeZones: [Int] = []
    for place in places {
      let names = Set(slots[place].components.flatMap(\.usedTimeZones))
      timeZones += names.compactMap {
        zones[ZoneKey(calendar: slots[place].calendar, name: $0)]
      }
    }
    let calendar = places.first.map { slots[$0].calendar } ?? 0
    return try CalendarItem(
      components: places.flatMap { slots[$0].components },
      timeZones: Set(timeZones).sorted().flatMap { slots[$0].components },
      calendarProperties: properties(of: calendar))
  }

  private func revision(of item: CalendarItem) -> Revision {
    Revision(of: item.serialized())
  }
}
