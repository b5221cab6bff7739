// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Turns what a run did to one item, and what both sides hold now, into what takes it back.
struct UndoDecision {
  let uid: UID
  let change: ItemChange
  let local: LocalEntry?
  let remote: RemoteState?
  /// What the sides agree on now, with what the server made of what it was sent.
  let entry: LedgerEntry?
  /// The conflict that waits for the item.
  let conflict: StoredConflict?
  /// The sides that there are.
  let sides: [MergeSide]
  /// Whether the ledger knows the entry in another form.
  let isNoticed: Bool
  /// Whether one side cannot be read.
  let isUnknown: Bool

  init(
    uid: UID, change: ItemChange, local: LocalEntry?, remote: RemoteState?, entry: LedgerEntry?,
    conflict: StoredConflict?, sides: [MergeSide], isUnknown: Bool, form: NormalForm
  ) {
    self.uid = uid
    self.change = change
    self.local = local
    self.remote = remote
    self.conflict = conflict
    self.sides = sides
    self.isUnknown = isUnknown
    let noticed = entry.map { $0.noticing(remote, form) }
    self.entry = noticed
    isNoticed = noticed != entry
  }

  /// The operations; none if the sides are already what they were before the run.
  var operations: [PlannedOperation] {
    if isUnknown { return [skip("one side cannot be read")] }
    if let problem = change.problem { return [skip(problem)] }
    guard sides.allSatisfy(stands) else { return [skip("it changed since")] }
    let written = sides.filter { !isReached($0) }
    guard !written.isEmpty else { return [] }
    if written.contains(.remote), let remote, remote.entry.etag == nil {
      return [skip("the remote tells no version of it")]
    }
    let back = PutBack(
      sides: written, localTarget: end(of: .local),
      remoteTarget: sides.contains(.remote) ? end(of: .remote) : nil, local: local,
      place: remote?.entry, remote: remote?.item, agreed: change.agreed,
      conflict: conflict)
    let known = isNoticed ? entry.map { plan(.record($0), "as the server holds it") } : nil
    return [known, plan(.putBack(back), reason(back))].compactMap(\.self)
  }

  private func now(_ side: MergeSide) -> CalendarItem? {
    side == .local ? local?.item : remote?.item
  }

  private func target(of side: MergeSide) -> ItemChange.Target {
    change.target(of: side, now: now(side))
  }

  /// What a side holds in the end.
  private func end(of side: MergeSide) -> CalendarItem? {
    switch target(of: side) {
    case .leave: now(side)
    case .absent: nil
    case .item(let item): item
    }
  }

  /// Whether a side already is what it is to become.
  private func isReached(_ side: MergeSide) -> Bool {
    now(side)?.fingerprint == end(of: side)?.fingerprint
  }

  /// Whether a side still is what it was at the end of the run, or is already what it is to become.
  ///
  /// It is compared by content: what both sides agree on by now may be what somebody wrote since.
  private func stands(_ side: MergeSide) -> Bool {
    let isWritten = change.isWritten(side)
    if isWritten, isReached(side) { return true }
    let isTakenAway = sides.allSatisfy { side in
      guard change.isWritten(side) else { return true }
      if case .absent = target(of: side) { return true }
      return false
    }
    // To take away what was added is nothing to the side that had it before.
    if !isWritten, isTakenAway { return true }
    let (now, left) = (now(side)?.fingerprint, change.left(on: side)?.fingerprint)
    if now == left { return true }
    // What was deleted goes back where there is nothing, and stays where it is.
    if !isWritten, left == nil { return isReached(side) }
    return side == .remote && now != nil && left != nil && isEcho
  }

  /// Whether the remote holds what the server made of what it was sent.
  ///
  /// The tag of what waits in conflict is that of an edit, unless it is of what was taken back.
  private var isEcho: Bool {
    if let conflict {
      guard conflict.isTakenBack, conflict.etag != nil, conflict.etag == remote?.entry.etag,
        let left = change.left(on: .remote), let sent = conflict.remote
      else { return false }
      let item = try? CalendarItem(parsing: sent, normalForm: left.normalForm)
      return item?.fingerprint == left.fingerprint
    }
    guard let entry, entry.localBase == change.left(on: .local)?.fingerprint else { return false }
    if let etag = entry.etag, etag == remote?.entry.etag { return true }
    return remote?.item?.fingerprint == entry.remoteBase
  }

  private func reason(_ back: PutBack) -> String {
    guard sides.contains(.remote) else { return "as it was before the run" }
    return switch back.ending {
    case .agreed: "as it was before the run"
    case .apart: "as it was before the run; the sides differ then, and wait for a choice"
    case .alone(.local): "the run had added it there"
    case .alone(.remote): "the run had added it here"
    }
  }

  private func skip(_ reason: String) -> PlannedOperation {
    PlannedOperation(
      uid: uid, title: title, action: .skip, reason: "\(reason); it is left alone", isFailure: true)
  }

  private func plan(_ action: PlannedOperation.Action, _ reason: String) -> PlannedOperation {
    PlannedOperation(uid: uid, title: title, action: action, reason: reason)
  }

  private var title: String {
    local?.item.title ?? remote?.item?.title ?? change.title ?? uid.rawValue
  }
}

extension LedgerEntry {
  /// The entry with what a server made of what it was sent, where that was read for the first time since.
  fileprivate func noticing(_ remote: RemoteState?, _ form: NormalForm) -> LedgerEntry {
    guard isUnseen, let remote, let item = remote.item else { return self }
    var entry = self
    if let etag, etag == remote.entry.etag {
      // It is the version that the remote took, whatever it made of it.
      (entry.remoteBase, entry.isUnseen) = (item.fingerprint, false)
      entry.remoteContent = item.fingerprint == localBase ? nil : item.serialized()
      return entry
    }
    var base = AgreedBase(self, form)
    base.notice(item, tag: remote.entry.etag, known: etag)
    (entry.remoteBase, entry.remoteContent) = (base.remote, base.remoteContent)
    (entry.isUnseen, entry.wasSent) = (base.isUnseen, base.wasSent)
    return entry
  }
}
