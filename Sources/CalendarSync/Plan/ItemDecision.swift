// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Turns what is known of one item into the operation that is planned for it.
struct ItemDecision {
  let uid: UID
  let local: LocalEntry?
  let isLocalUnknown: Bool
  let remote: RemoteState?
  let isRemoteUnknown: Bool
  let entry: LedgerEntry?
  /// Whether the ledger holds the entry in an older form.
  let isRenewed: Bool
  /// What interrupted runs were about to do with the item, in that order.
  let intents: [Intent]
  /// The conflict that waits for the item.
  let conflict: StoredConflict?
  /// What both sides held when they last agreed; nil if they never did, or agreed on a deletion.
  private let base: AgreedBase?
  /// Whether the base is what an interrupted run wrote, and not what the ledger has.
  private let isTraced: Bool
  /// How two edits are merged.
  private let threeWay: ThreeWayMerge

  init(
    uid: UID, local: LocalEntry?, isLocalUnknown: Bool, remote: RemoteState?, isRemoteUnknown: Bool,
    entry: LedgerEntry?, isRenewed: Bool, intents: [Intent], isElsewhere: Bool,
    conflict: StoredConflict?, threeWay: ThreeWayMerge
  ) {
    self.uid = uid
    self.local = local
    self.isLocalUnknown = isLocalUnknown
    self.remote = remote
    self.isRemoteUnknown = isRemoteUnknown
    self.entry = entry
    self.isRenewed = isRenewed
    self.intents = intents
    self.conflict = conflict
    self.threeWay = threeWay
    // What may have gone back to another calendar is added once more rather than deleted.
    var base = Self.base(
      entry, isElsewhere ? [] : intents,
      local: local?.item, hasLocal: local != nil || isLocalUnknown,
      remote: remote, hasRemote: remote != nil || isRemoteUnknown, threeWay.normalForm)
    if let remote, let item = remote.item {
      let known = base?.isTraced == true ? nil : entry?.etag
      base?.base.notice(item, tag: remote.entry.etag, known: known)
    }
    self.base = base?.base
    isTraced = base?.isTraced ?? false
  }

  /// What the remote does not keep of what it was sent.
  ///
  /// - Parameter isVerifying: Whether what is known already counts, too.
  /// - Returns: What is lost there; nothing if the item was not read, or is not here any more.
  func losses(isVerifying: Bool) -> [RemoteLoss] {
    guard let local, remote?.item != nil, let base else { return [] }
    guard base.losses.isEmpty, isVerifying else { return base.losses }
    // What is sent again may be kept this time.
    return base.isRespelled(local.item) ? [] : base.knownLosses
  }

  /// The operation, or nil if there is nothing to do and nothing to write down.
  var operation: PlannedOperation? {
    if let takenBack { return takenBack }
    return switch merge {
    case .nothing: unchanged
    case .agree: agreed.map { plan(.record($0), "both sides hold the same") }
    case .takeLocal: upload
    case .takeRemote: download
    case .restoreRemote:
      local.map { plan(.createRemote($0), "deleted on the remote, but edited here since") }
    case .restoreLocal: restoreLocal
    case .deleteRemote: deleteRemote
    case .deleteLocal: local.map { plan(.deleteLocal($0), "deleted on the remote") }
    case .forget: plan(.forget, "deleted on both sides")
    case .conflict: merged
    case .leave: plan(.skip, "one side cannot be read; the item is left alone")
    }
  }

  private var merge: ItemMerge {
    let localFingerprint = local?.item.fingerprint
    let remoteFingerprint = remote?.item?.fingerprint
    let areEqual = localFingerprint != nil && localFingerprint == remoteFingerprint
    guard let base else {
      if local == nil && isLocalUnknown || remote == nil && isRemoteUnknown { return .leave }
      return ItemMerge(isLocal: local != nil, isRemote: remote != nil, areEqual: areEqual)
    }
    let localState: SideState =
      local.map { isUnchanged($0.item, since: base) ? .unchanged : .changed }
      ?? (isLocalUnknown ? .unknown : .absent)
    let remoteState: SideState =
      remote == nil
      ? (isRemoteUnknown ? .unknown : .absent)
      : remoteFingerprint.map { $0 == base.remote ? .unchanged : .changed } ?? .unchanged
    return ItemMerge(local: localState, remote: remoteState, areEqual: areEqual)
  }

  private func isUnchanged(_ item: CalendarItem, since base: AgreedBase) -> Bool {
    item.fingerprint == base.local && !base.isRespelled(item)
  }

  /// What the sides held when they last agreed.
  ///
  /// If one side holds just what an interrupted run was about to write there, or a version that descends
  /// from it, that run got through, and what it wrote is the base; of a merge it is the remote version
  /// that was merged, because the rest was still to be sent. If one side is without what a run was about
  /// to delete there, that run got through too, and what the other side holds now was put back since.
  private static func base(
    _ entry: LedgerEntry?, _ intents: [Intent], local: CalendarItem?, hasLocal: Bool,
    remote: RemoteState?, hasRemote: Bool, _ form: NormalForm
  ) -> (base: AgreedBase, isTraced: Bool)? {
    for intent in intents.reversed() {
      switch intent.action {
      case .createRemote, .updateRemote, .append:
        guard let item = remote?.item, intent.wrote(item) else { continue }
        return (intent.reached(item.fingerprint, form, isRemote: true), true)
      case .moveRemote:
        // If the file went back to where it came from, this side has no say in what becomes of it.
        guard local != nil, remote?.item != nil, let base = intent.moved(form) else { continue }
        return (base, true)
      case .createLocal, .updateLocal:
        guard let local, intent.wrote(local) else { continue }
        // What was put back here, and was still to be sent, is nothing that the remote had.
        if intent.action == .createLocal, intent.href == nil { return nil }
        return (intent.reached(local.fingerprint, form, isRemote: false), true)
      case .deleteRemote:
        if !hasRemote { return nil }
      case .deleteLocal:
        if !hasLocal { return nil }
      }
    }
    let known = entry.map { AgreedBase($0, form) }
    if intents.isEmpty { return known.map { ($0, false) } }
    return traced(known, intents, local: local, remote: remote, form)
      ?? known.map { ($0, false) }
  }

  /// The base where one side holds a version of what an interrupted run wrote there.
  private static func traced(
    _ known: AgreedBase?, _ intents: [Intent], local: CalendarItem?, remote: RemoteState?,
    _ form: NormalForm
  ) -> (base: AgreedBase, isTraced: Bool)? {
    if let remote, let item = remote.item,
      let intent = IntentTrace(intents, before: known?.remoteItem, form).remote(item, remote.entry),
      let written = intent.fingerprint
    {
      var base = intent.reached(written, form, isRemote: true)
      base.isUnseen = true
      return (base, true)
    }
    guard let local,
      let intent = IntentTrace(intents, before: known?.localItem, form).local(local),
      let written = intent.fingerprint
    else { return nil }
    return (intent.reached(written, form, isRemote: false), true)
  }

  /// Nothing changed; but names, tags, a finished run, what a server made of what it was sent, or a
  /// conflict that is over are written down.
  private var unchanged: PlannedOperation? {
    guard let known, known != entry || isRenewed || !intents.isEmpty || conflict != nil else {
      return nil
    }
    return plan(.record(known), "nothing changed")
  }

  /// The entry for what the sides agreed on before, with the names and tags of today.
  private var known: LedgerEntry? {
    guard let local, let remote, let base else { return nil }
    return LedgerEntry(
      uid: uid, localName: local.name, localBase: base.local, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: base.remote, base: base.content,
      remoteContent: base.remoteContent, isUnseen: base.isUnseen,
      wasSent: base.wasSent && !base.isUnseen)
  }

  /// The entry for contents that mean the same.
  private var agreed: LedgerEntry? {
    guard let local, let remote else { return nil }
    return LedgerEntry(
      uid: uid, localName: local.name, localBase: local.item.fingerprint, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: remote.item?.fingerprint ?? local.item.fingerprint,
      base: local.item.serialized())
  }

  private var upload: PlannedOperation? {
    guard let local else { return nil }
    guard let remote else { return plan(.createRemote(local), "new here") }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(
      .updateRemote(local, href: remote.entry.href, ifMatch: etag), "changed here",
      replacing: remote.item)
  }

  /// What was taken back, and is on both sides as it was then, waits for a choice.
  ///
  /// Else this run would do again what was taken back. Once one side is edited, that is decided as ever.
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
    let isNew = isRenewed || !intents.isEmpty || known?.remoteBase != entry?.remoteBase
    return plan(
      .conflict(found, agreed: isNew ? known : nil),
      "a run was taken back; both versions are kept and wait for a choice")
  }

  /// Whether the remote holds what it did when a run was taken back, or what the server made of that.
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
    guard let remote, let item = remote.item else { return nil }
    guard let local else { return plan(.createLocal(item, remote.entry), "new on the remote") }
    let reason = "changed on the remote"
    // What the remote never had is not deleted by its edit.
    guard let base, base.remoteContent != nil else {
      return plan(.updateLocal(item, remote.entry, replacing: local), reason)
    }
    let merged = threeWay.merge(
      localBase: base.localItem, remoteBase: base.remoteItem, local: local.item, remote: item)
    let planned = PlannedMerge(
      item: merged.item, local: local, remote: remote.entry, remoteItem: item, isSent: false)
    if merged.item.fingerprint == local.item.fingerprint {
      return plan(.record(planned.agreement(local.name)), reason)
    }
    return plan(.merge(planned), reason)
  }

  /// Both sides edited the item: what goes together is merged, and the rest waits or follows a policy.
  private var merged: PlannedOperation? {
    guard let local, let remote, let item = remote.item else { return conflicting(agreed: nil) }
    let result = threeWay.merge(
      localBase: base?.localItem, remoteBase: base?.remoteItem, local: local.item, remote: item)
    guard result.isClean else {
      // Found before, and nothing was edited since: what goes together is merged already.
      if let known, isKnownConflict { return conflicting(agreed: known) }
      // What an interrupted run wrote is known by its intent alone, which is gone after this.
      return split(local, remote.entry, item) ?? conflicting(agreed: isTraced ? known : nil)
    }
    let reason = (["changed on both sides, and merged"] + result.conflicts.map(\.description))
      .joined(separator: "; ")
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
    return plan(.merge(planned), reason)
  }

  /// Merges what goes together; nil if nothing of it can be told from what waits.
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
    // Without a tag nothing can be sent safely, and what one side lacks would count as taken away.
    guard !planned.isSent || remote.etag != nil else { return nil }
    let reason = "changed on both sides, and merged but for what waits"
    let words = ([reason] + split.conflicts.map(\.description)).joined(separator: "; ")
    return plan(planned.isWrittenHere ? .merge(planned) : .sendMerged(planned), words)
  }

  private var restoreLocal: PlannedOperation? {
    guard let remote, let item = remote.item else { return nil }
    return plan(
      .createLocal(item, remote.entry), "deleted here, but edited on the remote since")
  }

  private var deleteRemote: PlannedOperation? {
    guard let remote else { return nil }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(.deleteRemote(remote.entry.href, ifMatch: etag), "deleted here")
  }

  /// Both sides stay as they are.
  ///
  /// - Parameter agreed: What they agree on beside what waits, if that is known.
  /// - Returns: The operation; nil if a side is missing.
  private func conflicting(agreed: LedgerEntry?) -> PlannedOperation? {
    guard let local, let remote else { return nil }
    let found = StoredConflict(
      uid: uid, title: local.item.title, base: agreed.map(\.base) ?? base?.content,
      remoteBase: agreed.map(\.remoteContent) ?? base?.remoteContent,
      local: local.item.serialized(), remote: remote.item?.serialized(), href: remote.entry.href,
      etag: remote.entry.etag)
    let isWaiting = conflict.map { $0.local == found.local && isSameItem($0.remote, remote.item) }
    let reason =
      isWaiting == true
      ? "both versions are kept and wait for a choice" : "edited on both sides; both are kept"
    let isNew = agreed != entry || isRenewed || !intents.isEmpty
    return plan(.conflict(found, agreed: isNew ? agreed : nil), reason)
  }

  /// Whether the conflict that waits is of what both sides hold now, and of what they agree on.
  private var isKnownConflict: Bool {
    guard let conflict, let base else { return false }
    return conflict.base == base.content && conflict.remoteBase == base.remoteContent
      && conflict.local == local?.item.serialized() && isSameItem(conflict.remote, remote?.item)
  }

  /// Whether bytes mean the same as an item: remotes put new tags and stamps on what is unchanged.
  private func isSameItem(_ bytes: [UInt8]?, _ item: CalendarItem?) -> Bool {
    guard let bytes, let item,
      let known = try? CalendarItem(parsing: bytes, normalForm: item.normalForm)
    else { return false }
    return known.fingerprint == item.fingerprint
  }

  private var withoutTag: PlannedOperation {
    PlannedOperation(
      uid: uid, title: title, action: .skip,
      reason: "the remote tells no version of the item, so that it cannot be changed safely",
      isFailure: true)
  }

  private func plan(
    _ action: PlannedOperation.Action, _ reason: String, replacing replaced: CalendarItem? = nil
  ) -> PlannedOperation {
    PlannedOperation(uid: uid, title: title, action: action, reason: reason, replacing: replaced)
  }

  /// The title of a side that holds the item, or else the one that both sides last agreed on.
  private var title: String {
    local?.item.title ?? remote?.item?.title ?? agreedTitle ?? uid.rawValue
  }

  private var agreedTitle: String? {
    guard let bytes = entry?.base ?? entry?.remoteContent else { return nil }
    return try? CalendarItem(parsing: bytes, normalForm: threeWay.normalForm).title
  }
}
