// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// A ledger in memory that keeps the promises of `Ledger` and `GrantStore`.
public actor MemoryLedger: Ledger, GrantStore, RunHistory, AccountLedger {
  /// A pending intent and the run that wrote it down.
  private struct Pending {
    let run: RunID
    let intent: Intent
  }

  /// What belongs to one sync.
  private struct SyncState {
    let binding: SyncBinding
    var entries: [UID: LedgerEntry] = [:]
    var intents: [Pending] = []
    var conflicts: [UID: StoredConflict] = [:]
    var checkpoint = SyncCheckpoint()
    var quarantine: [QuarantinedItem] = []
    var agreement: CollectionAgreement?
    var outside: [OutsideItem] = []
  }

  private let faults: FaultPlan
  private var syncs: [String: SyncState] = [:]
  private var accounts: [String: (binding: AccountBinding, known: [KnownCollection])] = [:]
  private var runs: [RunID: String] = [:]
  private var added: [RemoteIdentity: [UID: AppendRecord]] = [:]
  private var answers: [RemoteIdentity: AccessGrant] = [:]
  private var journal: [(run: RunID, sync: String, line: JournalLine)] = []
  private var properties: [(run: RunID, sync: String, line: PropertyLine)] = []
  private var past: [PastRun] = []
  private var tries: [String: SyncAttempt] = [:]
  /// How many runs were started.
  public private(set) var runCount = 0
  /// What was settled, in order.
  public private(set) var settled: [Settlement] = []
  /// The runs that were ended, with what they did.
  public private(set) var summaries: [RunSummary] = []

  /// Creates an empty ledger.
  public init(faults: FaultPlan = FaultPlan()) {
    self.faults = faults
  }

  // MARK: Reading

  /// The entries of a sync.
  public func entries(of binding: SyncBinding) throws -> [LedgerEntry] {
    try faults.perform("entries") {
      state(of: binding)?.entries.values.sorted { $0.uid < $1.uid } ?? []
    }
  }

  /// Some of the entries of a sync.
  public func entries(of binding: SyncBinding, for uids: [UID]) throws -> [LedgerEntry] {
    try faults.perform("entries of some") {
      uids.sorted().compactMap { state(of: binding)?.entries[$0] }
    }
  }

  /// The entries of a sync without their contents.
  public func places(of binding: SyncBinding) throws -> [LedgerSummary] {
    try faults.perform("places") {
      state(of: binding)?.entries.values.map(LedgerSummary.init) ?? []
    }
  }

  /// Some of the entries without their contents, and the number of all.
  public func places(
    of binding: SyncBinding, for uids: Set<UID>, at hrefs: [Href]
  ) throws -> (places: [LedgerSummary], count: Int) {
    try faults.perform("places of some") {
      let entries = state(of: binding)?.entries ?? [:]
      let keys = Set(hrefs.map(\.comparisonKey))
      let places = entries.values.filter {
        uids.contains($0.uid) || keys.contains($0.href.comparisonKey)
      }
      return (places.map(LedgerSummary.init), entries.count)
    }
  }

  /// From where the next run goes on.
  public func checkpoint(of binding: SyncBinding) throws -> SyncCheckpoint {
    try faults.perform("checkpoint") { state(of: binding)?.checkpoint ?? SyncCheckpoint() }
  }

  /// The pending intents of a sync, in the order in which they were written down.
  public func pendingIntents(of binding: SyncBinding) throws -> [Intent] {
    try faults.perform("pendingIntents") { state(of: binding)?.intents.map(\.intent) ?? [] }
  }

  /// The items whose last change in a local calendar is a deletion by an edit or an import.
  public func deliberateDeletions(among uids: Set<UID>, in location: String) throws -> Set<UID> {
    try faults.perform("deliberateDeletions") {
      var deleted: Set<UID> = []
      var origins: [UID: RunID] = [:]
      for entry in journal where entry.line.state == .done && entry.line.action != .deleteRemote {
        guard uids.contains(entry.line.uid), let binding = syncs[entry.sync]?.binding else {
          continue
        }
        let place = binding.isEdit ? entry.line.href?.rawValue : binding.local
        guard place == location else { continue }
        let origin = origins[entry.line.uid] ?? entry.run
        origins[entry.line.uid] = origin
        let undone = past.first { $0.id == entry.run }?.undoes
        let isMeant = undone == nil || binding.isEdit && undone == origin
        if binding.isEdit || binding.isImport, isMeant, entry.line.action == .deleteLocal {
          deleted.insert(entry.line.uid)
        } else {
          deleted.remove(entry.line.uid)
        }
      }
      return deleted
    }
  }

  /// The last recorded changes of items in a local calendar.
  public func lastEdits(among uids: Set<UID>, in location: String) throws -> [UID: LocalEdit] {
    try faults.perform("lastEdits") {
      var found: [UID: LocalEdit] = [:]
      for entry in journal where entry.line.state == .done && uids.contains(entry.line.uid) {
        guard [.createLocal, .updateLocal, .deleteLocal].contains(entry.line.action),
          let binding = syncs[entry.sync]?.binding
        else { continue }
        let place = binding.isEdit ? entry.line.href?.rawValue : binding.local
        if place == location {
          found[entry.line.uid] = LocalEdit(run: entry.run, content: entry.line.after)
        }
      }
      return found
    }
  }

  /// The names under which syncs know items in a calendar.
  public func names(of uids: Set<UID>, in location: String) -> [UID: Set<String>] {
    var names: [UID: Set<String>] = [:]
    for sync in syncs.values where sync.binding.local == location {
      for uid in uids {
        if let entry = sync.entries[uid] { names[uid, default: []].insert(entry.localName) }
      }
    }
    return names
  }

  /// The conflicts of a sync.
  public func conflicts(of binding: SyncBinding) throws -> [StoredConflict] {
    try faults.perform("conflicts") {
      state(of: binding)?.conflicts.values.sorted { $0.uid < $1.uid } ?? []
    }
  }

  /// What the last runs did, the newest first.
  public func recentChanges(of binding: SyncBinding, limit: Int) throws -> [PastChange] {
    guard state(of: binding) != nil else { return [] }
    let runs = Dictionary(
      uniqueKeysWithValues: past.filter { $0.binding == binding }.map { ($0.id, $0.startedAt) })
    return journal.reversed().lazy.filter { $0.line.state == .done }.compactMap { entry in
      runs[entry.run].map { PastChange(run: entry.run, startedAt: $0, line: entry.line) }
    }.prefix(limit).map { $0 }
  }

  /// What was ever added to a remote under write-only access.
  public func appended(to remote: RemoteIdentity) throws -> [AppendRecord] {
    try faults.perform("appended") { added[remote]?.values.sorted { $0.uid < $1.uid } ?? [] }
  }

  // MARK: Writing

  /// Starts a run.
  public func beginRun(of binding: SyncBinding, at now: Instant) throws -> RunID {
    try faults.perform("beginRun") {
      if state(of: binding) == nil {
        syncs[binding.name] = SyncState(binding: binding)
        for index in properties.indices
        where properties[index].sync == binding.name && properties[index].line.state == .pending {
          properties[index].line.state = .givenUp
        }
      }
      runCount += 1
      let run = RunID(Int64(runCount))
      runs[run] = binding.name
      past.append(
        PastRun(
          id: run, sync: binding.name, binding: binding, startedAt: now, endedAt: nil,
          summary: RunSummary()))
      return run
    }
  }

  /// Stores from where the next run goes on.
  public func store(_ checkpoint: SyncCheckpoint, in run: RunID) throws {
    try faults.perform("store checkpoint") { try change(run) { $0.checkpoint = checkpoint } }
  }

  /// Writes intents down.
  public func record(_ intents: [Intent], in run: RunID) throws {
    try faults.perform("record \(Self.list(intents.map(\.uid)))") {
      try change(run) { sync in
        sync.checkpoint.isAtRest = false
        sync.intents.removeAll { intents.contains($0.intent) }
        sync.intents += intents.map { Pending(run: run, intent: $0) }
        for intent in intents {
          let line = JournalLine(
            uid: intent.uid, action: intent.action, before: intent.before, after: intent.content,
            agreed: sync.entries[intent.uid]?.base,
            agreedRemotely: sync.entries[intent.uid]?.remoteContent, other: intent.other,
            href: intent.href, state: .pending)
          journal.append((run, sync.binding.name, line))
        }
      }
    }
  }

  /// Writes outcomes down.
  public func settle(_ outcomes: [RunID: [Settlement]]) throws {
    let outcomes = outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
      .flatMap { run, settlements in settlements.map { (run, $0) } }
    try faults.perform("settle \(Self.list(outcomes.map(\.1.uid)))") {
      // All or none: nothing is written if one of the runs is not known.
      for (run, _) in outcomes { try change(run) { _ in } }
      settled += outcomes.map(\.1)
      for (run, settlement) in outcomes {
        try change(run) { sync in
          sync.checkpoint.isAtRest = false
          if settlement.isAgreement { sync.checkpoint.cursor = nil }
          let isWithdrawal = settlement.change == .withdraw
          let isAddition = sync.intents.contains {
            $0.intent.uid == settlement.uid
              && [.createRemote, .moveRemote].contains($0.intent.action)
          }
          if case .record(let entry) = settlement.change, isAddition {
            sync.checkpoint.unlisted.append(entry.href)
          }
          sync.intents.removeAll {
            $0.intent.uid == settlement.uid && (!isWithdrawal || $0.run == run)
          }
          close(settlement, sync, of: isWithdrawal ? run : nil)
          sync.conflicts[settlement.uid] = settlement.conflict
          switch settlement.change {
          case .record(var entry):
            entry.isOwn = entry.isOwn || sync.entries[entry.uid]?.isOwn == true
            sync.entries[entry.uid] = entry
          case .forget: sync.entries[settlement.uid] = nil
          case .appended(let record): added[sync.binding.remote, default: [:]][record.uid] = record
          case .keep, .withdraw: break
          }
        }
      }
    }
  }

  /// Ends a run.
  public func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) throws {
    try faults.perform("endRun") {
      summaries.append(summary)
      guard let index = past.firstIndex(where: { $0.id == run }) else { return }
      let isChoice = past[index].isChoice
      past[index] = PastRun(
        id: run, sync: past[index].sync, binding: past[index].binding,
        startedAt: past[index].startedAt, endedAt: now,
        summary: summary, undoes: past[index].undoes)
      past[index].isChoice = isChoice
    }
  }

  /// Stores the items that could not be dealt with.
  public func store(_ items: [QuarantinedItem], in run: RunID) throws {
    try faults.perform("store quarantine") { try change(run) { $0.quarantine = items } }
  }

  /// What the filter leaves where it is.
  public func outside(of binding: SyncBinding) throws -> [OutsideItem] {
    try faults.perform("outside") { state(of: binding)?.outside ?? [] }
  }

  /// Stores what the filter leaves where it is.
  public func store(outside items: [OutsideItem], in run: RunID) throws {
    try faults.perform("store outside") { try change(run) { $0.outside = items } }
  }

  /// What both sides say of the calendar as a whole.
  public func agreement(of binding: SyncBinding) throws -> CollectionAgreement? {
    try faults.perform("agreement") { state(of: binding)?.agreement }
  }

  /// Stores what both sides say of the calendar as a whole.
  public func store(_ agreement: CollectionAgreement, of binding: SyncBinding) throws {
    try faults.perform("store agreement") {
      if state(of: binding) != nil { syncs[binding.name]?.agreement = agreement }
    }
  }

  /// The changes of properties that a run left behind.
  public func pendingProperties(of binding: SyncBinding) throws -> [PropertyLine] {
    try faults.perform("pendingProperties") {
      guard state(of: binding) != nil else { return [] }
      return properties.filter { $0.sync == binding.name && $0.line.state == .pending }.map(\.line)
    }
  }

  /// Writes down that a property is about to be changed.
  public func record(_ line: PropertyLine, in run: RunID) throws {
    try faults.perform("record \(line.property.rawValue) \(line.side.rawValue)") {
      try change(run) { sync in
        var line = line
        line.state = .pending
        properties.append((run, sync.binding.name, line))
      }
    }
  }

  /// Writes down what became of a change of a property.
  public func settle(_ line: PropertyLine, in run: RunID) throws {
    try faults.perform("settle \(line.property.rawValue) \(line.side.rawValue)") {
      try change(run) { sync in
        var pending = line
        pending.state = .pending
        for index in properties.indices
        where properties[index].sync == sync.binding.name && properties[index].line == pending {
          properties[index].line = line
        }
      }
    }
  }

  // MARK: History

  /// What a run did to the properties of the calendar as a whole.
  public func propertyJournal(of run: RunID) throws -> [PropertyLine] {
    try faults.perform("propertyJournal") { properties.filter { $0.run == run }.map(\.line) }
  }

  /// The items that could not be dealt with.
  public func quarantine(of binding: SyncBinding) throws -> [QuarantinedItem] {
    try faults.perform("quarantine") { state(of: binding)?.quarantine ?? [] }
  }

  /// The runs, the newest first.
  public func runs(of sync: String?) -> [PastRun] {
    past.filter { sync == nil || $0.sync == sync }.reversed()
  }

  /// What a run did.
  public func journal(of run: RunID) -> [JournalLine] {
    journal.filter { $0.run == run }.map(\.line)
  }

  /// Writes down that a run takes an earlier one back.
  public func note(_ run: RunID, undoes earlier: RunID) throws {
    try faults.perform("note") {
      guard let index = past.firstIndex(where: { $0.id == run }) else { return }
      past[index] = PastRun(
        id: run, sync: past[index].sync, binding: past[index].binding,
        startedAt: past[index].startedAt, endedAt: nil,
        summary: past[index].summary, undoes: earlier)
    }
  }

  /// Writes down that a run is a choice of the user's.
  public func noteChoice(_ run: RunID) throws {
    try faults.perform("note") {
      guard let index = past.firstIndex(where: { $0.id == run }) else { return }
      past[index].isChoice = true
    }
  }

  /// Writes nothing down: no test of the engine moves items between calendars.
  public func note(_ uid: UID, movedFrom departure: String, to arrival: String) {}

  /// How the last tries ended.
  public func attempts() -> [SyncAttempt] { tries.values.sorted { $0.sync < $1.sync } }

  /// Writes down how a try ended.
  public func note(_ attempt: SyncAttempt) { tries[attempt.sync] = attempt }

  // MARK: Grants

  /// The grant for a remote.
  public func grant(for remote: RemoteIdentity) throws -> AccessGrant? {
    try faults.perform("grant") { answers[remote] }
  }

  /// All grants.
  public func grants() throws -> [AccessGrant] {
    try faults.perform("grants") {
      answers.values.sorted { $0.remote.description < $1.remote.description }
    }
  }

  /// Stores a grant.
  public func store(_ grant: AccessGrant) throws {
    try faults.perform("store") {
      if grant.tier == .full, answers[grant.remote]?.tier != .full {
        forgetVersions(of: grant.remote)
      }
      answers[grant.remote] = grant
    }
  }

  /// Takes a grant back.
  public func revoke(_ remote: RemoteIdentity, at time: Instant, by user: String) throws {
    try faults.perform("revoke") { answers[remote] = nil }
  }

  // MARK: Accounts

  /// The calendars that were on both sides of an account.
  package func collections(of account: AccountBinding) throws -> [KnownCollection] {
    try faults.perform("known calendars") { known(of: account) }
  }

  /// Stores a calendar of an account.
  package func store(
    _ collection: KnownCollection, of account: AccountBinding, startingOver isNew: Bool
  ) throws {
    try faults.perform("store calendar \(collection.id)") {
      let others = known(of: account).filter { $0.id != collection.id }
      accounts[account.name] = (account, others + [collection])
      if isNew { syncs[account.sync(of: collection.folder)] = nil }
    }
  }

  /// Drops a calendar of an account.
  package func forget(_ id: CollectionID, of account: AccountBinding) throws {
    try faults.perform("forget calendar \(id)") {
      accounts[account.name] = (account, known(of: account).filter { $0.id != id })
    }
  }

  private func known(of account: AccountBinding) -> [KnownCollection] {
    accounts[account.name].map { $0.binding == account ? $0.known : [] } ?? []
  }

  // MARK: Helpers

  private func forgetVersions(of remote: RemoteIdentity) {
    for (name, sync) in syncs where sync.binding.remote == remote {
      syncs[name]?.entries = sync.entries.mapValues { $0.withoutTag }
      syncs[name]?.checkpoint = SyncCheckpoint()
    }
    added[remote] = added[remote]?.mapValues {
      AppendRecord(uid: $0.uid, href: $0.href, etag: nil, fingerprint: $0.fingerprint)
    }
  }

  /// The state of a sync, unless it is bound otherwise.
  private func state(of binding: SyncBinding) -> SyncState? {
    syncs[binding.name].flatMap { $0.binding == binding ? $0 : nil }
  }

  private func change(_ run: RunID, _ body: (inout SyncState) -> Void) throws {
    guard let name = runs[run], var sync = syncs[name] else {
      throw FaultPlan.Failure(call: "a run that was never started")
    }
    body(&sync)
    syncs[name] = sync
  }

  /// Moves the lines of an item from what is pending to the history.
  private func close(_ settlement: Settlement, _ sync: SyncState, of run: RunID?) {
    for index in journal.indices
    where journal[index].sync == sync.binding.name && journal[index].line.uid == settlement.uid
      && journal[index].line.state == .pending && run.map({ $0 == journal[index].run }) ?? true
    {
      let line = journal[index].line
      journal[index].line = JournalLine(
        uid: line.uid, action: line.action,
        before: line.before ?? Self.replaced(by: line.action, sync.entries[line.uid]),
        after: line.after, agreed: line.agreed, agreedRemotely: line.agreedRemotely,
        other: line.other, href: line.href,
        state: settlement.isGivenUp ? .givenUp : .done)
    }
  }

  /// What a change replaced that did not say it: what both sides had agreed on, as that side held it.
  private static func replaced(by action: Intent.Action, _ entry: LedgerEntry?) -> [UInt8]? {
    switch action {
    case .updateRemote, .deleteRemote: entry?.remoteContent ?? entry?.base
    case .updateLocal, .deleteLocal: entry?.base
    case .createRemote, .createLocal, .moveRemote, .append: nil
    }
  }

  private static func list(_ uids: [UID]) -> String {
    uids.map(\.rawValue).joined(separator: ",")
  }
}

extension LedgerEntry {
  fileprivate var withoutTag: LedgerEntry {
    LedgerEntry(
      uid: uid, localName: localName, localBase: localBase, href: href, etag: nil,
      remoteBase: remoteBase, base: base, remoteContent: remoteContent, isUnseen: isUnseen,
      wasSent: wasSent, isOwn: isOwn)
  }
}
