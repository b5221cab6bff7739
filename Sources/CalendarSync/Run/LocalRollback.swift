// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A local calendar that was restored from a backup: it lost versions that both sides had agreed on.
///
/// Two items are necessary, of which at least one is back at an earlier version. A single item was
/// edited back by its owner. Deleted files that are back are no sign by themselves: they are added to
/// the remote again, which loses nothing. Changes by commands and other syncs since the last change of
/// this sync are in the history, and do not count. An item with a later stamp than the agreed version
/// does not count either.
public struct LocalRollback: Sendable {
  /// The evidence.
  public let rollback: Rollback
  /// The items whose agreed versions are lost, with their titles.
  public let items: [UID: String]

  /// Searches for a rollback; nil if there is none.
  ///
  /// - Parameters:
  ///   - local: The local calendar.
  ///   - binding: The sync.
  ///   - fetched: The versions that were read from the remote: nothing is lost if both sides hold
  ///     the same.
  ///   - ledger: The ledger.
  /// - Throws: An error of the calendar or of the ledger.
  public init?(
    in local: SurveyedCalendar, of binding: SyncBinding, beside fetched: Set<Fingerprint> = [],
    _ ledger: any Ledger
  ) async throws {
    let form = local.form
    let changes = try await ledger.recentChanges(of: binding, limit: SyncRun.comparedChanges)
    guard !changes.isEmpty else { return nil }
    var states = try await LocalStates(of: changes, in: local.survey, binding, ledger)
    func finding() -> RollbackSearch.Finding? {
      let search = RollbackSearch(changes, of: .local, form: form) { [states] uid in
        states.held(uid, beside: fetched, form)
      }
      return search.finding { $0.returned > 0 && $0.count > 1 }
        .flatMap { $0.isSufficient ? $0 : nil }
    }
    // Few runs find a sign, so that few runs read the edits and the items.
    guard let suspicion = finding() else { return nil }
    try await states.excuse(Set(suspicion.items.keys), binding, ledger)
    try await states.excuseLater(Set(suspicion.items.keys), in: local)
    guard let found = finding() else { return nil }
    (rollback, items) = (found.rollback, found.items)
  }
}

/// A local calendar, and what a survey found in it.
public struct SurveyedCalendar: Sendable {
  /// The calendar.
  public let calendar: any LocalCalendar
  /// The items, without contents.
  public let survey: LocalSurvey
  /// The normal form of the survey.
  public let form: NormalForm

  /// Creates a calendar with its survey.
  public init(_ calendar: any LocalCalendar, _ survey: LocalSurvey, in form: NormalForm) {
    (self.calendar, self.survey, self.form) = (calendar, survey, form)
  }
}

/// The states of changed items in a local calendar and in the ledger.
private struct LocalStates {
  private let records: [UID: LocalRecord]
  private let entries: [UID: LedgerEntry]
  /// The names of unreadable files.
  private let unreadable: Set<String>
  /// The items with undecided writes or conflicts, and those that were moved.
  private var unclear: Set<UID>
  /// The runs of the last changes of the sync.
  private let runs: [UID: RunID]
  /// The changes that commands and other syncs made since.
  private var edits: [UID: LocalEdit] = [:]

  init(
    of changes: [PastChange], in survey: LocalSurvey, _ binding: SyncBinding, _ ledger: any Ledger
  ) async throws {
    var newest: [UID: PastChange] = [:]
    for change in changes where newest[change.line.uid] == nil { newest[change.line.uid] = change }
    let uids = Set(newest.keys)
    records = Dictionary(survey.records(of: uids).map { ($0.uid, $0) }) { first, _ in first }
    entries = Dictionary(
      try await ledger.entries(of: binding, for: uids.inOrder()).map { ($0.uid, $0) }
    ) { first, _ in first }
    unreadable = Set(survey.unreadable.map(\.name))
    unclear = Set(newest.values.filter { $0.line.moved != nil }.map(\.line.uid))
      .union(try await ledger.pendingIntents(of: binding).map(\.uid))
      .union(try await ledger.conflicts(of: binding).map(\.uid))
    runs = newest.mapValues(\.run)
  }

  /// Loads the changes of items by commands and other syncs.
  mutating func excuse(
    _ uids: Set<UID>, _ binding: SyncBinding, _ ledger: any Ledger
  ) async throws {
    edits = try await ledger.lastEdits(among: uids, in: binding.local).filter { uid, edit in
      runs[uid].map { $0.rawValue < edit.run.rawValue } ?? false
    }
  }

  /// Leaves out the items whose stamps are later than those of the agreed version.
  ///
  /// A program that edits an item back writes a new DTSTAMP or LAST-MODIFIED, and a backup has the
  /// earlier one.
  mutating func excuseLater(_ uids: Set<UID>, in local: SurveyedCalendar) async throws {
    let found = uids.compactMap { records[$0] }.sorted(byBytesOf: \.name)
    for entry in try await local.calendar.read(found, in: local.form).entries {
      let base = entries[entry.item.uid]?.base.flatMap { try? CalendarItem(parsing: $0) }
      guard let known = base?.components.map(\.revision).max(),
        let revision = entry.item.components.map(\.revision).max()
      else { continue }
      if revision > known { unclear.insert(entry.item.uid) }
    }
  }

  /// The state of an item.
  func held(
    _ uid: UID, beside fetched: Set<Fingerprint>, _ form: NormalForm
  ) -> RollbackSearch.Held {
    let (record, entry) = (records[uid], entries[uid])
    let isUnread = entry.map { unreadable.contains($0.localName) } ?? !unreadable.isEmpty
    if unclear.contains(uid) || isUnread || isMeant(uid, record, form) { return .unclear }
    guard let record else { return entry == nil ? .agreedAbsence : .absent }
    if record.fingerprint == entry?.localBase { return .agreed }
    // A copy that took the place of the item's file is a conflict.
    if let entry, entry.localName != record.name { return .unclear }
    if fetched.contains(record.fingerprint) { return .unclear }
    return .version(record.fingerprint, isKnown: entry != nil)
  }

  /// Whether the item is as a command or another sync left it.
  private func isMeant(_ uid: UID, _ record: LocalRecord?, _ form: NormalForm) -> Bool {
    guard let edit = edits[uid] else { return false }
    guard let content = edit.content else { return record == nil }
    let item = try? CalendarItem(parsing: content, normalForm: form)
    return item != nil && item?.fingerprint == record?.fingerprint
  }
}
