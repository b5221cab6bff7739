// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The undo of changes to the name, colour, description and order of the calendar.
extension SyncRunner {
  /// Undoes the property changes of a run, after the items.
  ///
  /// A problem is reported and counted, and does not stop the run.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: The history that contains the changes of the run.
  ///   - calendar: The remote.
  ///   - run: The new run; nil in a dry run.
  ///   - summary: The summary that counts changes and failures.
  /// - Throws: `CancellationError`.
  func undoProperties(
    of earlier: RunID, _ history: any RunHistory, with calendar: any RemoteCalendar,
    in run: RunID?, _ summary: inout RunSummary
  ) async throws {
    guard let here = local.properties, let there = calendar.properties else { return }
    do {
      guard try await !history.propertyJournal(of: earlier).isEmpty else { return }
      let sides = PropertySides(
        here: here, there: there, local: try await here.collectionProperties(),
        remote: try await there.collectionProperties(),
        agreement: try await ledger.agreement(of: binding))
      if let run {
        try await settle(ledger.pendingProperties(of: binding), by: sides, in: run)
      }
      let done = try await history.propertyJournal(of: earlier).filter(\.isDone)
      for property in CollectionProperty.allCases {
        let lines = done.filter { $0.property == property }
        guard !lines.isEmpty else { continue }
        try Task.checkCancellation()
        try await takeBack(PropertyUndo(property, lines, sides), in: run, &summary)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      summary.failed += 1
      report(.propertiesFailed(reason: "\(error)"))
    }
  }

  /// Undoes the changes of one property, and records the new agreement of both sides.
  ///
  /// Without the new agreement, the next sync would take the undo for an edit. If the sides will
  /// differ, the agreement is recorded first, so that an interruption does not create an edit. If
  /// the sides will be equal, it is recorded afterwards, and the next sync completes an interrupted
  /// undo.
  private func takeBack(
    _ undo: PropertyUndo, in run: RunID?, _ summary: inout RunSummary
  ) async throws {
    let (changes, sides) = (undo.changes, undo.sides)
    guard let first = changes.first else { return }
    if let problem = undo.problem { return tell(first, .failed(reason: problem), &summary) }
    // Without an agreement, the next sync contacts the remote.
    let known =
      try await ledger.agreement(of: binding)
      ?? CollectionAgreement(readAt: Instant(secondsSinceEpoch: 0))
    var agreed = known
    for side in MergeSide.allCases { agreed[side][undo.property] = sides[side, undo.property] }
    if run != nil, undo.endsApart {
      var ahead = agreed
      for change in changes { ahead.note(change, .done) }
      try await ledger.store(ahead, of: binding)
    }
    var isChanged = false
    for change in changes {
      guard let outcome = try await attempt(change, on: sides, in: run, &summary) else { return }
      // A side is changed only after the other side accepted its change.
      if case .failed = outcome { break }
      agreed.note(change, outcome)
      isChanged = outcome == .done
    }
    guard run != nil else { return }
    try await ledger.store(isChanged ? agreed : known, of: binding)
  }

  /// Makes a change and reports its outcome; nil if the outcome is unknown.
  private func attempt(
    _ change: CollectionChange, on sides: PropertySides, in run: RunID?,
    _ summary: inout RunSummary
  ) async throws -> CollectionChange.Outcome? {
    do {
      let outcome = try await carryOut(change, on: sides, in: run)
      tell(change, outcome, &summary)
      return outcome
    } catch let error as CancellationError {
      throw error
    } catch {
      tell(change, .failed(reason: "\(error)"), &summary)
      return nil
    }
  }
}
