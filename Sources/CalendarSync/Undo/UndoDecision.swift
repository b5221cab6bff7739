// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Decides how to undo a run's changes to one item, from the current versions of both sides.
struct UndoDecision {
  /// The current versions of both sides.
  private let facts: ItemFacts
  /// The changes of the run.
  private let change: ItemChange
  /// The sides to restore.
  private let sides: [MergeSide]
  /// The current ledger entry, with the alterations by the server.
  private let entry: LedgerEntry?
  /// The local version that keeps later edits; nil if there are none, or if they concern the same.
  private let merged: CalendarItem?

  /// Creates the decision about an item; an import has only the local side, and a one-way sync restores
  /// the side that it writes.
  init(_ facts: ItemFacts, undoing change: ItemChange, on sides: [MergeSide], _ form: NormalForm) {
    self.facts = facts
    self.change = change
    self.sides = sides
    entry = facts.entry.map { $0.noticing(facts.remote, form) }
    merged = sides == [.local] ? Self.merged(change, now: facts.local?.item, form) : nil
  }

  /// The current version without the changes of the run, if it was edited since.
  ///
  /// In a sync, the sides would differ in ways that a conflict cannot describe.
  private static func merged(
    _ change: ItemChange, now: CalendarItem?, _ form: NormalForm
  ) -> CalendarItem? {
    guard let now, let left = change.left(on: .local), left.fingerprint != now.fingerprint,
      case .item(let before) = change.target(of: .local, now: now)
    else { return nil }
    let result = ThreeWayMerge(normalForm: form).merge(base: left, local: now, remote: before)
    return result.conflicts.isEmpty ? result.item : nil
  }

  private var uid: UID { facts.uid }
  private var local: LocalEntry? { facts.local }
  private var remote: RemoteState? { facts.remote }
  private var conflict: StoredConflict? { facts.conflict }

  /// The operations; empty if the sides already hold the versions from before the run.
  var operations: [PlannedOperation] {
    if facts.isLocalUnknown || facts.isRemoteUnknown { return [skip(.unreadableSide)] }
    if let problem = change.problem { return [skip(problem)] }
    guard sides.allSatisfy(stands) else { return [skip(.changedSince)] }
    var written = sides.filter { !isReached($0) }
    if written.isEmpty, change.isChoice, sides.count > 1 {
      if let obstacle = obstacleOfChoice { return [skip(obstacle)] }
      // The local version is written as it is, and the conflict is stored.
      written = [.local]
    }
    guard !written.isEmpty else { return [] }
    if deletesLastCopy {
      return [skip(.lastCopy)]
    }
    if written.contains(.remote), let remote, remote.entry.etag == nil {
      return [skip(.noTag)]
    }
    let back = PutBack(
      sides: written, localTarget: sides.contains(.local) ? end(of: .local) : now(.local),
      remoteTarget: sides.contains(.remote) ? end(of: .remote) : now(.remote), local: local,
      place: remote?.entry, remote: remote?.item, agreed: change.agreed,
      conflict: conflict)
    let known =
      entry != facts.entry ? entry.map { plan(.record($0), .recorded) } : nil
    return [known, plan(.putBack(back), effect(back))].compactMap(\.self)
  }

  /// The reason why the conflict of a choice cannot be pending again; nil if there is none.
  private var obstacleOfChoice: UndoObstacle? {
    if conflict != nil { return .awaitsChoice }
    guard local?.item.fingerprint == remote?.item?.fingerprint else { return nil }
    return .sentLater
  }

  private func now(_ side: MergeSide) -> CalendarItem? {
    side == .local ? local?.item : remote?.item
  }

  private func target(of side: MergeSide) -> ItemChange.Target {
    change.target(of: side, now: now(side))
  }

  /// The final version of a side.
  private func end(of side: MergeSide) -> CalendarItem? {
    switch target(of: side) {
    case .leave: now(side)
    case .absent: nil
    case .item(let item): merged ?? item
    }
  }

  /// Whether a side already holds its final version.
  private func isReached(_ side: MergeSide) -> Bool {
    now(side)?.fingerprint == end(of: side)?.fingerprint
  }

  /// Whether the undo would delete the item on the only side that still holds it.
  ///
  /// An undo that deletes the copies of both sides is a decision about both. If one copy is missing
  /// already, its loss may be the mistake that the user wants to revert.
  private var deletesLastCopy: Bool {
    guard sides.count > 1, !change.isLocalAddition, end(of: .local) == nil, end(of: .remote) == nil
    else { return false }
    return (local == nil) != (remote == nil)
  }

  /// Whether a side is unchanged since the end of the run, or already holds its final version.
  ///
  /// The comparison uses contents, because the agreed versions may include later edits.
  private func stands(_ side: MergeSide) -> Bool {
    let isWritten = change.isWritten(side)
    if isWritten, isReached(side) || merged != nil { return true }
    let isTakenAway = sides.allSatisfy { side in
      guard change.isWritten(side) else { return true }
      if case .absent = target(of: side) { return true }
      return false
    }
    // Removing an addition does not change the side that held the item before.
    if !isWritten, isTakenAway { return true }
    let (now, left) = (now(side)?.fingerprint, change.left(on: side)?.fingerprint)
    if now == left { return true }
    // A later sync sent what the run wrote on the other side.
    if !isWritten, now != nil, now == change.left(on: side.other)?.fingerprint { return true }
    // A deleted item is restored if the side holds nothing; an existing version is kept.
    if !isWritten, left == nil { return isReached(side) }
    return side == .remote && now != nil && left != nil && isEcho
  }

  /// Whether the remote holds the server's alteration of the sent content.
  ///
  /// The ETag of a conflict belongs to an edit, unless undoing a run caused the conflict.
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

  private func effect(_ back: PutBack) -> PlanReason.UndoEffect {
    guard sides.count > 1 else {
      return merged == nil ? .restored : .restoredWithLaterEdits
    }
    return switch back.ending {
    case .agreed: .restored
    case .apart: .restoredApart
    case .alone(let side): .removed(side.other)
    }
  }

  private func skip(_ obstacle: UndoObstacle) -> PlannedOperation {
    PlannedOperation(skipping: uid, title: title, because: .notUndone(obstacle), isFailure: true)
  }

  private func plan(
    _ action: PlannedOperation.Action, _ effect: PlanReason.UndoEffect
  ) -> PlannedOperation {
    PlannedOperation(uid: uid, title: title, action: action, reason: .undo(effect))
  }

  private var title: String {
    local?.item.title ?? remote?.item?.title ?? change.title ?? uid.rawValue
  }
}

extension LedgerEntry {
  /// The entry with the server's alterations, if the sent content was now read back.
  fileprivate func noticing(_ remote: RemoteState?, _ form: NormalForm) -> LedgerEntry {
    guard isUnseen, let remote, let item = remote.item else { return self }
    var entry = self
    if let etag, etag == remote.entry.etag {
      // The ETag proves that this is the stored form of the sent version.
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
