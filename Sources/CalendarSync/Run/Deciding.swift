// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The third stage of a run: one planned operation for each item of a part.
extension SyncRun {
  /// Reads the contents of a part, decides about its items, and applies the rules to the plan.
  ///
  /// - Parameter part: The items, with the results of their fetches.
  /// - Returns: The plan.
  /// - Throws: An error of the ledger or of the local calendar.
  mutating func decide(_ part: Part) async throws -> SyncPlan {
    var part = part
    if part.fetches.isEmpty { part.fetched += known.kept(part.uids) + rolledBack(part.uids) }
    try await classifyFetched(of: part)
    let contents = try await read(part)
    work.note(part)
    let planner = Planner(contents, in: scope, merge)
    let (plan, losses) = planner.plan()
    report(losses)
    let explained = try await explainingReturns(plan, contents.entries)
    return apply(PlanRule.allCases, to: explained, of: contents)
  }

  /// The facts that the plan depends on apart from the contents of a part.
  private var scope: PlanScope {
    PlanScope(
      intents: survey.intents, conflicts: survey.conflicts, appended: survey.appended,
      held: survey.remote.held, rolledBack: survey.rolledBack,
      isRemoteFolder: survey.isRemoteFolder, isWrittenInParts: survey.isWrittenInParts,
      isVerifying: survey.isVerifying, oneWay: options.oneWay,
      strays: work.items.strays, isFirst: work.isFirst, decided: work.decided,
      elsewhere: options.moves.elsewhere)
  }

  /// The items of a part that the remote was rolled back to, and that are decided about without a
  /// fetch of their own: the ledger does not know those that reappeared.
  private func rolledBack(_ uids: [UID]) -> [RemoteFetch] {
    let wanted = survey.rolledBack.intersection(uids)
    guard !wanted.isEmpty else { return [] }
    return known.prefetched.values.filter { result in
      if case .item(_, _, let item) = result { wanted.contains(item.uid) } else { false }
    }
  }

  /// Fetches items and converts them to normal form.
  mutating func fetch(
    _ entries: [RemoteEntry], from calendar: any RemoteCalendar
  ) async throws -> [RemoteFetch] {
    guard !entries.isEmpty else { return [] }
    let source = FetchSource(calendar, self)
    report(.progress(SyncProgress(.fetching, done: 0, total: entries.count)))
    let fetched = try await source.fetch(entries) { done in
      report(.progress(SyncProgress(.fetching, done: done, total: entries.count)))
    }
    return fetched
  }

  /// Reads the local files and the ledger entries of a part.
  private func read(_ part: Part) async throws -> PartContents {
    var involved = Set(part.uids)
    for entry in part.fetches { involved.formUnion(work.items.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in part.fetched { involved.insert(item.uid) }
    // An item that was unknown at the start of the run has an entry only if this run settled it.
    let recorded = involved.filter {
      work.items.places[$0] != nil || results.settled.contains($0)
    }
    let entries = try await ledger.entries(of: binding, for: recorded.inOrder())
      .map(work.items.relocated)
    let open = involved.filter { !work.decided.contains($0) }
    let records = open.compactMap { work.items.records[$0] }.sorted(byBytesOf: \.name)
    // The fingerprint in a record of an earlier run may be based on older time zone rules.
    var listing =
      survey.hasReadAll
      ? try await local.read(records, in: merge.normalForm)
      : try await local.read(records.map(\.name), in: merge.normalForm)
    let read = Set(listing.entries.map(\.item.uid))
    listing.entries.removeAll { !open.contains($0.item.uid) }
    listing.unreadable = survey.local.unreadable
    return PartContents(
      part: part, open: open, local: listing, listing: work.listing(part, involved),
      entries: entries, unknown: Set(records.map(\.uid)).subtracting(read))
  }
}

/// The versions that a run has read of the remote before the plan, and need not fetch again.
struct KnownContents: Sendable {
  /// The remote versions of unresolved conflicts.
  private(set) var versions: [RemoteEntry: CalendarItem] = [:]
  /// The results of fetches, by place.
  private(set) var prefetched: [Href: RemoteFetch] = [:]
  /// The edited versions whose deletion waits for other parts.
  private var postponed: [UID: RemoteFetch] = [:]

  /// Adds the remote version of an unresolved conflict.
  mutating func add(_ item: CalendarItem, of entry: RemoteEntry) { versions[entry] = item }

  /// Adds the result of a fetch.
  mutating func add(_ result: RemoteFetch) { prefetched[result.href] = result }

  /// Keeps an edited version whose deletion waits for other parts.
  mutating func keep(_ result: RemoteFetch, of uid: UID) { postponed[uid] = result }

  /// The kept versions of some items.
  func kept(_ uids: [UID]) -> [RemoteFetch] {
    postponed.isEmpty ? [] : uids.compactMap { postponed[$0] }
  }
}

/// The source of the contents of a remote's items.
struct FetchSource: Sendable {
  private let calendar: any RemoteCalendar
  private let known: KnownContents
  private let form: NormalForm

  /// Creates the source of the contents for a run.
  init(_ calendar: any RemoteCalendar, _ run: SyncRun) {
    self.calendar = calendar
    known = run.known
    form = run.merge.normalForm
  }

  /// Fetches items and converts them to normal form.
  ///
  /// - Parameters:
  ///   - entries: The items.
  ///   - note: Called after each batch with the number of fetched items.
  /// - Returns: One result for each item.
  /// - Throws: An error of the remote as a whole.
  func fetch(
    _ entries: [RemoteEntry], _ note: (Int) -> Void = { _ in }
  ) async throws -> [RemoteFetch] {
    // The versions of unresolved conflicts are known.
    var fetched: [RemoteFetch] = []
    var hrefs: [Href] = []
    for entry in entries {
      if let result = known.prefetched[entry.href] {
        fetched.append(result)
      } else if let item = known.versions[entry] {
        fetched.append(.item(href: entry.href, etag: entry.etag, item: item))
      } else {
        hrefs.append(entry.href)
      }
    }
    guard !hrefs.isEmpty else {
      note(fetched.count)
      return fetched
    }
    try await calendar.fetch(hrefs) { batch in
      fetched += batch.map { $0.normalized(by: form) }
      note(min(fetched.count, entries.count))
    }
    return fetched
  }
}
