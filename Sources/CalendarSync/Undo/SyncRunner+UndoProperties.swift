// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Taking back what a run did to the name, colour, description and order of the calendar.
extension SyncRunner {
  /// Takes back what a run did to the properties, after the items.
  ///
  /// What goes wrong with one is told and counted, and stops nothing.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: What the run did.
  ///   - calendar: The remote.
  ///   - run: The run that takes it back; nil if it is dry.
  ///   - summary: Where changes and failures are counted.
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

  /// Takes back what was done to one property, and writes down what both sides say of it from then on, so
  /// that the next sync takes it for no edit.
  ///
  /// Where the sides end apart, that is written down before: cut off in between, the next sync would
  /// otherwise take what was done for an edit. Where they end alike, it is written down afterwards, and the
  /// next sync finishes what was cut off.
  private func takeBack(
    _ undo: PropertyUndo, in run: RunID?, _ summary: inout RunSummary
  ) async throws {
    let (changes, sides) = (undo.changes, undo.sides)
    guard let first = changes.first else { return }
    if let problem = undo.problem { return tell(first, .failed(reason: problem), &summary) }
    // Of what the sides never agreed on, the remote is asked by the next sync.
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
      // A side follows only what the other took.
      if case .failed = outcome { break }
      agreed.note(change, outcome)
      isChanged = outcome == .done
    }
    guard run != nil else { return }
    try await ledger.store(isChanged ? agreed : known, of: binding)
  }

  /// Makes a change, and tells what became of it; nil if that is not known.
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
