// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// What a plan brings back although it was deleted here.
///
/// An edit overrides a deletion. The side that edited reports it, and so does this one, where the
/// deletion was made: the remote shows it only an addition or a change.
extension SyncRun {
  /// The maximum number of occurrences that are named.
  private static let occurrenceLimit = 3

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
        plan.operations[index] = operation.bringingBack(
          "deleted here, but on the remote again, where it was edited or added since")
      case .updateLocal(let item, _, replacing: let local):
        let back = Self.exclusions(of: local.item, missingIn: item)
        guard !back.isEmpty else { continue }
        let named = back.prefix(Self.occurrenceLimit).map(\.words).joined(separator: ", ")
        let rest = back.count - Self.occurrenceLimit
        plan.operations[index] = operation.bringingBack(
          "changed on the remote; deleted here, and there again: the occurrence of \(named)"
            + (rest > 0 ? " and \(rest) more" : ""))
      default: continue
      }
    }
    return plan
  }

  /// Whether the last completed change of an item by this sync was its deletion on the remote.
  private mutating func wasDeletedHere(_ uid: UID) async throws -> Bool {
    guard work.knownCount > 0 else { return false }
    if sentDeletions == nil { sentDeletions = try await ledger.sentDeletions(of: binding) }
    return sentDeletions?.contains(uid) ?? false
  }

  /// The excluded dates of a series that another version of it, with the same rules, has again.
  private static func exclusions(
    of old: CalendarItem, missingIn new: CalendarItem
  ) -> [EventTime] {
    guard let before = old.main?.recurrenceValues, let after = new.main?.recurrenceValues,
      before.start == after.start, before.recurrence.rules == after.recurrence.rules
    else { return [] }
    let kept = Set(after.recurrence.excludedDates)
    return before.recurrence.excludedDates.filter { !kept.contains($0) }
  }
}

extension Component {
  /// The start and the recurrence of the component, whatever its kind; nil for other components.
  fileprivate var recurrenceValues: (start: EventTime?, recurrence: RecurrenceProperties)? {
    switch name {
    case .event: Event(self).startAndRecurrence
    case .reminder: Reminder(self).startAndRecurrence
    case .journal: Journal(self).startAndRecurrence
    default: nil
    }
  }
}

extension ItemContent {
  fileprivate var startAndRecurrence: (start: EventTime?, recurrence: RecurrenceProperties) {
    (start, recurrence)
  }
}

extension EventTime {
  /// The date and the time of day on the clock of its zone, such as `2026-12-06 17:00`.
  fileprivate var words: String {
    let wall = wallTime
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(wall.date.year)-\(two(wall.date.month))-\(two(wall.date.day))"
    return isAllDay ? date : "\(date) \(two(wall.time.hour)):\(two(wall.time.minute))"
  }
}
