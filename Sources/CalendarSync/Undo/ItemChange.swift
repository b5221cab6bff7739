// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The changes of a run to one item, on both sides.
struct ItemChange {
  /// The change of a run to one item on one side, with the version of the other side at that time.
  struct SideChange {
    let before: CalendarItem?
    let after: CalendarItem?
    let other: CalendarItem?
  }

  /// The intended state of a side after the undo.
  enum Target {
    /// The side stays unchanged.
    case leave
    /// The side does not hold the item.
    case absent
    /// The side holds this version.
    case item(CalendarItem)
  }

  /// The change of each side that was written.
  private let changes: [MergeSide: SideChange]
  /// The agreed versions before the run.
  let agreed: SplitMerge.Pair?
  /// The reason why the change cannot be undone, if any.
  let problem: UndoObstacle?

  /// Combines the journal lines of one item, in order.
  init(_ lines: [JournalLine], form: NormalForm) {
    var problem: UndoObstacle?
    func item(_ bytes: [UInt8]?) -> CalendarItem? {
      guard let bytes else { return nil }
      let item = try? CalendarItem(parsing: bytes, normalForm: form)
      if item == nil { problem = .unreadableVersion }
      return item
    }
    let local = item(lines.first?.agreed)
    let remote = item(lines.first?.agreedRemotely)
    agreed = local.map { SplitMerge.Pair(local: $0, remote: remote ?? $0) }
    var changes: [MergeSide: SideChange] = [:]
    for line in lines {
      let after = item(line.after)
      let side: MergeSide
      switch line.action {
      case .moveRemote:
        problem = .movedOnServer
        continue
      case .append:
        problem = .appended
        continue
      case .updateRemote where line.before == nil, .updateLocal where line.before == nil:
        problem = .unknownBefore
        continue
      case .createLocal, .updateLocal, .deleteLocal: side = .local
      case .createRemote, .updateRemote, .deleteRemote: side = .remote
      }
      // After a write the other side held the same content, unless the line contains another
      // version.
      changes[side] = SideChange(
        before: changes[side].map(\.before) ?? item(line.before), after: after,
        other: item(line.other) ?? after)
    }
    self.changes = changes
    self.problem = problem
    // A download has a place on the remote.
    isLocalAddition = lines.allSatisfy { $0.action == .createLocal && $0.href == nil }
  }

  /// A display title, from a previous version.
  var title: String? { changes[.local]?.before?.title ?? changes[.remote]?.before?.title }

  /// Whether the run wrote a side.
  func isWritten(_ side: MergeSide) -> Bool { changes[side] != nil }

  /// Whether the run added the item to the local calendar only: the copy of a conflict.
  let isLocalAddition: Bool

  /// Whether the run wrote nothing, but settled a conflict: the choice of the local version.
  var isChoice: Bool {
    guard let change = changes[.local], changes.count == 1, let after = change.after else {
      return false
    }
    return change.before?.fingerprint == after.fingerprint
      && change.other?.fingerprint != after.fingerprint
  }

  /// The version of a side at the end of the run.
  func left(on side: MergeSide) -> CalendarItem? {
    if let change = changes[side] { return change.after }
    return changes[side.other]?.other
  }

  /// The intended state of a side after the undo.
  ///
  /// A side that the run wrote gets its previous version back, or loses an added item. The other
  /// side keeps its version. If the other side holds nothing, it also gets the deleted item back,
  /// because the next sync would otherwise repeat the deletion.
  func target(of side: MergeSide, now: CalendarItem?) -> Target {
    if let change = changes[side] { return change.before.map { .item($0) } ?? .absent }
    guard now == nil, let other = changes[side.other], other.after == nil,
      let before = other.before
    else { return .leave }
    let isAsAgreed =
      before.fingerprint == (side == .local ? agreed?.remote : agreed?.local)?.fingerprint
    guard isAsAgreed, let agreed else { return .item(before) }
    return .item(side == .local ? agreed.local : agreed.remote)
  }
}
