// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The undo of a run's changes to one calendar property.
///
/// It is based on the journal lines and the current values of both sides.
struct PropertyUndo {
  let property: CollectionProperty
  /// The changes of the run, in order.
  private let lines: [PropertyLine]
  /// Both sides with their current values.
  let sides: PropertySides

  /// Creates the undo of the lines of a property; there is at least one line.
  init(_ property: CollectionProperty, _ lines: [PropertyLine], _ sides: PropertySides) {
    self.property = property
    self.lines = lines
    self.sides = sides
  }

  /// The intended value of a side.
  private struct Target {
    let value: String?
  }

  /// The changes of the undo: first the sides that the run wrote, then the other side.
  ///
  /// They are empty if both sides already have their values from before the run.
  var changes: [CollectionChange] {
    let written = MergeSide.allCases.filter(isWritten)
    return (written + MergeSide.allCases.filter { !isWritten($0) }).compactMap { side in
      guard let target = target(of: side), !isReached(target, on: side) else { return nil }
      return CollectionChange(
        property: property,
        action: side == .local ? .setLocal(target.value) : .setRemote(target.value))
    }
  }

  /// Whether the sides differ after the undo, because each keeps or gets a different value.
  var endsApart: Bool { end(of: .local) != end(of: .remote) }

  /// The reason for skipping the undo, if any.
  var problem: UndoObstacle? {
    for side in MergeSide.allCases {
      if isWritten(side), !sides.canBeSet(side) { return .readOnly }
      guard let target = target(of: side), !isReached(target, on: side) else { continue }
      let left = (lines.last { $0.side == side } ?? lines.last)?.after
      guard sides.canonical(side, property) == left.flatMap(property.canonical) else {
        return .changedSince
      }
    }
    return nil
  }

  private func isWritten(_ side: MergeSide) -> Bool { lines.contains { $0.side == side } }

  private func isReached(_ target: Target, on side: MergeSide) -> Bool {
    sides.canonical(side, property) == target.value.flatMap(property.canonical)
  }

  /// The canonical value of a side after the undo.
  private func end(of side: MergeSide) -> String? {
    guard let target = target(of: side) else { return sides.canonical(side, property) }
    return target.value.flatMap(property.canonical)
  }

  /// The intended value of a side; nil if it stays unchanged.
  ///
  /// A side that the run wrote gets its previous value back, and the other side gets its last
  /// agreed value. If it had no agreed value, another program set the current one, which is kept. A
  /// side that rejects changes stays unchanged.
  private func target(of side: MergeSide) -> Target? {
    if let own = lines.first(where: { $0.side == side }) { return Target(value: own.before) }
    guard sides.canBeSet(side),
      let agreed = lines.first?.agreed, property.canonical(agreed) != nil
    else { return nil }
    return Target(value: agreed)
  }
}

/// The undo of changes to the name, colour, description and order of the calendar.
extension SyncRun {
  /// Undoes the property changes of a run, after the items.
  ///
  /// A problem is reported and counted, and does not stop the run.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: The history that contains the changes of the run.
  ///   - calendar: The remote.
  /// - Throws: `CancellationError`.
  mutating func undoProperties(
    of earlier: RunID, _ history: any RunHistory, with calendar: any RemoteCalendar
  ) async throws {
    guard let here = local.properties, let there = calendar.properties else { return }
    do {
      guard try await !history.propertyJournal(of: earlier).isEmpty else { return }
      let sides = PropertySides(
        here: here, there: there, local: try await here.collectionProperties(),
        remote: try await there.collectionProperties(),
        agreement: try await ledger.agreement(of: binding), direction: options.direction)
      try await settle(ledger.pendingProperties(of: binding), by: sides)
      let done = try await history.propertyJournal(of: earlier).filter(\.isDone)
      for property in CollectionProperty.allCases {
        let lines = done.filter { $0.property == property }
        guard !lines.isEmpty else { continue }
        try Task.checkCancellation()
        try await takeBack(PropertyUndo(property, lines, sides))
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      results.countFailure()
      report(.propertiesFailed(reason: "\(error)"))
    }
  }

  /// Undoes the changes of one property, and records the new agreement of both sides.
  ///
  /// Without the new agreement, the next sync would take the undo for an edit. If the sides will
  /// differ, the agreement is recorded first, so that an interruption does not create an edit. If
  /// the sides will be equal, it is recorded afterwards, and the next sync completes an interrupted
  /// undo.
  private mutating func takeBack(_ undo: PropertyUndo) async throws {
    let (changes, sides) = (undo.changes, undo.sides)
    guard let first = changes.first else { return }
    if let problem = undo.problem { return count(.failed(.notUndone(problem)), of: first) }
    // Without an agreement, the next sync contacts the remote.
    let known =
      try await ledger.agreement(of: binding)
      ?? CollectionAgreement(readAt: Instant(secondsSinceEpoch: 0))
    var agreed = known
    for side in MergeSide.allCases { agreed[side][undo.property] = sides[side, undo.property] }
    if id != nil, undo.endsApart {
      var ahead = agreed
      for change in changes { ahead.note(change, .done) }
      try await ledger.store(ahead, of: binding)
    }
    var isChanged = false
    for change in changes {
      guard let outcome = try await attempt(change, on: sides) else { return }
      // A side is changed only after the other side accepted its change.
      if case .failed = outcome { break }
      agreed.note(change, outcome)
      isChanged = outcome == .done
    }
    guard id != nil else { return }
    try await ledger.store(isChanged ? agreed : known, of: binding)
  }

  /// Makes a change and reports its outcome; nil if the outcome is unknown.
  private mutating func attempt(
    _ change: CollectionChange, on sides: PropertySides
  ) async throws -> CollectionChange.Outcome? {
    do {
      let outcome = try await carryOut(change, on: sides)
      count(outcome, of: change)
      return outcome
    } catch let error as CancellationError {
      throw error
    } catch {
      count(.failed(.reported("\(error)")), of: change)
      return nil
    }
  }
}
