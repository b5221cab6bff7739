// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The handling of a side that was restored from a backup.
public enum RollbackHandling: Hashable, Sendable {
  /// The run stops before any change.
  case stop
  /// The versions of the restored side count as edits.
  case accept
  /// The local versions replace those that the remote went back to.
  case push
}

/// The check between the second and the third stage of a run: whether a side lost versions that the
/// sides had agreed on.
///
/// For the remote it costs nothing unless the remote returned a listing or keeps no history, and some
/// of its items differ from the agreed ones. Then the last `comparedChanges` changes of the history
/// are compared. The items that this takes are fetched before the others, and not a second time. For
/// the local calendar it costs nothing unless two local items need attention (``LocalRollback``).
extension SyncRun {
  /// The maximum number of compared changes.
  static let comparedChanges = 1_000

  /// Looks for a rollback of a side; the plan that stops the run, or nil if it continues.
  mutating func checkForRollback(with calendar: any RemoteCalendar) async throws -> SyncPlan? {
    // The side that a one-way sync writes gets the versions of the other one again.
    if options.direction != .push || options.rollback == .push,
      let plan = try await checkRemote(calendar)
    {
      return plan
    }
    guard options.direction != .pull, options.rollback != .accept,
      work.items.rest.count > 1 || survey.isVerifying,
      let found = try await LocalRollback(
        in: SurveyedCalendar(local, survey.local, in: merge.normalForm), of: binding,
        beside: Set(known.prefetched.values.compactMap(\.fingerprint)), ledger)
    else { return nil }
    return plan(stoppedBy: found.rollback, on: .local, found.items)
  }

  /// Looks for a rollback of the remote.
  private mutating func checkRemote(_ calendar: any RemoteCalendar) async throws -> SyncPlan? {
    let isPushing = options.rollback == .push
    let found = try await rollback(of: calendar)
    guard isPushing || found != nil else { return nil }
    guard !isPushing else {
      survey.rollBack(missing.union(found.map { Set($0.items.keys) } ?? []))
      safeguards.attribute(to: .push)
      return survey.rolledBack.isEmpty ? SyncPlan(operations: []) : nil
    }
    guard let found, found.isSufficient else { return nil }
    return plan(stoppedBy: found.rollback, on: .remote, found.items)
  }

  /// The items here that are missing on the remote although both sides agreed on them.
  ///
  /// A push sends all of them again, because their deletion here would lose them. The history has no run
  /// of items that both sides had from the start, and shows no sign of a backup after a deletion.
  private var missing: Set<UID> {
    let held = Set(survey.local.records(of: work.items.gone).map(\.uid))
    return held.subtracting(survey.intents.map(\.uid))
  }

  /// The plan of a run that a rollback stops.
  private func plan(
    stoppedBy rollback: Rollback, on side: MergeSide, _ items: [UID: String]
  ) -> SyncPlan {
    let operations = items.sorted { $0.key < $1.key }.map { uid, title in
      PlannedOperation(
        skipping: uid, title: title, because: .agreedVersionLost(side))
    }
    return SyncPlan(
      operations: operations,
      objection: GuardObjection(
        side: side.other, deletions: rollback.missing, known: work.knownCount,
        cause: .rollback(rollback)))
  }

  /// The agreed versions that the remote lost; nil if there are none.
  private mutating func rollback(
    of calendar: any RemoteCalendar
  ) async throws -> RollbackSearch.Finding? {
    guard options.rollback != .accept, !work.items.fetches.isEmpty || !work.items.gone.isEmpty,
      options.rollback == .push || survey.remote.recognition != .recognized
    else { return nil }
    let changes = try await ledger.recentChanges(of: binding, limit: Self.comparedChanges)
    guard !changes.isEmpty else { return nil }
    let uids = Set(changes.map(\.line.uid))
    try await prefetch(uids, from: calendar)
    let held = try await held(uids)
    let search = RollbackSearch(changes, of: .remote, form: merge.normalForm) {
      held[$0] ?? .unclear
    }
    let found = search.finding(where: isSufficient)
    guard found != nil, options.rollback == .stop else { return found }
    try await askForHistory(calendar)
    // The answer decides which evidence is sufficient.
    return survey.remote.recognition == .recognized ? nil : search.finding(where: isSufficient)
  }

  /// Whether the evidence is sufficient to stop the run.
  ///
  /// A remote that refuses a cursor may have gone back, so that one item is sufficient. Without a
  /// cursor, one item that returns is an ordinary edit, items that are missing are deletions, and
  /// deleted items that are back are those of an undo.
  private func isSufficient(_ rollback: Rollback) -> Bool {
    let hasReturned = rollback.returned + rollback.reappeared > 0
    // The user has allowed so many deletions.
    if !hasReturned, rollback.missing <= safeguards.allowed { return false }
    // Deleted items that are back are added again, which loses nothing: an undo restores them, too.
    let isLoss = hasReturned && rollback.returned + rollback.missing > 0
    return survey.remote.recognition == .refused || isLoss && rollback.count > 1
  }

  /// Asks a remote whether it knows the cursor, if the run requested everything without asking.
  private mutating func askForHistory(_ calendar: any RemoteCalendar) async throws {
    guard survey.isVerifying, survey.remote.recognition == .unknown,
      let cursor = survey.checkpoint.cursor
    else { return }
    _ = try await calendar.changes(since: cursor)
    survey.recognize(calendar.cursorRecognition)
  }

  /// Fetches the items that may be those of the history.
  private mutating func prefetch(
    _ uids: Set<UID>, from calendar: any RemoteCalendar
  ) async throws {
    var entries = work.items.fetches
    if entries.count > options.partSize {
      // A new place may hold a deleted item.
      entries = entries.filter { entry in
        work.items.owners[entry.href].map { !$0.isDisjoint(with: uids) } ?? true
      }
      entries = Array(entries.prefix(Self.comparedChanges))
    }
    for result in try await FetchSource(calendar, self).fetch(entries) {
      known.add(result)
    }
    try Task.checkCancellation()
  }

  /// Whether an item was modified after the version on which both sides agreed.
  private func isEditedBack(_ item: CalendarItem, _ entry: LedgerEntry?) -> Bool {
    let known = entry.flatMap { AgreedBase($0, merge.normalForm).remoteItem }
    return known.map(item.isModified) ?? false
  }

  /// The states of some items on the remote.
  private func held(_ uids: Set<UID>) async throws -> [UID: RollbackSearch.Held] {
    var found: [UID: CalendarItem] = [:]
    var unclear: Set<Href> = []
    for result in known.prefetched.values {
      if case .item(_, _, let item) = result {
        found[item.uid] = item
      } else {
        unclear.insert(result.href)
      }
    }
    let entries = Dictionary(
      try await ledger.entries(of: binding, for: uids.inOrder()).map { ($0.uid, $0) }
    ) { first, _ in first }
    let local = survey.local.records(of: uids).map { ($0.uid, $0.fingerprint) }
    let records = Dictionary(local) { first, _ in first }
    let waiting = Set(work.items.fetches.map(\.href)).subtracting(known.prefetched.keys)
    var held: [UID: RollbackSearch.Held] = [:]
    // A write of this sync without an outcome, or without a tag and a read-back, proves nothing.
    let open = Set(survey.intents.map(\.uid))
    for uid in uids {
      let entry = entries[uid]
      let isUnread = entry?.isUnseen == true && entry?.etag == nil
      let isOpen = open.contains(uid) || isUnread
      if let item = found[uid], entry?.remoteBase == item.fingerprint {
        held[uid] = .agreed
      } else if let item = found[uid] {
        // Nothing is lost if both sides hold the same, and a later version was edited back.
        let isUnclear =
          isOpen || records[uid] == item.fingerprint || isEditedBack(item, entry)
        held[uid] = isUnclear ? .unclear : .version(item.fingerprint, isKnown: entry != nil)
      } else if let entry {
        let place = work.items.entry(of: uid)?.href ?? entry.href
        let isUnclear = isOpen || unclear.contains(place) || waiting.contains(place)
        held[uid] =
          isUnclear
          ? .unclear
          : !work.items.gone.contains(uid) ? .agreed : records[uid] == nil ? .unclear : .absent
      } else {
        held[uid] = waiting.isEmpty ? .agreedAbsence : .unclear
      }
    }
    return held
  }
}

extension RemoteFetch {
  /// The fingerprint of the item; nil if none was read.
  fileprivate var fingerprint: Fingerprint? {
    if case .item(_, _, let item) = self { item.fingerprint } else { nil }
  }

  /// The requested place.
  var href: Href {
    switch self {
    case .item(let href, _, _), .unreadable(let href, _), .missing(let href): href
    }
  }
}
