// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The name, colour, description and order of the calendar as a whole.
extension SyncRunner {
  /// For how long the remote is not asked again, in seconds: less than from one night to the next.
  private static let interval: Int64 = 12 * 3_600

  /// Brings the properties of both sides together, after the items.
  ///
  /// What goes wrong with one is told and counted, and stops nothing. No intents are written down: a
  /// value that got through while the answer was lost is found equal by the next run.
  ///
  /// - Parameters:
  ///   - calendar: The remote.
  ///   - summary: Where failures are counted.
  /// - Throws: `CancellationError`, or what the ledger cannot do.
  func synchronizeProperties(
    with calendar: any RemoteCalendar, _ summary: inout RunSummary
  ) async throws {
    guard let here = local.properties, let there = calendar.properties else { return }
    let agreement = try await ledger.agreement(of: binding)
    do {
      let local = try await here.collectionProperties()
      if let agreement, !isDue(agreement, local) { return }
      let remote = try await there.collectionProperties()
      let merge = CollectionMerge(
        local: local, remote: remote, agreement: agreement, policy: policy)
      var agreed = CollectionAgreement(local: local, remote: remote, readAt: now())
      for change in merge.changes {
        if !there.canBeSet, case .setRemote = change.action { continue }
        try Task.checkCancellation()
        let outcome = options.isDryRun ? .planned : try await carryOut(change, here, there)
        report(.property(change, outcome))
        if case .failed = outcome { summary.failed += 1 }
        agreed.note(change, outcome)
      }
      if !options.isDryRun { try await ledger.store(agreed, of: binding) }
    } catch let error as CancellationError {
      throw error
    } catch {
      summary.failed += 1
      report(.propertiesFailed(reason: "\(error)"))
    }
  }

  /// Whether the remote has to be asked: after a while, or because something changed here.
  private func isDue(_ agreement: CollectionAgreement, _ local: CollectionProperties) -> Bool {
    let isSame = CollectionProperty.allCases.allSatisfy { property in
      local[property].flatMap(property.canonical)
        == agreement.local[property].flatMap(property.canonical)
    }
    guard isSame, let next = agreement.readAt.adding(seconds: Self.interval) else { return true }
    // A clock that was set back must not keep the sides apart for years.
    return now() >= next || now() < agreement.readAt
  }

  private func carryOut(
    _ change: CollectionChange, _ here: any CollectionPropertyStore,
    _ there: any CollectionPropertyStore
  ) async throws -> CollectionChange.Outcome {
    let result: CollectionPropertyOutcome
    switch change.action {
    case .setLocal(let value): result = try await here.set(change.property, to: value)
    case .setRemote(let value): result = try await there.set(change.property, to: value)
    case .leave: return .done
    }
    switch result {
    case .done: return .done
    case .refused(let reason): return .failed(reason: reason)
    }
  }
}

extension CollectionAgreement {
  /// Writes down what became of a change; what a side refused counts as agreed on until it is edited
  /// again, so that it is not sent every night.
  fileprivate mutating func note(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    guard outcome == .done else { return }
    switch change.action {
    case .setLocal(let value): local[change.property] = value
    case .setRemote(let value): remote[change.property] = value
    case .leave: break
    }
  }
}
