// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Everything that is known about one item: both sides, the ledger, and interrupted runs.
struct ItemFacts {
  /// The item.
  let uid: UID
  /// The local version.
  var local: LocalEntry?
  /// Whether the local calendar may hold the item although it was not read.
  var isLocalUnknown = false
  /// The unreadable places that may hold the item.
  var unreadable: [UnreadablePlace] = []
  /// The place and, if it was fetched, the version on the remote.
  var remote: RemoteState?
  /// Whether the remote may hold the item although it was not read.
  var isRemoteUnknown = false
  /// The ledger entry.
  var entry: LedgerEntry?
  /// Whether the entry in the ledger uses an older normal form.
  var isRenewed = false
  /// The intents of interrupted runs, in order.
  var intents: [Intent] = []
  /// The unresolved conflict.
  var conflict: StoredConflict?
  /// Whether the item may have been moved back to another calendar.
  var isElsewhere = false
  /// Whether the remote was restored, and the local version replaces its version.
  var isRolledBack = false
  /// The names of other local files with the UID.
  var localDoubles: [String] = []
  /// Whether the remote is a folder.
  var isRemoteFolder = false
  /// Whether an interrupted write to the remote may have done a part of its work.
  var isWrittenInParts = false
  /// The places of other items on the remote with the UID.
  var remoteDoubles: [Href] = []
}

/// The last agreed versions of an item.
extension ItemFacts {
  /// The last agreed versions, with the server's known alterations; nil if the sides never agreed,
  /// or agreed on a deletion.
  ///
  /// `isTraced` shows whether they come from a write of an interrupted run instead of the ledger.
  func agreedBase(_ form: NormalForm) -> (base: AgreedBase, isTraced: Bool)? {
    guard var known = writtenBase(form) else {
      guard intents.isEmpty, let local, let item = remote?.item else { return nil }
      return AgreedBase(local.item, cutTo: item, form).map { ($0, false) }
    }
    if let remote, let item = remote.item {
      known.base.notice(item, tag: remote.entry.etag, known: known.isTraced ? nil : entry?.etag)
    }
    return known
  }

  /// The last agreed versions as they were written by a run.
  ///
  /// An interrupted run succeeded with a write if the side holds exactly the content of its intent,
  /// or a version that descends from it. The written content is then the base. For a merge, the
  /// base is the merged remote version, because the rest had not been sent yet.
  ///
  /// An interrupted run succeeded with a deletion if the side lacks the item. Then there is no
  /// base, and a version on the other side was restored later.
  private func writtenBase(_ form: NormalForm) -> (base: AgreedBase, isTraced: Bool)? {
    // An item that may have been moved back to another calendar is added again, not deleted.
    let intents = isElsewhere ? [] : intents
    let local = local?.item
    for (place, intent) in intents.enumerated().reversed() {
      switch intent.action {
      case .createRemote, .updateRemote, .append:
        guard let item = remote?.item, intent.wrote(item) else { continue }
        return (intent.reached(item.fingerprint, form, isRemote: true), true)
      case .moveRemote:
        // If the file was moved back to its origin, this side does not decide about the item.
        guard local != nil, remote?.item != nil, let base = intent.moved(form) else { continue }
        return (base, true)
      case .createLocal, .updateLocal:
        guard let local, intent.wrote(local) else { continue }
        // A restored item that had not been sent yet was never on the remote.
        if intent.action == .createLocal, intent.href == nil { return nil }
        let base = intent.reached(local.fingerprint, form, isRemote: false)
        // A later write to the remote was made from this version.
        let later = intents[(place + 1)...]
        return (tracedRemotely(Array(later), base, form) ?? base, true)
      case .deleteRemote:
        if remote == nil, !isRemoteUnknown { return nil }
      case .deleteLocal:
        if local == nil, !isLocalUnknown { return nil }
      }
    }
    let known = entry.map { AgreedBase($0, form) }
    if intents.isEmpty { return known.map { ($0, false) } }
    return tracedBase(known, form)
      ?? known.map { ($0, false) }
  }

  /// The base if one side holds a version that descends from a write of an interrupted run.
  private func tracedBase(
    _ known: AgreedBase?, _ form: NormalForm
  ) -> (base: AgreedBase, isTraced: Bool)? {
    if let base = tracedRemotely(intents, known, form) { return (base, true) }
    guard let local,
      let intent = IntentTrace(intents, before: known?.localItem, origin: known?.remoteItem, form)
        .local(local.item),
      let written = intent.fingerprint
    else { return nil }
    return (intent.reached(written, form, isRemote: false), true)
  }

  /// The base if the remote holds a version that descends from one of some writes.
  private func tracedRemotely(
    _ intents: [Intent], _ known: AgreedBase?, _ form: NormalForm
  ) -> AgreedBase? {
    guard let remote, let item = remote.item else { return nil }
    if isWrittenInParts {
      let found = intents.reversed().lazy.compactMap { unfinished($0, known, item, form) }
      // The version that one write explains as a whole has no edits, whatever a later write found.
      if let base = found.first(where: { $0.isWhole }) ?? found.first { return base.base }
    }
    // Additions without read access and writes with an unresolved conflict are traced as a whole.
    guard
      let intent = IntentTrace(intents, before: known?.remoteItem, origin: known?.localItem, form)
        .remote(item, remote.entry),
      let written = intent.fingerprint
    else { return nil }
    var base = intent.reached(written, form, isRemote: true)
    (base.isUnseen, base.isTraced) = (true, true)
    return base
  }

  /// The base if the remote holds a part of a write, and whether that part is as it was written.
  private func unfinished(
    _ intent: Intent, _ known: AgreedBase?, _ item: CalendarItem, _ form: NormalForm
  ) -> (base: AgreedBase, isWhole: Bool)? {
    guard let write = UnfinishedWrite(intent, over: known?.remoteItem, form),
      let held = write.base(of: item)
    else { return nil }
    var base = AgreedBase(held.fingerprint, held.serialized(), form)
    (base.wasSent, base.isTraced) = (true, true)
    base.isOwn = intent.content != nil || known?.isOwn ?? false
    return (base, held.fingerprint == item.fingerprint)
  }
}
