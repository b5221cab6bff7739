// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The items that a run compares, without contents.
struct ComparedItems {
  /// The local items.
  let records: [LocalRecord]
  /// Their ledger entries, without contents.
  let places: [LedgerPlace]
  /// The total number of items that the sides agreed on.
  let agreedCount: Int
}

extension SyncRunner {
  /// The items to compare: only the local changes if nothing else can need attention, or else all.
  ///
  /// A remote change may turn out to be any item, under another name or a duplicate. Items outside
  /// of a filter and unreadable files can only be distinguished by comparing everything. Without
  /// any of these, an unchanged local item is the agreed one.
  ///
  /// - Parameters:
  ///   - survey: The survey of the local side.
  ///   - answer: The response of the remote side.
  ///   - wasAtRest: Whether the last run left no work and no change is pending.
  /// - Returns: The items to compare.
  /// - Throws: An error of the ledger.
  func compared(
    _ survey: LocalSurvey, _ answer: RemoteAnswer, wasAtRest: Bool
  ) async throws -> ComparedItems {
    if wasAtRest, !options.filter.isActive, survey.unreadable.isEmpty, answer.isSilent,
      let changes = survey.changes
    {
      let (places, count) = try await ledger.places(of: binding, for: changes.uids)
      return ComparedItems(records: changes.found, places: places, agreedCount: count)
    }
    let places = try await ledger.places(of: binding)
    return ComparedItems(records: survey.records(), places: places, agreedCount: places.count)
  }
}
