// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Decides the planned operation for one item from the state of both sides and the ledger.
struct ItemDecision {
  let facts: ItemFacts
  /// The last agreed versions; nil if the sides never agreed, or agreed on a deletion.
  let base: AgreedBase?
  /// Whether the base comes from a write of an interrupted run instead of the ledger.
  let isTraced: Bool
  /// The merge of concurrent edits.
  private let threeWay: ThreeWayMerge
  /// The rules of a one-way sync; nil for a sync in both directions.
  private let rules: OneWay?

  /// Creates the decision about an item.
  init(_ facts: ItemFacts, _ threeWay: ThreeWayMerge, _ rules: OneWay? = nil) {
    self.facts = facts
    self.threeWay = threeWay
    self.rules = rules
    let agreed = facts.agreedBase(threeWay.normalForm)
    (base, isTraced) = (agreed?.base, agreed?.isTraced ?? false)
  }

  var uid: UID { facts.uid }
  var local: LocalEntry? { facts.local }
  var remote: RemoteState? { facts.remote }
  var entry: LedgerEntry? { facts.entry }
  var conflict: StoredConflict? { facts.conflict }

  /// Whether an interrupted run or an older normal form requires a new record in the ledger.
  var isOutdated: Bool { facts.isRenewed || !facts.intents.isEmpty }

  /// The parts of the sent content that the remote has lost.
  ///
  /// - Parameter isVerifying: Whether to include losses that are known already.
  /// - Returns: The losses; empty if the item was not read, or does not exist on this side.
  func losses(isVerifying: Bool) -> [RemoteLoss] {
    guard let local, remote?.item != nil, let base else { return [] }
    guard base.losses.isEmpty, isVerifying else { return base.losses }
    // The item is sent again, and the remote may preserve it this time.
    return base.isRespelled(local.item) ? [] : base.knownLosses
  }

  /// The operation, or nil if there is nothing to do and nothing to record.
  var operation: PlannedOperation? {
    if let rules, !facts.isRolledBack { return operation(rules) }
    if let takenBack { return takenBack }
    if facts.isRolledBack { return pushed }
    if let takenOver { return takenOver }
    return switch merge {
    case .nothing: unchanged
    case .agree: agreed.map { plan(.record($0), .alike).alreadyThere }
    case .takeLocal: upload
    case .takeRemote: download
    case .restoreRemote:
      local.map {
        plan(
          .createRemote($0), .editOverDeletion(on: .local, isMeeting: $0.item.isMeeting)
        ).overridingDeletion
      }
    case .restoreLocal: restoreLocal
    case .deleteRemote: deleteRemote(.deleted(.local))
    case .deleteLocal: deleteLocal(.deleted(.remote))
    case .forget: plan(.forget, .deletedOnBothSides)
    case .conflict: merged
    case .leave: leftAlone
    }
  }

  /// The operation for an item that may be in a place that cannot be read.
  var leftAlone: PlannedOperation {
    plan(.skip, .obstacle(.unreadable(facts.unreadable)))
  }

  /// The operation that gives a restored remote the local state of an item again.
  private var pushed: PlannedOperation? {
    guard !facts.isLocalUnknown, !facts.isRemoteUnknown else {
      return leftAlone
    }
    guard let local else {
      guard let remote else { return plan(.forget, .deletedOnBothSides) }
      guard let etag = remote.entry.etag else { return withoutTag }
      return plan(
        .deleteRemote(remote.entry.href, ifMatch: etag), .deletedBeforeRestore,
        replacing: remote.item)
    }
    guard let remote else { return plan(.createRemote(local), .lostByRemote) }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(
      .updateRemote(local, href: remote.entry.href, ifMatch: etag),
      .earlierOnRemote, replacing: remote.item)
  }

  private var merge: ItemMerge {
    if let states {
      return ItemMerge(local: states.local, remote: states.remote, areEqual: areEqual)
    }
    if isUnknown { return .leave }
    return ItemMerge(isLocal: local != nil, isRemote: remote != nil, areEqual: areEqual)
  }

  /// Whether both versions were read and have the same meaning.
  var areEqual: Bool {
    guard let here = local?.item.fingerprint else { return false }
    return here == remote?.item?.fingerprint
  }

  /// Whether the item was not found on a side that may hold it.
  var isUnknown: Bool {
    local == nil && facts.isLocalUnknown || remote == nil && facts.isRemoteUnknown
  }

  /// The changes of both sides since they last agreed; nil without a base.
  var states: (local: SideState, remote: SideState)? {
    guard let base else { return nil }
    let localState: SideState =
      local.map { isUnchanged($0.item, since: base) ? .unchanged : .changed }
      ?? (facts.isLocalUnknown ? .unknown : .absent)
    let remoteState: SideState =
      remote == nil
      ? (facts.isRemoteUnknown ? .unknown : .absent)
      : remote?.item.map { $0.fingerprint == base.remote ? .unchanged : .changed } ?? .unchanged
    return (localState, remoteState)
  }

  private func isUnchanged(_ item: CalendarItem, since base: AgreedBase) -> Bool {
    guard item.fingerprint == base.local else { return false }
    // Another notation matters only if it is sent.
    return rules?.source == .remote || !base.isRespelled(item)
  }

  /// The operation for an unchanged item, or nil if the ledger is up to date.
  ///
  /// The ledger records new names and tags, completed intents, alterations by the server and
  /// resolved conflicts.
  var unchanged: PlannedOperation? {
    guard let known, known != entry || isOutdated || conflict != nil else {
      return nil
    }
    return plan(.record(known), .unchanged)
  }

  /// The entry for the last agreed versions, with the current names and tags.
  private var known: LedgerEntry? {
    guard let local, let remote, let base else { return nil }
    return LedgerEntry(
      uid: uid, localName: local.name, localBase: base.local, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: base.remote, base: base.content,
      remoteContent: base.remoteContent, isUnseen: base.isUnseen,
      wasSent: base.wasSent && !base.isUnseen, isOwn: base.isOwn)
  }

  /// The entry for contents with the same meaning.
  var agreed: LedgerEntry? {
    guard let local, let remote else { return nil }
    return LedgerEntry(
      uid: uid, localName: local.name, localBase: local.item.fingerprint, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: remote.item?.fingerprint ?? local.item.fingerprint,
      base: local.item.serialized())
  }

  private var upload: PlannedOperation? {
    uploaded(remote == nil ? .added(.local) : .changed(.local), over: nil)
  }

  /// The operation that sends the local version.
  ///
  /// LAST-MODIFIED is after that of the other version. Without it, a version that an undo restored, or
  /// that overrules an edit, looks like that of a backup to other machines (`RollbackSearch`).
  ///
  /// - Parameters:
  ///   - reason: The reason.
  ///   - other: The overruled version of the remote; nil for the last agreed one.
  /// - Returns: The operation; nil without a local version.
  func uploaded(_ reason: PlanReason, over other: CalendarItem?) -> PlannedOperation? {
    guard var local else { return nil }
    guard let remote else { return plan(.createRemote(local), reason) }
    guard let etag = remote.entry.etag else { return withoutTag }
    if let known = other ?? base?.remoteItem {
      let item = local.item.modified(after: known)
      local = LocalEntry(name: local.name, revision: local.revision, item: item)
    }
    return plan(
      .updateRemote(local, href: remote.entry.href, ifMatch: etag), reason, replacing: remote.item
    ).holding(heldContent)
  }

  /// The content of the remote side, if its tag is still that of the last agreed version.
  private var heldContent: [UInt8]? {
    guard let base, let tag = entry?.etag, !isTraced, remote?.entry.etag == tag else { return nil }
    return base.heldContent
  }

  /// The operation for an item after an undone run, if neither side has changed since: a conflict.
  ///
  /// Otherwise this run would repeat the undone changes. After an edit of one side, the usual rules
  /// apply.
  private var takenBack: PlannedOperation? {
    guard let conflict, conflict.isTakenBack, let local, let remote,
      isSameItem(conflict.local, local.item), isAsTakenBack(remote, conflict)
    else { return nil }
    let isSameTag = conflict.etag != nil && conflict.etag == remote.entry.etag
    let found = StoredConflict(
      uid: uid, title: conflict.title, base: conflict.base, remoteBase: conflict.remoteBase,
      local: conflict.local,
      remote: isSameTag ? conflict.remote : remote.item?.serialized() ?? conflict.remote,
      href: remote.entry.href, etag: remote.entry.etag, isTakenBack: true)
    let isNew = isOutdated || known?.remoteBase != entry?.remoteBase
    return plan(.conflict(found, agreed: isNew ? known : nil), reasonOfChoice)
  }

  /// The reason for a conflict in which one version as a whole is chosen.
  private var reasonOfChoice: PlanReason {
    takeovers.first.map { .olderFile($0.files) } ?? .runUndone
  }

  /// The operation for a file that took the place of the item's file, unless it is a later edit: a
  /// conflict, to which no policy applies.
  ///
  /// The file may be a copy with an old text, which another program kept beside the item's file. A
  /// text with a later revision, and the last agreed one under a new name, are not concerned.
  private var takenOver: PlannedOperation? {
    guard let base, let takeover = takeovers.first(where: { isOld($0, base) }),
      local == nil || local?.item.fingerprint != remote?.item?.fingerprint
    else { return nil }
    guard let local else {
      return facts.isLocalUnknown ? nil : failure(.deletedBesideOlderFile(.local, takeover.files))
    }
    guard let remote else {
      return facts.isRemoteUnknown ? nil : failure(.deletedBesideOlderFile(.remote, takeover.files))
    }
    let found = StoredConflict(
      uid: uid, title: local.item.title, base: base.content, remoteBase: base.remoteContent,
      local: local.item.serialized(), remote: remote.item?.serialized() ?? base.heldContent,
      href: remote.entry.href, etag: remote.entry.etag, isTakenBack: true)
    // Only the intent records the write of an interrupted run, and it is cleared now.
    var agreed = isTraced ? known : nil
    if let entry {
      agreed?.localName = entry.localName
      agreed?.href = entry.href
    }
    return plan(.conflict(found, agreed: agreed), reasonOfChoice)
  }

  /// A file in the place of the item's file.
  private struct Takeover {
    let side: MergeSide
    let files: FileTakeover
  }

  /// The files in the place of the item's file.
  private var takeovers: [Takeover] {
    guard let entry else { return [] }
    var found: [Takeover] = []
    if let local, local.name != entry.localName {
      found.append(
        Takeover(side: .local, files: FileTakeover(known: entry.localName, name: local.name)))
    }
    // Servers have no copies, and may give an item another place.
    if facts.isRemoteFolder, let href = remote?.entry.href, href != entry.href {
      found.append(
        Takeover(
          side: .remote,
          files: FileTakeover(known: entry.href.rawValue, name: href.rawValue)))
    }
    return found
  }

  /// Whether the text of a file is neither the last agreed one nor later.
  private func isOld(_ takeover: Takeover, _ base: AgreedBase) -> Bool {
    switch takeover.side {
    case .local:
      local.map { $0.item.fingerprint != base.local && !isLater($0.item, than: base.localItem) }
        ?? false
    case .remote:
      remote?.item.map { $0.fingerprint != base.remote && !isLater($0, than: base.remoteItem) }
        ?? false
    }
  }

  private func isLater(_ item: CalendarItem, than other: CalendarItem?) -> Bool {
    guard let revision = item.components.map(\.revision).max(),
      let known = other?.components.map(\.revision).max()
    else { return false }
    return revision > known
  }

  /// Whether the remote still holds the version of the undo, or the server's alteration of it.
  private func isAsTakenBack(_ remote: RemoteState, _ conflict: StoredConflict) -> Bool {
    if let etag = conflict.etag, etag == remote.entry.etag { return true }
    guard let item = remote.item else { return false }
    if isSameItem(conflict.remote, item) { return true }
    guard let entry, let bytes = conflict.remote,
      let sent = try? CalendarItem(parsing: bytes, normalForm: item.normalForm)
    else { return false }
    return sent.fingerprint == entry.remoteBase && item.fingerprint == base?.remote
  }

  private var download: PlannedOperation? {
    guard let item = remote?.item else { return nil }
    return downloaded(
      item, keeping: local?.item ?? item, local == nil ? .added(.remote) : .changed(.remote))
  }

  /// The operation that gives the local calendar a version of the remote.
  ///
  /// - Parameters:
  ///   - item: The version.
  ///   - kept: The local version with the values that the remote never had, which an edit there does not
  ///     delete.
  ///   - reason: The reason.
  /// - Returns: The operation; nil without a place on the remote.
  func downloaded(
    _ item: CalendarItem, keeping kept: CalendarItem, _ reason: PlanReason
  ) -> PlannedOperation? {
    guard let remote else { return nil }
    guard let local else { return plan(.createLocal(item, remote.entry), reason) }
    let lacking = item.definitionsLacking(from: kept)
    guard let base, base.remoteContent != nil || !lacking.isEmpty else {
      return plan(.updateLocal(item, remote.entry, replacing: local), reason)
    }
    let merged = threeWay.merge(
      localBase: base.localItem, remoteBase: base.remoteItem, local: kept, remote: item
    ).item.defining(from: kept)
    let planned = PlannedMerge(
      item: merged, local: local, remote: remote.entry, remoteItem: item, isSent: false)
    if merged.fingerprint == local.item.fingerprint {
      return plan(.record(planned.agreement(local.name)), reason)
    }
    return plan(.merge(planned), reason)
  }

  /// Merges edits of both sides; conflicting parts are kept or resolved by a policy.
  private var merged: PlannedOperation? {
    guard let local, let remote, let item = remote.item else { return conflicting(agreed: nil) }
    let result = threeWay.merge(
      localBase: base?.localItem, remoteBase: base?.remoteItem, local: local.item, remote: item)
    guard result.isClean else {
      // The conflict is known and neither side has changed: the other parts are merged already.
      if let known, isKnownConflict { return conflicting(agreed: known) }
      // Only the intent records the write of an interrupted run, and it is cleared now.
      return split(local, remote.entry, item) ?? conflicting(agreed: isTraced ? known : nil)
    }
    var operation = carryingOut(result, local, remote, item)
    let isDecided = result.conflicts.contains { conflict in
      if case .chosen = conflict.outcome { true } else { false }
    }
    if isDecided { operation = operation.decidedByPolicy }
    let hasSurvivor = result.conflicts.contains { conflict in
      if case .survived = conflict.outcome { true } else { false }
    }
    return hasSurvivor ? operation.overridingDeletion : operation
  }

  /// The operation for a merge without parts that wait.
  private func carryingOut(
    _ result: MergeResult, _ local: LocalEntry, _ remote: RemoteState, _ item: CalendarItem
  ) -> PlannedOperation {
    let reason = PlanReason.merged(result.conflicts)
    if result.item.fingerprint == item.fingerprint {
      return plan(.updateLocal(item, remote.entry, replacing: local), reason)
    }
    guard let etag = remote.entry.etag else { return withoutTag }
    if result.item.fingerprint == local.item.fingerprint {
      return plan(
        .updateRemote(local, href: remote.entry.href, ifMatch: etag), reason, replacing: item)
    }
    let planned = PlannedMerge(
      item: result.item, local: local, remote: remote.entry, remoteItem: item, isSent: true)
    return plan(.merge(planned.agreeing(on: unreduced(item))), reason)
  }

  /// The last agreed local version with the edits of a remote that lost parts of it; nil for a remote
  /// that lost nothing.
  private func unreduced(_ item: CalendarItem) -> CalendarItem? {
    guard let base, base.remoteContent != nil, let here = base.localItem else { return nil }
    return threeWay.merge(
      localBase: here, remoteBase: base.remoteItem, local: here, remote: item
    ).item
  }

  /// Merges the parts without conflicts; nil if they cannot be separated from the others.
  private func split(
    _ local: LocalEntry, _ remote: RemoteEntry, _ item: CalendarItem
  ) -> PlannedOperation? {
    var agreed: SplitMerge.Pair?
    if let base {
      guard let here = base.localItem, let there = base.remoteItem else { return nil }
      agreed = SplitMerge.Pair(local: here, remote: there)
    }
    let edited = SplitMerge.Pair(local: local.item, remote: item)
    guard let split = SplitMerge(threeWay, base: agreed, edited: edited) else { return nil }
    let planned = PlannedMerge(split, local: local, remote: remote, remoteItem: item)
    guard planned.isWrittenHere || planned.isSent else {
      let isKnown =
        base?.local == split.agreed.local.fingerprint
        && base?.remote == split.agreed.remote.fingerprint
      return conflicting(agreed: isKnown ? known : planned.agreement(local.name))
    }
    // Without a tag nothing can be sent safely, and missing parts would count as deleted.
    guard !planned.isSent || remote.etag != nil else { return nil }
    return plan(
      planned.isWrittenHere ? .merge(planned) : .sendMerged(planned),
      .mergedInPart(split.conflicts))
  }

  private var restoreLocal: PlannedOperation? {
    guard let remote, let item = remote.item else { return nil }
    return plan(
      .createLocal(item, remote.entry),
      .editOverDeletion(on: .remote, isMeeting: item.isMeeting)
    ).overridingDeletion
  }

  func deleteLocal(_ reason: PlanReason) -> PlannedOperation? {
    guard let local else { return nil }
    // The other file would become a new item.
    if let other = facts.localDoubles.first {
      return failure(.deletedBesideDouble(.remote, name: other))
    }
    return plan(.deleteLocal(local), reason)
  }

  func deleteRemote(
    _ reason: PlanReason, replacing replaced: CalendarItem? = nil
  ) -> PlannedOperation? {
    guard let remote else { return nil }
    if let other = facts.remoteDoubles.first {
      return failure(.deletedBesideDouble(.local, name: other.rawValue))
    }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(.deleteRemote(remote.entry.href, ifMatch: etag), reason, replacing: replaced)
      .holding(heldContent)
  }

  /// The operation that leaves both sides unchanged.
  ///
  /// - Parameter agreed: The agreed entry apart from the conflicting parts, if it is known.
  /// - Returns: The operation; nil if the item is missing on one side.
  private func conflicting(agreed: LedgerEntry?) -> PlannedOperation? {
    guard let local, let remote else { return nil }
    let found = StoredConflict(
      uid: uid, title: local.item.title, base: agreed.map(\.base) ?? base?.content,
      remoteBase: agreed.map(\.remoteContent) ?? base?.remoteContent,
      local: local.item.serialized(), remote: remote.item?.serialized(), href: remote.entry.href,
      etag: remote.entry.etag)
    let isWaiting = conflict.map { $0.local == found.local && isSameItem($0.remote, remote.item) }
    let reason: PlanReason = isWaiting == true ? .awaitsChoice : .conflict
    let isNew = agreed != entry || isOutdated
    return plan(.conflict(found, agreed: isNew ? agreed : nil), reason)
  }

  /// Whether the stored conflict matches the current versions of both sides and their base.
  private var isKnownConflict: Bool {
    guard let conflict, let base else { return false }
    return conflict.base == base.content && conflict.remoteBase == base.remoteContent
      && conflict.local == local?.item.serialized() && isSameItem(conflict.remote, remote?.item)
  }

  /// Whether bytes have the meaning of an item; remotes alter tags and stamps of unchanged items.
  private func isSameItem(_ bytes: [UInt8]?, _ item: CalendarItem?) -> Bool {
    guard let bytes, let item,
      let known = try? CalendarItem(parsing: bytes, normalForm: item.normalForm)
    else { return false }
    return known.fingerprint == item.fingerprint
  }

  private var withoutTag: PlannedOperation { failure(.noTag) }

  private func failure(_ obstacle: ItemObstacle) -> PlannedOperation {
    PlannedOperation(skipping: uid, title: title, because: obstacle, isFailure: true)
  }

  func plan(
    _ action: PlannedOperation.Action, _ reason: PlanReason, replacing replaced: CalendarItem? = nil
  ) -> PlannedOperation {
    let written: CalendarItem? =
      switch action {
      case .createLocal(let item, _), .updateLocal(let item, _, _): item
      case .merge(let merge): merge.item
      default: nil
      }
    return PlannedOperation(
      uid: uid, title: written?.title ?? title, action: action, reason: reason, replacing: replaced)
  }

  /// The title of an existing version, or else of the last agreed version.
  var title: String {
    local?.item.title ?? remote?.item?.title ?? agreedTitle ?? uid.rawValue
  }

  private var agreedTitle: String? {
    guard let bytes = entry?.base ?? entry?.remoteContent else { return nil }
    return try? CalendarItem(parsing: bytes, normalForm: threeWay.normalForm).title
  }
}
