// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A run with write-only access.
extension SyncRun {
  /// Adds new events to a remote without read access.
  mutating func append(to appender: any RemoteAppender) async throws {
    holding = appender.holding
    try await openIntents()
    let records = try await ledger.appended(to: binding.remote)
    let entries = try await ledger.entries(of: binding)
    try await openQuarantine()
    let intents = try await withoutTakenPlaces(survey.intents)
    let known = Set(records.map(\.uid) + entries.map(\.uid) + intents.map(\.uid))
    let planner = AppendPlanner(
      local: filtering(try await local.scan(), known: known), records: records, entries: entries,
      intents: intents, normalForm: merge.normalForm)
    let plan = apply([.holding, .quarantine], to: planner.plan, of: PartContents())
    announce(plan)
    guard !options.isDryRun else { return }
    try await settleWhatIsKnown(plan)
    let earlier = Dictionary(grouping: intents.filter { $0.action == .append }, by: \.uid)
    let additions = plan.operations.compactMap { Addition($0, after: earlier[$0.uid] ?? []) }
    for start in stride(from: 0, to: additions.count, by: options.requestBatchSize) {
      try Task.checkCancellation()
      let end = min(start + options.requestBatchSize, additions.count)
      try await send(additions[start..<end], to: appender)
    }
    try await storeQuarantine(isCutShort: false)
  }

  /// The intents without those of additions to places that an earlier run had found taken.
  ///
  /// If such an addition is interrupted, the taken place does not show that it succeeded.
  private mutating func withoutTakenPlaces(_ intents: [Intent]) async throws -> [Intent] {
    let taken = Set(
      intents.filter { intent in
        intent.action == .append && quarantine.obstacle(of: intent.uid) == .placeTaken
      }.map(\.uid))
    guard !taken.isEmpty else { return intents }
    if !options.isDryRun {
      _ = try await begin()
      try await settle(taken.inOrder().map { Settlement(uid: $0, change: .keep) })
    }
    return intents.filter { !taken.contains($0.uid) }
  }

  /// Adds events, several at once: stores all intents first, and all outcomes afterwards.
  private mutating func send(
    _ additions: ArraySlice<Addition>, to appender: any RemoteAppender
  ) async throws {
    try await ledger.record(additions.map(\.intent), in: begin())
    var (rest, settlements) = (additions, [Settlement]())
    let requests = OrderedTasks<Addition, Result<AppendOutcome, any Error>>(
      limit: appender.requestsAtOnce, ending: .complete
    ) { addition in
      do {
        return .success(try await appender.append(addition.item))
      } catch {
        return .failure(error)
      }
    }
    do {
      try await requests.run({ rest.popFirst() }) { addition, result in
        let outcome = try await request(addition.operation) { try result.get() }
        if let settlement = conclude(addition, outcome) { settlements.append(settlement) }
      }
    } catch {
      // Rethrow the original error.
      if !settlements.isEmpty { try? await settle(settlements) }
      throw error
    }
    if !settlements.isEmpty { try await settle(settlements) }
  }

  /// Counts and reports the outcome of an addition; returns nil if it is unknown.
  ///
  /// A taken place holds the event only if an earlier addition was interrupted. It then holds the
  /// content of that addition, and the event may have changed since. Otherwise the place may hold
  /// the event of another program, which cannot be compared without read access.
  private mutating func conclude(_ addition: Addition, _ outcome: AppendOutcome?) -> Settlement? {
    let item = addition.item
    let record: AppendRecord
    switch outcome {
    case nil: return nil
    case .added(let href, let etag)?:
      record = AppendRecord(uid: item.uid, href: href, etag: etag, fingerprint: item.fingerprint)
    case .alreadyPresent(let href)?:
      guard let sent = addition.earlier.compactMap(\.fingerprint).first else {
        refuse(addition.operation, .placeTaken)
        return Settlement(uid: item.uid, change: .keep)
      }
      record = AppendRecord(uid: item.uid, href: href, etag: nil, fingerprint: sent)
    case .refused(let reason)?:
      refuse(addition.operation, .reported(reason))
      return Settlement(uid: item.uid, change: .keep)
    }
    report(.done(addition.operation))
    results.countAddition()
    return Settlement(uid: item.uid, change: .appended(record))
  }
}

/// The addition of an event to a remote without read access.
private struct Addition: Sendable {
  let operation: PlannedOperation
  let item: CalendarItem
  /// The intents of interrupted additions of the event.
  let earlier: [Intent]

  /// Creates the addition of an operation; nil if the operation is another one.
  init?(_ operation: PlannedOperation, after earlier: [Intent]) {
    guard case .append(let item) = operation.action else { return nil }
    self.operation = operation
    self.item = item
    self.earlier = earlier
  }

  var intent: Intent {
    Intent(
      uid: item.uid, action: .append, content: item.serialized(), fingerprint: item.fingerprint,
      before: nil, href: nil, etag: nil)
  }
}

/// Creates the plan of a write-only sync, which can only add events.
///
/// The planner cannot read the remote. It uses the records of earlier additions, and the ledger
/// entries from a time when the sync had full access.
struct AppendPlanner: Sendable {
  private let local: LocalListing
  private let records: [UID: AppendRecord]
  private let entries: [UID: LedgerEntry]
  private let intents: Set<UID>

  /// Creates a planner.
  init(
    local: LocalListing, records: [AppendRecord], entries: [LedgerEntry] = [], intents: [Intent],
    normalForm: NormalForm = NormalForm()
  ) {
    self.local = local.normalized(by: normalForm)
    self.entries = Dictionary(entries.map { ($0.uid, $0) }) { first, _ in first }
    self.records = Dictionary(records.map { ($0.uid, $0) }) { first, _ in first }
    self.intents = Set(intents.filter { $0.action == .append }.map(\.uid))
  }

  /// The plan, which contains only appends and reports.
  var plan: SyncPlan {
    var operations = local.entries.compactMap { operation(for: $0.item) }
    operations += local.unreadable.map { PlannedOperation(unreadable: $0) }
    let present = Set(local.entries.map(\.item.uid))
    operations += records.values.filter { !present.contains($0.uid) }.map {
      PlannedOperation(
        skipping: $0.uid, title: $0.uid.rawValue, because: .deletedAfterAddition)
    }
    operations += intents.subtracting(present).subtracting(records.keys).map {
      PlannedOperation(
        skipping: $0, title: $0.rawValue, because: .deletedAfterInterruption)
    }
    return SyncPlan(operations: operations.sorted { ($0.uid, $0.verb) < ($1.uid, $1.verb) })
  }

  private func operation(for item: CalendarItem) -> PlannedOperation? {
    func skip(because obstacle: ItemObstacle) -> PlannedOperation {
      PlannedOperation(skipping: item.uid, title: item.title, because: obstacle)
    }
    guard item.kind == .event else {
      return skip(because: .notAnEvent(isReminder: item.kind == .reminder))
    }
    guard let known = records[item.uid]?.fingerprint ?? entries[item.uid]?.localBase else {
      return PlannedOperation(
        uid: item.uid, title: item.title, action: .append(item),
        reason: intents.contains(item.uid) ? .additionInterrupted : .added(.local))
    }
    // For additions of an older version only an outdated fingerprint is known, which is not
    // comparable.
    guard known.isCurrent, known != item.fingerprint else { return nil }
    return skip(because: .changedAfterAddition)
  }
}
