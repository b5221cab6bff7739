// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What an incoming item makes of the stored one with the same UID.
///
/// An item with a main component replaces the stored item. One that has only overrides, as an update
/// of a single occurrence has, replaces or adds those and leaves the rest alone. A lower SEQUENCE than
/// the stored one is an older version, which changes nothing (RFC 5546 §2.1.5).
public enum ItemUpdate: Hashable, Sendable {
  /// There was none; this one is to be stored.
  case added(CalendarItem)
  /// This one is to be stored in the place of the one before.
  case updated(CalendarItem)
  /// The stored item says the same.
  case unchanged
  /// The stored item is a later version, with these values of SEQUENCE.
  case older(stored: Int, incoming: Int)
  /// The stored item is of another kind, and so is not the same thing.
  case otherKind(stored: ItemKind, incoming: ItemKind)

  /// Decides what an incoming item makes of the stored one.
  ///
  /// - Parameters:
  ///   - stored: The stored item with the UID of the incoming one, or nil if there is none.
  ///   - incoming: The item that is imported.
  public init(of stored: CalendarItem?, by incoming: CalendarItem) {
    guard let stored else {
      self = .added(incoming)
      return
    }
    guard stored.kind == incoming.kind else {
      self = .otherKind(stored: stored.kind, incoming: incoming.kind)
      return
    }
    guard stored.fingerprint != incoming.fingerprint else {
      self = .unchanged
      return
    }
    guard let main = incoming.main else {
      self = Self.overriding(stored, by: incoming)
      return
    }
    let sequence = main.revision.sequence
    if let before = stored.main?.revision.sequence, sequence < before {
      self = .older(stored: before, incoming: sequence)
      return
    }
    // Where the main component was missing so far, it completes the overrides that came before it.
    self = stored.main == nil ? Self.completing(stored, by: incoming) : .updated(incoming)
  }

  private static func completing(_ stored: CalendarItem, by incoming: CalendarItem) -> ItemUpdate {
    let keys = Set(incoming.occurrenceKeys(of: incoming.overrides))
    // The stored item has no main component: the incoming one tells whether it is a series of days.
    let overrides = stored.overrides
    let named = stored.normalForm.occurrenceKeys(
      of: overrides, among: incoming.components, definitions: stored.timeZones)
    let others = zip(overrides, named).filter { !keys.contains($1) }.map(\.0)
    return result(incoming.components + others, of: incoming, with: stored, before: stored)
  }

  private static func overriding(_ stored: CalendarItem, by incoming: CalendarItem) -> ItemUpdate {
    var components = stored.components
    var places: [OccurrenceKey: Int] = [:]
    for (place, key) in stored.occurrenceKeys(of: components).enumerated()
    where places[key] == nil {
      places[key] = place
    }
    let overrides = incoming.overrides
    let keys = incoming.normalForm.occurrenceKeys(
      of: overrides, among: components, definitions: incoming.timeZones)
    var older: ItemUpdate?
    for (override, key) in zip(overrides, keys) {
      guard let place = places[key] else {
        places[key] = components.count
        components.append(override)
        continue
      }
      let sequence = override.revision.sequence
      let before = components[place].revision.sequence
      if sequence < before {
        older = older ?? .older(stored: before, incoming: sequence)
      } else {
        components[place] = override
      }
    }
    let update = result(components, of: stored, with: incoming, before: stored)
    return update == .unchanged ? older ?? update : update
  }

  /// Puts components into the calendar of an item, with the time zones of both.
  private static func result(
    _ components: [Component], of item: CalendarItem, with other: CalendarItem,
    before stored: CalendarItem
  ) -> ItemUpdate {
    let names = Set(item.timeZones.compactMap { $0[.tzID]?.text })
    let added = other.timeZones.filter { !names.contains($0[.tzID]?.text ?? "") }
    guard
      let merged = try? item.replacing(components: components, timeZones: item.timeZones + added)
    else { return .unchanged }
    return merged.fingerprint == stored.fingerprint ? .unchanged : .updated(merged)
  }
}
