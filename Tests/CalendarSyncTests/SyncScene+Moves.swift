// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport

extension SyncScene {
  /// Runs syncs as a group, one after the other.
  ///
  /// - Parameters:
  ///   - scenes: The syncs, which share a ledger.
  ///   - others: Syncs of the same ledger that do not run.
  ///   - isAccount: Whether all remotes are of one account, so that the server can move items.
  ///   - isTroubled: Whether a sync may fail; the failure then counts as an outcome.
  /// - Returns: The outcome of each sync, or of its second run if it ran twice.
  /// - Throws: The first error of a sync.
  static func sync(
    _ scenes: [SyncScene], beside others: [SyncScene] = [], isAccount: Bool,
    isTroubled: Bool = false
  ) async throws -> [Outcome] {
    let group = SyncGroup(
      scenes.map {
        SyncGroup.Member(
          $0.binding, local: $0.local, account: isAccount ? "account" : nil,
          direction: $0.options.direction, sides: [$0.name])
      }, beside: others.map(\.binding), over: scenes[0].ledger, limit: 1)
    let outcomes = try await group.run(
      in: scenes[0].merge.normalForm, at: Instant(secondsSinceEpoch: scenes[0].now),
      isComplete: { $0.failure == nil },
      { turn in
        var scene = scenes[turn.index]
        do {
          scene.options.moves = try await turn.moves()
          return try await scene.sync()
        } catch let failure as FaultPlan.Failure where isTroubled {
          return Outcome(failure: "\(failure)")
        }
      })
    return outcomes.map { $0[$0.count - 1] }
  }
}
