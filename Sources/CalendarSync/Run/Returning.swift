// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// The items and occurrences that a plan brings back although they were deleted here.
///
/// An edit overrides a deletion. The side that edited reports it, and so does this one, where the
/// deletion was made: the remote shows it only an addition or a change.
extension SyncRun {
  /// The plan with the reasons of what it brings back.
  ///
  /// - Parameters:
  ///   - plan: The plan of a part.
  ///   - entries: The ledger entries of the part.
  /// - Returns: The plan.
  /// - Throws: An error of the ledger.
  mutating func explainingReturns(
    _ plan: SyncPlan, _ entries: [LedgerEntry]
  ) async throws -> SyncPlan {
    var plan = plan
    let known = Set(entries.map(\.uid))
    for (index, operation) in plan.operations.enumerated() {
      switch operation.action {
      case .createLocal where !operation.overridesDeletion && !known.contains(operation.uid):
        guard try await wasDeletedHere(operation.uid) else { continue }
        plan.operations[index] = operation.bringingBack(.addedAgain)
      case .updateLocal(let item, _, replacing: let local)
      where !operation.overridesDeletion && options.direction == .both:
        let excluded = exclusions(of: local.item, missingIn: item)
        let stray = strays(in: item, since: local.item)
        guard !excluded.isEmpty || !stray.isEmpty else { continue }
        plan.operations[index] = operation.bringingBack(
          .broughtBack(excluded: excluded, stray: stray))
      default: continue
      }
    }
    return plan
  }

  /// Whether the last completed change of an item by this sync was its deletion on the remote.
  private mutating func wasDeletedHere(_ uid: UID) async throws -> Bool {
    guard work.knownCount > 0 else { return false }
    return try await survey.sentDeletions(of: binding, in: ledger).contains(uid)
  }

  /// The excluded dates of a series at which another version of it, with the same rules, has an
  /// occurrence.
  private func exclusions(
    of old: CalendarItem, missingIn new: CalendarItem
  ) -> [EventTime] {
    switch old.kind {
    case .event: exclusions(of: old, missingIn: new, as: Event.self)
    case .reminder: exclusions(of: old, missingIn: new, as: Reminder.self)
    case .journal: exclusions(of: old, missingIn: new, as: Journal.self)
    case .freeBusy, .availability: []
    }
  }

  /// The overrides that another version did not have, and whose series gives no such occurrence: the
  /// series was split or shortened on one side, and the occurrence edited on the other.
  private func strays(in new: CalendarItem, since old: CalendarItem) -> [EventTime] {
    let known = Set(old.overrides.compactMap { Event($0).recurrenceID?.time })
    let added = new.overrides.compactMap { Event($0).recurrenceID?.time }
      .filter { !known.contains($0) }
    guard !added.isEmpty, let main = new.main,
      let series = try? new.replacing(components: [main], timeZones: new.timeZones)
    else { return [] }
    let editor = ItemEditor(zones: merge.normalForm.zones ?? .system, now: now())
    return added.filter { !editor.hasOccurrence(at: $0, in: series) }
  }

  private func exclusions<Content: ItemContent>(
    of old: CalendarItem, missingIn new: CalendarItem, as type: Content.Type
  ) -> [EventTime] {
    guard let before = old.main.map({ Content($0) }), let after = new.main.map({ Content($0) }),
      before.start == after.start, before.recurrence.rules == after.recurrence.rules
    else { return [] }
    let kept = Set(after.recurrence.excludedDates)
    let missing = before.recurrence.excludedDates.filter { !kept.contains($0) }
    // The other version may exclude the same instant in another time zone.
    let editor = ItemEditor(zones: merge.normalForm.zones ?? .system, now: now())
    return missing.filter { editor.has($0, in: new, as: type) }
  }
}

extension ItemEditor {
  /// Whether an item has an occurrence with an original start.
  fileprivate func hasOccurrence(at time: EventTime, in item: CalendarItem) -> Bool {
    switch item.kind {
    case .event: has(time, in: item, as: Event.self)
    case .reminder: has(time, in: item, as: Reminder.self)
    case .journal: has(time, in: item, as: Journal.self)
    case .freeBusy, .availability: false
    }
  }

  fileprivate func has<Content: ItemContent>(
    _ time: EventTime, in item: CalendarItem, as type: Content.Type
  ) -> Bool {
    let found: (content: Content, component: Component)? = occurrence(at: time, of: item)
    return found != nil
  }
}
