// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The name, colour, description and order of the calendar as a whole.
extension SyncRun {
  /// The minimum interval between requests to the remote, in seconds.
  private static let interval: Int64 = 3_600

  /// Synchronizes the properties of both sides, after the items.
  ///
  /// A problem is reported and counted, and does not stop the run.
  ///
  /// - Throws: `CancellationError`, or an error of the ledger.
  mutating func synchronizeProperties(with calendar: any RemoteCalendar) async throws {
    guard let here = local.properties, let there = calendar.properties else { return }
    let agreement = try await ledger.agreement(of: binding)
    let pending = try await ledger.pendingProperties(of: binding)
    do {
      let local = try await here.collectionProperties()
      if pending.isEmpty, let agreement, !isDue(agreement, local) { return }
      let remote = try await there.collectionProperties()
      let sides = PropertySides(
        here: here, there: there, local: local, remote: remote, agreement: agreement,
        direction: options.direction)
      try await settle(pending, by: sides)
      let merge = CollectionMerge(
        local: local, remote: remote, agreement: agreement, direction: options.direction,
        policy: merge.policies.standard, emptied: try await emptied(sides))
      var agreed = CollectionAgreement(local: local, remote: remote, readAt: now())
      for change in merge.changes {
        if !there.canBeSet, case .setRemote = change.action { continue }
        if !sides.canBeSet(.remote), keepsOwn(change, sides) { continue }
        try Task.checkCancellation()
        let outcome = try await carryOut(change, on: sides)
        count(outcome, of: change)
        agreed.note(change, outcome)
      }
      if id != nil { try await ledger.store(agreed, of: binding) }
    } catch let error as CancellationError {
      throw error
    } catch {
      results.countFailure()
      report(.propertiesFailed(reason: "\(error)"))
    }
  }

  /// Whether a calendar keeps its own value beside a remote that can only be read: the name that it
  /// was given, or a value that differs from the last one of the remote.
  private func keepsOwn(_ change: CollectionChange, _ sides: PropertySides) -> Bool {
    guard case .setLocal = change.action, !change.isDecidedByPolicy,
      let own = sides.canonical(.local, change.property)
    else { return false }
    let last = sides.agreement?.remote[change.property].flatMap(change.property.canonical)
    return own != last
  }

  /// The sides whose missing properties do not count as removed.
  ///
  /// A folder that was deleted and created again has no property files, and so has a calendar that
  /// was created again on a server. This looks like the removal of all properties at once, which
  /// the safeguards stop for items. One property at a time can be removed. A single agreed property
  /// can be removed unless the calendar has no items either, or it is the name on a remote: programs
  /// rename calendars, but do not remove names. On another file system than in the last run nothing
  /// counts as removed.
  private func emptied(_ sides: PropertySides) async throws -> Set<MergeSide> {
    var emptied = Set(safeguards.doubted.map(\.other))
    for side in MergeSide.allCases {
      let agreed = CollectionProperty.allCases.filter { property in
        sides.agreement?[side][property].flatMap(property.canonical) != nil
      }
      let isEmpty = CollectionProperty.allCases.allSatisfy { sides.canonical(side, $0) == nil }
      guard !agreed.isEmpty, isEmpty, !emptied.contains(side) else { continue }
      if agreed.count > 1 || side == .remote && agreed == [.name] {
        emptied.insert(side)
      } else if try await ledger.places(of: binding, for: []).count == 0 {
        emptied.insert(side)
      }
    }
    return emptied
  }

  /// Determines the outcomes of interrupted changes: a side with the intended value was written.
  ///
  /// Does nothing in a dry run.
  func settle(_ pending: [PropertyLine], by sides: PropertySides) async throws {
    guard let id else { return }
    for line in pending {
      let isMade =
        sides.canonical(line.side, line.property)
        == line.after.flatMap(line.property.canonical)
      var line = line
      line.state = isMade ? .done : .givenUp
      try await ledger.settle(line, in: id)
    }
  }

  /// Makes a change: records the intent, writes the value, and records the outcome.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - sides: Both sides, with their values and their last agreement.
  /// - Returns: The outcome; `planned` in a dry run, which writes nothing.
  /// - Throws: An error of the ledger or of the side; the next run then checks the intent.
  func carryOut(
    _ change: CollectionChange, on sides: PropertySides
  ) async throws -> CollectionChange.Outcome {
    guard let id else { return .planned }
    guard let write = change.write else { return .done }
    var line = PropertyLine(
      property: change.property, side: write.side, before: sides[write.side, change.property],
      after: write.value, agreed: sides.agreement?[write.side.other][change.property])
    try await ledger.record(line, in: id)
    let result = try await sides.store(write.side).set(change.property, to: write.value)
    line.state = result == .done ? .done : .givenUp
    try await ledger.settle(line, in: id)
    switch result {
    case .done: return .done
    case .refused(let reason): return .failed(.reported(reason))
    }
  }

  /// Reports and counts the outcome of a change.
  mutating func count(_ outcome: CollectionChange.Outcome, of change: CollectionChange) {
    report(.property(change, outcome))
    switch outcome {
    case .planned: break
    case .done: if change.write != nil { results.countProperty() }
    case .failed: results.countFailure()
    }
  }

  /// Whether to contact the remote: after the interval, after a local change, or if all is verified; a
  /// folder takes no request and is always read.
  private func isDue(_ agreement: CollectionAgreement, _ local: CollectionProperties) -> Bool {
    guard binding.remote.kind != "folder" else { return true }
    let isSame = CollectionProperty.allCases.allSatisfy { property in
      local[property].flatMap(property.canonical)
        == agreement.local[property].flatMap(property.canonical)
    }
    guard isSame, !options.isVerifying, let next = agreement.readAt.adding(seconds: Self.interval)
    else { return true }
    // A clock that was set back must not prevent requests for years.
    return now() >= next || now() < agreement.readAt
  }
}
