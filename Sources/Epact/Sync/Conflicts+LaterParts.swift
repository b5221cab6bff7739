// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarSync
import CivilTime

// Worked example. A series was split here at 16 March, while the other side moved all of it:
//
//     base     RRULE:FREQ=WEEKLY           on Mondays at 10:00
//     local    RRULE:FREQ=WEEKLY;COUNT=2   RELATED-TO;RELTYPE=NEXT:later
//     remote   RRULE:FREQ=WEEKLY           on Mondays at 11:00
//     chosen   RRULE:FREQ=WEEKLY           on Mondays at 11:00
//
// The later part is an item of its own. From 16 March on, both take place.

extension Conflicts {
  /// The items that continue a series that was split here, and take place beside a version that goes on
  /// again (RFC 9253 §4.3).
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - choice: The version that is to be chosen.
  /// - Returns: The items in the local calendar; none if the version ends where they begin.
  /// - Throws: `EpactError` if a version cannot be read; `StoreError`.
  public func laterParts(
    of conflict: PendingConflict, beside choice: ConflictResolver.Choice
  ) async throws -> [CalendarItem] {
    let chosen: CalendarItem
    switch choice {
    case .local, .both: return []
    case .remote: chosen = try merged(conflict, taking: .remote)
    case .edited(let item): chosen = item
    }
    // The base has the relation, too, because the rest of the item is merged while the conflict waits.
    let names = conflict.stored.local.flatMap(item)?.laterParts ?? []
    guard !names.isEmpty, let location = try location(of: conflict) else { return [] }
    let listing = try await location.open(for: .reading, knowing: machine.knownNames(in: ledger))
      .scan()
    let viewer = try machine.viewerZone()
    return listing.entries.map(\.item).filter { part in
      names.contains(part.uid) && goesOn(chosen, since: part, viewer)
    }
  }

  /// The times in which parts of a series are looked for: 1900 to 2200.
  private static let years =
    Instant(secondsSinceEpoch: -2_208_988_800)..<Instant(secondsSinceEpoch: 7_258_118_400)

  /// Whether an item has an occurrence at or after the start of a later part.
  private func goesOn(
    _ item: CalendarItem, since part: CalendarItem, _ viewer: ZoneRules
  ) -> Bool {
    func first(of item: CalendarItem, in range: Range<Instant>) -> Occurrence? {
      var query = OccurrenceQuery(in: range, viewer: viewer, zones: machine.zoneResolver)
      query.add(item)
      return query.occurrences().first { _ in true }
    }
    guard let start = first(of: part, in: Self.years)?.interval.lowerBound else { return false }
    return first(of: item, in: start..<Self.years.upperBound) != nil
  }
}

extension CalendarItem {
  /// The items that continue a split series (RFC 9253 §4.3).
  var laterParts: Set<UID> {
    guard let main else { return [] }
    return Set(Event(main).relations.filter { $0.type == .next }.map { UID($0.target) })
  }
}
