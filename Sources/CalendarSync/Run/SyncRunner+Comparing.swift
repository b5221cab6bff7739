// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The items that a run compares, without contents.
struct ComparedItems {
  /// The local ones.
  let records: [LocalRecord]
  /// What the ledger knows of them.
  let places: [LedgerPlace]
  /// How many items the sides agreed on in all.
  let agreedCount: Int
}

extension SyncRunner {
  /// What has to be compared: everything, or what changed here if that is all that there can be to do.
  ///
  /// What the remote tells of may turn out to be any item, under another name or beside itself. And what is
  /// outside of a filter, or cannot be read, is told from the rest by looking at all of it. Where there is
  /// none of this, an item that did not change here is what both sides agreed on.
  ///
  /// - Parameters:
  ///   - survey: The local side.
  ///   - answer: The remote side.
  ///   - wasAtRest: Whether the last run left nothing to do, and nothing was begun since.
  /// - Returns: The items to compare.
  /// - Throws: What the ledger cannot do.
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
