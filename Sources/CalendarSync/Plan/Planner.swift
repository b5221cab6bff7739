// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Decides about the items of a part, from the contents of both sides and the ledger.
///
/// It is a pure function: it neither sends nor writes anything. The rules of the run then decide
/// which operations are carried out.
struct Planner {
  private let contents: PartContents
  private let scope: PlanScope
  private let merge: ThreeWayMerge
  /// The local items.
  private let locals: [UID: LocalEntry]
  /// The ledger entries, in the spelling of the listing and the current normal form.
  private let entries: [UID: LedgerEntry]
  /// The items whose entries use an older normal form or older time zone rules.
  private let renewed: Set<UID>
  private let intents: [UID: [Intent]]
  private let conflicts: [UID: StoredConflict]
  /// The names of the local files that cannot be read.
  private let unreadableNames: Set<String>
  /// The names of the local files whose UID belongs to the item in another file.
  private let localDoubles: [UID: [String]]

  /// Creates a planner for a part; all contents are in normal form.
  init(_ contents: PartContents, in scope: PlanScope, _ merge: ThreeWayMerge) {
    self.contents = contents
    self.scope = scope
    self.merge = merge
    let local = contents.local
    locals = Dictionary(local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    unreadableNames = Set(local.unreadable.lazy.filter { $0.sharedUID == nil }.map(\.name))
    var doubles: [UID: [String]] = [:]
    for entry in local.unreadable {
      if let uid = entry.sharedUID { doubles[uid, default: []].append(entry.name) }
    }
    localDoubles = doubles
    let intents = scope.intents.filter { contents.open.contains($0.uid) }
    let known = contents.entries + Self.entries(for: scope.appended, in: contents)
    let places = RemotePlaces(
      contents.listing, known: known.map(\.href) + intents.compactMap(\.href))
    var respelled = Dictionary(known.map { ($0.uid, places.respelled($0)) }) { first, _ in first }
    renewed = Self.renew(&respelled, locals, merge.normalForm)
    entries = respelled
    self.intents = Dictionary(grouping: intents.map(places.respelled), by: \.uid)
    let conflicts = scope.conflicts.filter { contents.open.contains($0.uid) }
    self.conflicts = Dictionary(conflicts.map { ($0.uid, $0) }) { _, last in last }
  }

  /// Converts the entries of items that seem changed to the current form, and returns their UIDs.
  private static func renew(
    _ entries: inout [UID: LedgerEntry], _ locals: [UID: LocalEntry], _ form: NormalForm
  ) -> Set<UID> {
    var renewed: Set<UID> = []
    for (uid, entry) in entries {
      let fingerprint = locals[uid]?.item.fingerprint ?? entry.localBase
      guard
        !entry.localBase.isCurrent || !entry.remoteBase.isCurrent || fingerprint != entry.localBase,
        let newer = entry.renewed(by: form)
      else { continue }
      entries[uid] = newer
      renewed.insert(uid)
    }
    return renewed
  }

  /// The implied entries of items that were added under write-only access and still exist locally.
  ///
  /// As long as an item was not changed locally, it is also the content that was sent.
  private static func entries(
    for records: [AppendRecord], in contents: PartContents
  ) -> [LedgerEntry] {
    let records = records.filter { contents.open.contains($0.uid) }
    guard !records.isEmpty else { return [] }
    let here = Dictionary(contents.local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    return records.compactMap { record in
      here[record.uid].map { entry in
        let isSame = entry.item.fingerprint == record.fingerprint
        return LedgerEntry(
          uid: record.uid, localName: entry.name, localBase: record.fingerprint, href: record.href,
          etag: record.etag, remoteBase: record.fingerprint,
          base: isSame ? entry.item.serialized() : nil, isUnseen: true)
      }
    }
  }

  // MARK: The plan

  /// The plan, and the parts of the sent content that the remote was found to have lost.
  func plan() -> (plan: SyncPlan, losses: [RemoteLoss]) {
    let remote = remoteSide
    let uids = Set(entries.keys).union(intents.keys).union(locals.keys).union(remote.items.keys)
      .union(conflicts.keys).filter { !scope.decided.contains($0) }.inOrder()
    var operations = remote.reports + undeliveredReports(remote.undelivered)
    if scope.isFirst { operations += unreadableReports }
    let reports = operations.count
    var waiting = 0
    var losses: [RemoteLoss] = []
    for uid in uids {
      let decision = ItemDecision(facts(of: uid, remote), merge, scope.oneWay)
      losses += decision.losses(isVerifying: scope.isVerifying)
      guard let operation = decision.operation else { continue }
      operations.append(operation)
      if operation.action == .forget, let obstacle = operation.obstacle {
        operations.append(
          PlannedOperation(skipping: uid, title: operation.title, because: obstacle))
      }
      let isLeftWaiting = operation.action == .skip && conflicts[uid] != nil
      if operation.waiting != nil || isLeftWaiting { waiting += 1 }
    }
    let plan = SyncPlan(
      operations: Self.sorted(operations, after: reports), conflicts: waiting)
    return (plan, losses)
  }

  /// The contents of the remote by UID.
  private var remoteSide: RemoteSide {
    // Without local items no meaning can be shared.
    let fetched =
      locals.isEmpty
      ? contents.part.fetched : contents.part.fetched.map { $0.sharingMeaning(with: locals) }
    let asked = Set(contents.part.fetches.map(\.href))
    var remote = RemoteSide(
      listing: contents.listing, asked: asked, fetched: fetched, entries: entries,
      held: scope.held)
    remote.addUnchanged(hrefs: Set(contents.listing.map(\.href)).subtracting(asked))
    return remote
  }

  /// Everything that is known about an item.
  private func facts(of uid: UID, _ remote: RemoteSide) -> ItemFacts {
    let (entry, intents) = (entries[uid], intents[uid] ?? [])
    // Another file is not the item while the item's own file cannot be read.
    let isHidden = entry.map { unreadableNames.contains($0.localName) } ?? false
    let here = doubtfulFiles(uid)
    let there = ([entry?.href] + intents.map(\.href)).compactMap(\.self)
      .filter { remote.isUnknown($0) }
    return ItemFacts(
      uid: uid, local: isHidden ? nil : locals[uid],
      isLocalUnknown: !here.isEmpty || contents.unknown.contains(uid),
      unreadable: here
        + there.prefix(1).map {
          UnreadablePlace(side: .remote, name: $0.rawValue)
        },
      remote: remote.items[uid], isRemoteUnknown: !there.isEmpty, entry: entry,
      isRenewed: renewed.contains(uid), intents: intents, conflict: conflicts[uid],
      isElsewhere: entry == nil && scope.elsewhere.contains(uid),
      isRolledBack: scope.rolledBack.contains(uid), localDoubles: localDoubles[uid] ?? [],
      isRemoteFolder: scope.isRemoteFolder, isWrittenInParts: scope.isWrittenInParts,
      remoteDoubles: remote.doubles[uid] ?? [])
  }

  /// The unreadable local files that may be the item.
  ///
  /// Users rename files, and intents do not store names. An unreadable file with a name unknown to
  /// the ledger may therefore be any missing item. A download that was cut off is different: if its
  /// file exists, it still has the name that the download gave it, or else the item is downloaded
  /// again and nothing is lost.
  private func doubtfulFiles(_ uid: UID) -> [UnreadablePlace] {
    if let entry = entries[uid] {
      if unreadableNames.contains(entry.localName) {
        return [UnreadablePlace(side: .local, name: entry.localName)]
      }
      return scope.strays.first.map { [Self.doubt($0)] } ?? []
    }
    guard let intents = intents[uid] else { return [] }
    guard intents.allSatisfy({ $0.action == .createLocal }) else {
      return scope.strays.first.map { [Self.doubt($0)] } ?? []
    }
    let stem = ItemName(of: uid).rawValue.dropLast(".ics".count)
    return scope.strays.first { $0.hasPrefix(stem) }.map { [Self.doubt($0)] } ?? []
  }

  private static func doubt(_ name: String) -> UnreadablePlace {
    UnreadablePlace(side: .local, name: name, isGuess: true)
  }

  /// The operations in the order of the plan.
  ///
  /// Only reports are out of order, and most plans have none. Indices are sorted instead of
  /// operations, because moving an operation moves all its contents.
  private static func sorted(
    _ operations: [PlannedOperation], after reports: Int
  ) -> [PlannedOperation] {
    guard reports > 0 else { return operations }
    let keys = operations.enumerated().map { (uid: $1.uid, verb: $1.verb, place: $0) }
    return keys.sorted { left, right in
      guard left.uid == right.uid else { return left.uid < right.uid }
      return (left.verb, left.place) < (right.verb, right.place)
    }.map { operations[$0.place] }
  }

  // MARK: Reports

  /// Reports of resources that are listed but not returned; their local operations are deferred.
  private func undeliveredReports(_ places: [RemoteEntry]) -> [PlannedOperation] {
    guard !places.isEmpty else { return [] }
    var awaited = Set(intents.values.joined().compactMap(\.href))
    for entry in entries.values
    where locals[entry.uid]?.item.fingerprint != entry.localBase || intents[entry.uid] != nil {
      awaited.insert(entry.href)
    }
    return places.map {
      PlannedOperation(undelivered: $0, isAwaited: awaited.contains($0.href))
    }
  }

  private var unreadableReports: [PlannedOperation] {
    contents.local.unreadable.map { PlannedOperation(unreadable: $0) }
  }
}
