// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The effect of an incoming item on the stored item with the same UID.
///
/// An item with a main component replaces the stored item; if its main component is not later than the
/// stored one, occurrences that were changed here since stay. An item that has only overrides, such as
/// an update of a single occurrence, replaces or adds those and keeps the rest. An older version
/// changes nothing: its SEQUENCE is lower, or the same and its LAST-MODIFIED or DTSTAMP is earlier
/// (RFC 5546 §2.1.5).
public enum ItemUpdate: Hashable, Sendable {
  /// There was no stored item; this one is to be stored.
  case added(CalendarItem)
  /// This item replaces the stored one.
  case updated(CalendarItem)
  /// The stored item is equivalent.
  case unchanged
  /// The stored item is newer; the revisions have the times that were compared.
  case older(stored: SchedulingRevision, incoming: SchedulingRevision)
  /// The stored item is of another kind, and therefore unrelated.
  case otherKind(stored: ItemKind, incoming: ItemKind)

  /// Determines the effect of an incoming item on the stored one.
  ///
  /// - Parameters:
  ///   - stored: The stored item with the same UID, or nil if there is none.
  ///   - incoming: The imported item.
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
    if let before = stored.main?.revision, main.revision.isOlder(than: before) {
      self = Self.older(before, main.revision)
      return
    }
    // A main component that was missing so far completes the stored overrides.
    guard let before = stored.main?.revision else {
      self = Self.completing(stored, by: incoming)
      return
    }
    self =
      before.isOlder(than: main.revision)
      ? .updated(incoming) : Self.replacing(stored, by: incoming, main.revision)
  }

  /// Replaces a stored item, except for the overrides that are later than the incoming occurrences.
  private static func replacing(
    _ stored: CalendarItem, by incoming: CalendarItem, _ main: ComponentRevision
  ) -> ItemUpdate {
    let named = stored.namingTimeZones(beside: incoming)
    var components = incoming.components
    let places = Self.places(of: components, in: incoming)
    let overrides = named.overrides
    let keys = named.normalForm.occurrenceKeys(
      of: overrides, among: incoming.components,
      definitions: named.timeZones + incoming.timeZones)
    var later: (stored: ComponentRevision, incoming: ComponentRevision)?
    for (override, key) in zip(overrides, keys) {
      let place = places[key]
      let revision = place.map { components[$0].revision } ?? main
      guard override.revision.isLater(than: revision) else { continue }
      later = later ?? (override.revision, revision)
      if let place { components[place] = override } else { components.append(override) }
    }
    guard let later else { return .updated(incoming) }
    let update = result(components, of: incoming, with: named, before: stored)
    return update == .unchanged ? Self.older(later.stored, later.incoming) : update
  }

  /// The place of the first component of each occurrence.
  private static func places(
    of components: [Component], in item: CalendarItem
  ) -> [OccurrenceKey: Int] {
    let keys = item.occurrenceKeys(of: components)
    return Dictionary(zip(keys, components.indices)) { first, _ in first }
  }

  private static func older(
    _ stored: ComponentRevision, _ incoming: ComponentRevision
  ) -> ItemUpdate {
    .older(stored: stored.described(beside: incoming), incoming: incoming.described(beside: stored))
  }

  private static func completing(_ stored: CalendarItem, by incoming: CalendarItem) -> ItemUpdate {
    let before = stored
    let stored = stored.namingTimeZones(beside: incoming)
    let keys = Set(incoming.occurrenceKeys(of: incoming.overrides))
    // The stored item has no main component; the incoming one determines whether the series is
    // all-day.
    let overrides = stored.overrides
    let named = stored.normalForm.occurrenceKeys(
      of: overrides, among: incoming.components,
      definitions: stored.timeZones + incoming.timeZones)
    let others = zip(overrides, named).filter { !keys.contains($1) }.map(\.0)
    return result(incoming.components + others, of: incoming, with: stored, before: before)
  }

  private static func overriding(_ stored: CalendarItem, by incoming: CalendarItem) -> ItemUpdate {
    let incoming = incoming.namingTimeZones(beside: stored)
    var components = stored.components
    var places = Self.places(of: components, in: stored)
    let overrides = incoming.overrides
    let keys = incoming.normalForm.occurrenceKeys(
      of: overrides, among: components, definitions: incoming.timeZones + stored.timeZones)
    var older: ItemUpdate?
    for (override, key) in zip(overrides, keys) {
      guard let place = places[key] else {
        places[key] = components.count
        components.append(override)
        continue
      }
      let (revision, before) = (override.revision, components[place].revision)
      if revision.isOlder(than: before) {
        older = older ?? Self.older(before, revision)
      } else {
        components[place] = override
      }
    }
    let update = result(components, of: stored, with: incoming, before: stored)
    return update == .unchanged ? older ?? update : update
  }

  /// Combines components in the calendar of an item, with the time zones of both items.
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
