// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The first stage of a run: what both sides and the ledger report, before any item is read.
struct Survey {
  /// How much a run compares.
  enum Extent: Hashable {
    /// Nothing: neither side changed since a run that left no work.
    case nothing
    /// Only these local items, and what the remote reports; every other item is the agreed one.
    case changes(LocalChanges)
    /// The names, tags and fingerprints of all items.
    case everything
    /// The contents of all items, regardless of tags and timestamps.
    case contents
  }

  /// The resume state of the last run.
  fileprivate(set) var checkpoint = SyncCheckpoint()
  /// How much the run compares.
  fileprivate(set) var extent = Extent.everything
  /// The local items, without contents.
  fileprivate(set) var local = LocalSurvey { [] }
  /// Whether the remote is a folder.
  fileprivate(set) var isRemoteFolder = false
  /// Whether an interrupted write to the remote may have done a part of its work.
  fileprivate(set) var isWrittenInParts = false
  /// The response of the remote.
  fileprivate(set) var remote = RemoteAnswer(changes: .complete([], nil))
  /// The check of the cursor of a complete listing, while it is running.
  fileprivate var confirmation: Task<RemoteCursor?, Never>?
  /// Whether the listing contains all items; nil before the first addition.
  fileprivate var isListingWhole: Bool?
  /// The intents of interrupted runs.
  fileprivate(set) var intents: [Intent] = []
  /// The unresolved conflicts.
  fileprivate(set) var conflicts: [StoredConflict] = []
  /// The additions from a time without read access.
  fileprivate(set) var appended: [AppendRecord] = []
  /// The items that earlier runs found outside of the filter.
  fileprivate(set) var outside = OutsideView()
  /// The items whose local versions replace those that the restored remote went back to.
  private(set) var rolledBack: Set<UID> = []
  /// The items whose last change by this sync was their deletion on the remote; nil before they are
  /// needed.
  private var sentDeletions: Set<UID>?

  /// Whether the run compares contents.
  var isVerifying: Bool { extent == .contents }

  /// Whether the survey read all local items instead of reusing records of an earlier run.
  var hasReadAll: Bool { isVerifying || checkpoint.snapshot == nil }

  /// The items with intents or conflicts, and their known places on the remote.
  var pending: [UID: [Href]] {
    var pending: [UID: [Href]] = [:]
    for intent in intents { pending[intent.uid, default: []] += [intent.href].compactMap(\.self) }
    for conflict in conflicts {
      pending[conflict.uid, default: []] += [conflict.href].compactMap(\.self)
    }
    return pending
  }

  /// Records the items that a restored remote went back to.
  mutating func rollBack(_ items: Set<UID>) { rolledBack = items }

  /// Records whether the remote continued its history, if that was asked later.
  mutating func recognize(_ recognition: CursorRecognition) { remote.recognition = recognition }

  /// The items whose last completed change by a sync was their deletion on the remote.
  mutating func sentDeletions(
    of binding: SyncBinding, in ledger: any Ledger
  ) async throws -> Set<UID> {
    if let sentDeletions { return sentDeletions }
    let found = try await ledger.sentDeletions(of: binding)
    sentDeletions = found
    return found
  }

  /// Cancels the check of the cursor after an error, and waits for its end.
  mutating func abandonListing() async {
    confirmation?.cancel()
    await confirmListing()
  }

  /// Waits for the check of the cursor, before the first write and at the end.
  mutating func confirmListing() async {
    guard let confirmation, case .complete(let entries, _) = remote.changes else { return }
    remote.changes = .complete(entries, await confirmation.value)
    self.confirmation = nil
  }

  /// Waits until the listing is known to contain all items, before the first addition.
  ///
  /// Otherwise nothing is added, and the next run lists the remote.
  mutating func expectWholeListing(of calendar: any RemoteCalendar) async throws -> Bool {
    guard case .complete(let entries, _) = remote.changes else { return true }
    if let isListingWhole { return isListingWhole }
    let isWhole = try await calendar.isWhole(entries)
    isListingWhole = isWhole
    if !isWhole { remote.changes = .complete(entries, nil) }
    return isWhole
  }

  /// The smallest extent that misses no change.
  ///
  /// Items outside of a filter and unreadable files can only be distinguished by comparing
  /// everything. Without any of these, an item that neither side reports is the agreed one. Many
  /// items are compared faster together than looked up one by one.
  func smallestExtent(_ options: SyncOptions, at now: Instant) -> Extent {
    guard checkpoint.isAtRest, checkpoint.nextWake.map({ now < $0 }) ?? true,
      intents.isEmpty, conflicts.isEmpty
    else { return .everything }
    if local.isUnchanged, case .none = remote.changes { return .nothing }
    let here = local.isUnchanged ? LocalChanges(found: [], gone: [:]) : local.changes
    guard let here, let there = remote.reported, local.unreadable.isEmpty,
      checkpoint.unsettled.isEmpty, !options.leavesItemsOutside,
      here.count + there.count <= options.partSize
    else { return .everything }
    return .changes(here)
  }
}

extension SyncRun {
  /// Surveys both sides and the ledger.
  ///
  /// - Parameters:
  ///   - calendar: The remote.
  ///   - checkpoint: The resume state of the last run.
  ///   - probe: The versions that the sides agreed on last, if the remote may reach a cursor twice.
  /// - Throws: An error of one of the sides or of the ledger.
  mutating func survey(
    with calendar: any RemoteCalendar, since checkpoint: SyncCheckpoint, _ probe: CursorProbe?
  ) async throws {
    let isVerifying = options.isDueForVerification(checkpoint, now: now())
    survey.checkpoint = checkpoint
    survey.isRemoteFolder = binding.remote.kind == "folder"
    survey.isWrittenInParts = calendar.isWrittenInParts
    doubtDeletions(since: checkpoint, calendar)
    survey.local = try await local.survey(
      since: isVerifying ? nil : checkpoint.snapshot, in: merge.normalForm, at: now())
    survey.remote = try await RemoteAnswer.request(
      from: calendar, since: checkpoint, isWhole: isVerifying || options.rollback == .push,
      probe)
    await startConfirming(by: calendar)
    try await openIntents()
    survey.conflicts = try await ledger.conflicts(of: binding)
    survey.extent = isVerifying ? .contents : survey.smallestExtent(options, at: now())
    guard survey.extent != .nothing else { return }
    try await openQuarantine()
    if !isVerifying {
      try await keepVersions()
      if options.leavesItemsOutside {
        survey.outside = OutsideView(try await ledger.outside(of: binding), at: now())
      }
    }
    survey.appended = try await ledger.appended(to: binding.remote)
    if !survey.appended.isEmpty, !isVerifying { survey.extent = .everything }
  }

  /// Starts to check the cursor of a complete listing, which takes a request.
  private mutating func startConfirming(by calendar: any RemoteCalendar) async {
    guard case .complete(_, let cursor?) = survey.remote.changes else { return }
    survey.confirmation = Task { await calendar.confirm(cursor) }
    if calendar.requestsAtOnce == 1 { await survey.confirmListing() }
  }

  /// Forbids deletions on a side if the other side is on another file system than in the last run.
  mutating func doubtDeletions(
    since checkpoint: SyncCheckpoint, _ calendar: any RemoteCalendar
  ) {
    if let snapshot = checkpoint.snapshot, !local.isSamePlace(as: snapshot) {
      safeguards.doubt(.remote)
    }
    if let cursor = checkpoint.cursor, !calendar.isSamePlace(as: cursor) {
      safeguards.doubt(.local)
    }
  }

  /// Loads the intents of interrupted runs, whose outcomes are undecided from now on.
  mutating func openIntents() async throws {
    survey.intents = try await ledger.pendingIntents(of: binding)
    results.begin(with: survey.intents)
  }

  /// Loads the failures of earlier runs.
  mutating func openQuarantine() async throws {
    quarantine = Quarantine(try await ledger.quarantine(of: binding), at: now())
  }

  /// Keeps the stored versions of conflicts, which need not be fetched while their ETags match.
  ///
  /// Exceptions are items of an interrupted run, and content that was sent but not read back,
  /// because the server may have altered it.
  private mutating func keepVersions() async throws {
    guard !survey.conflicts.isEmpty else { return }
    let entries = try await ledger.entries(of: binding, for: survey.conflicts.map(\.uid))
    let unseen = Set(entries.filter(\.isUnseen).map(\.uid)).union(survey.intents.map(\.uid))
    for conflict in survey.conflicts where !unseen.contains(conflict.uid) {
      guard let href = conflict.href, let etag = conflict.etag, let bytes = conflict.remote,
        let item = try? CalendarItem(parsing: bytes, normalForm: merge.normalForm)
      else { continue }
      known.add(item, of: RemoteEntry(href: href, etag: etag))
    }
  }
}

/// The response of a remote at the start of a run, completed by unlisted resources.
struct RemoteAnswer {
  /// The changes, or the complete listing.
  fileprivate(set) var changes: RemoteChanges
  /// The resources that were added earlier and exist, but are not listed.
  fileprivate(set) var held: Set<Href> = []
  /// Whether the remote continued its history from the cursor.
  fileprivate(set) var recognition = CursorRecognition.unknown

  /// The places that the remote reports as changed or removed; nil if it returned a listing.
  var reported: [Href]? {
    guard held.isEmpty else { return nil }
    return switch changes {
    case .none: []
    case .some(let changed, let removed, _): changed.map(\.href) + removed
    case .complete: nil
    }
  }

  /// Requests the changes of the remote.
  ///
  /// An item that was added after a cursor and deleted before this request is in neither of the two
  /// states that the remote compares (RFC 6578 §3.5). Therefore everything is requested if the
  /// response does not mention an addition. A listing can also be delayed, or omit items that the
  /// server hides: an unlisted addition counts as removed only if it cannot be fetched, either.
  ///
  /// A cursor that the remote reached for the second time, after it was restored from a backup, is
  /// treated as refused. So is one after which the remote does not report each write of this side, or an
  /// addition that it holds.
  static func request(
    from calendar: any RemoteCalendar, since checkpoint: SyncCheckpoint, isWhole: Bool,
    _ probe: CursorProbe?
  ) async throws -> RemoteAnswer {
    var answer = RemoteAnswer(
      changes: isWhole
        ? try await calendar.everything(knowing: checkpoint.cursor)
        : try await calendar.changes(since: checkpoint.cursor))
    if checkpoint.cursor != nil, !isWhole { answer.recognition = calendar.cursorRecognition }
    if let probe, !answer.changes.isComplete {
      let differing = try await calendar.differing(from: probe)
      if !answer.changes.silent(about: differing).isEmpty {
        answer.changes = try await calendar.everything(knowing: checkpoint.cursor)
        answer.recognition = .refused
      }
    }
    if !answer.changes.isComplete,
      !answer.changes.silent(about: checkpoint.unreported).isEmpty
    {
      answer.changes = try await calendar.everything(knowing: checkpoint.cursor)
      answer.recognition = .refused
    }
    try await answer.lookUp(checkpoint.unlisted, since: checkpoint.cursor, from: calendar)
    return answer
  }

  /// Looks up additions that the response does not mention.
  private mutating func lookUp(
    _ unlisted: [Href], since cursor: RemoteCursor?, from calendar: any RemoteCalendar
  ) async throws {
    var unnamed = changes.silent(about: unlisted)
    guard !unnamed.isEmpty else { return }
    if !changes.isComplete {
      changes = try await calendar.everything(knowing: cursor)
      let absent = changes.silent(about: unnamed)
      // What was added since the cursor and is there would have been reported.
      if absent.count < unnamed.count { recognition = .refused }
      unnamed = absent
      guard !unnamed.isEmpty else { return }
    }
    try await calendar.fetch(unnamed) { batch in
      for result in batch {
        switch result {
        case .item(let href, _, _), .unreadable(let href, _): held.insert(href)
        case .missing: continue
        }
      }
    }
  }
}

extension RemoteChanges {
  /// The position after the changes; nil if the remote has no history.
  var cursor: RemoteCursor? {
    switch self {
    case .none(let cursor), .some(_, _, let cursor): cursor
    case .complete(_, let cursor): cursor
    }
  }

  /// Whether the response is a complete listing.
  fileprivate var isComplete: Bool {
    if case .complete = self { true } else { false }
  }

  /// The places that the response does not mention in any spelling.
  fileprivate func silent(about places: [Href]) -> [Href] {
    guard !places.isEmpty else { return [] }
    let named: [Href] =
      switch self {
      case .none: []
      case .some(let changed, let removed, _): changed.map(\.href) + removed
      case .complete(let listing, _): listing.map(\.href)
      }
    let exact = Set(named)
    let unmatched = places.filter { !exact.contains($0) }
    guard !unmatched.isEmpty else { return [] }
    let keys = Set(named.map(\.comparisonKey))
    return unmatched.filter { !keys.contains($0.comparisonKey) }
  }
}
