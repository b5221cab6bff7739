// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// The undo of a run's changes to one item: first on the local side, then on the remote.
///
/// Between the two steps, the sides count as agreed on the versions from before the run. An
/// interruption therefore leaves edits, which the next run merges.
public struct PutBack: Hashable, Sendable {
  /// The state of the item after the undo.
  public enum Ending: Hashable, Sendable {
    /// Both sides hold agreed versions, or neither side holds the item.
    case agreed
    /// The sides differ, and the user has to choose.
    case apart
    /// Only this side holds the item, and the next sync adds it to the other one.
    case alone(MergeSide)
  }

  /// The remaining sides to write; never empty.
  let sides: [MergeSide]
  /// The final version of the local side; nil if it will not hold the item.
  let localTarget: CalendarItem?
  /// The final version of the remote side; nil if it will not hold the item.
  let remoteTarget: CalendarItem?
  /// The current version of the local side.
  let local: LocalEntry?
  /// The current place of the item on the remote.
  let place: RemoteEntry?
  /// The current version of the remote.
  let remote: CalendarItem?
  /// The agreed versions from before the run.
  let agreed: SplitMerge.Pair?
  /// The conflict of the item, which remains stored if the undo fails.
  let conflict: StoredConflict?

  /// The side to write next.
  var side: MergeSide { sides.first ?? .local }

  /// The content to write next; nil for a deletion.
  package var content: CalendarItem? { side == .local ? localTarget : remoteTarget }

  /// The version that is replaced or deleted next; nil if the side to write holds none.
  package var replaced: CalendarItem? { side == .local ? local?.item : remote }

  /// The change of the side to write next.
  var effect: Effect {
    Effect(content == nil ? .delete : replaced != nil ? .replace : .add, on: side)
  }

  /// The action on the side to write next.
  public var verb: Intent.Action {
    switch (effect.side, effect.kind) {
    case (.local, .add): .createLocal
    case (.local, .replace): .updateLocal
    case (.local, .delete): .deleteLocal
    case (.remote, .add): .createRemote
    case (.remote, .replace): .updateRemote
    case (.remote, .delete): .deleteRemote
    }
  }

  /// Whether this is the last side to write.
  public var isLast: Bool { sides.count == 1 }

  /// Whether neither side holds the item, and both get it back.
  public var isRestoring: Bool { sides.count == 2 && local == nil && remote == nil }

  /// The final state.
  public var ending: Ending {
    switch (localTarget, remoteTarget) {
    case (nil, nil): .agreed
    case (_?, nil): .alone(.local)
    case (nil, _?): .alone(.remote)
    case (let here?, let there?): isAgreement(here, there) ? .agreed : .apart
    }
  }

  private func isAgreement(_ here: CalendarItem, _ there: CalendarItem) -> Bool {
    here.fingerprint == there.fingerprint
      || here.fingerprint == agreed?.local.fingerprint
        && there.fingerprint == agreed?.remote.fingerprint
  }

  /// Whether the undo deletes the item on a side that holds it.
  func deletes(on side: MergeSide) -> Bool {
    guard sides.contains(side) else { return false }
    return side == .local
      ? local != nil && localTarget == nil : remote != nil && remoteTarget == nil
  }

  /// The remaining steps after the local side was written.
  func rest(_ local: LocalEntry?) -> PutBack? {
    guard sides.count > 1 else { return nil }
    return PutBack(
      sides: Array(sides.dropFirst()), localTarget: localTarget, remoteTarget: remoteTarget,
      local: local, place: place, remote: remote, agreed: agreed, conflict: conflict)
  }

  /// The same undo with other versions of the item on the local side.
  ///
  /// - Parameters:
  ///   - item: The restored version; nil for the one of this undo.
  ///   - entry: The current version; nil for the one of this undo.
  /// - Returns: The undo.
  func restoring(_ item: CalendarItem?, replacing entry: LocalEntry?) -> PutBack {
    PutBack(
      sides: sides, localTarget: item ?? localTarget, remoteTarget: remoteTarget,
      local: entry ?? local, place: place, remote: remote, agreed: agreed, conflict: conflict)
  }

  /// The intent of the next step.
  ///
  /// - Parameters:
  ///   - uid: The item.
  ///   - written: The content to write, which may include additions of the remote; nil for a
  ///     deletion.
  /// - Returns: The intent.
  func intent(_ uid: UID, writing written: CalendarItem?) -> Intent {
    let before = side == .local ? local?.item : remote
    let other = side == .local ? remote : local?.item
    let isSame = written != nil && other?.fingerprint == written?.fingerprint
    return Intent(
      uid: uid, action: verb, content: written?.serialized(), fingerprint: written?.fingerprint,
      before: before?.serialized(),
      mergedWith: written == nil || other == nil ? nil : agreed?.local.serialized(),
      other: isSame ? nil : other?.serialized(), href: place?.href, etag: place?.etag)
  }

  /// The settlement after the local side was written under a name.
  func settlement(_ uid: UID, local name: String) -> Settlement {
    settlement(uid, name, localTarget, remote, place)
  }

  /// The settlement after the remote side was written.
  func settlement(_ uid: UID, remote sent: CalendarItem?, at place: RemoteEntry?) -> Settlement {
    settlement(uid, local?.name, local?.item, sent, place)
  }

  private func settlement(
    _ uid: UID, _ name: String?, _ here: CalendarItem?, _ there: CalendarItem?,
    _ place: RemoteEntry?
  ) -> Settlement {
    guard let name, let here, let there, let place else {
      return Settlement(uid: uid, change: .forget)
    }
    if isLast, isAgreement(here, there) {
      let pair = SplitMerge.Pair(local: here, remote: there)
      return Settlement(uid: uid, change: .record(entry(uid, pair, name, place)))
    }
    let change = agreed.map { Settlement.Change.record(entry(uid, $0, name, place, now: there)) }
    guard isLast else { return Settlement(uid: uid, change: change ?? .forget) }
    let isSame = agreed?.local.fingerprint == agreed?.remote.fingerprint
    let conflict = StoredConflict(
      uid: uid, title: here.title, base: agreed?.local.serialized(),
      remoteBase: isSame ? nil : agreed?.remote.serialized(), local: here.serialized(),
      remote: there.serialized(), href: place.href, etag: place.etag, isTakenBack: true)
    return Settlement(uid: uid, change: change ?? .forget, conflict: conflict)
  }

  /// The entry of an agreed pair.
  ///
  /// Its ETag is that of the current remote version, and nil for any other version.
  private func entry(
    _ uid: UID, _ pair: SplitMerge.Pair, _ name: String, _ place: RemoteEntry,
    now there: CalendarItem? = nil
  ) -> LedgerEntry {
    let isSame = pair.local.fingerprint == pair.remote.fingerprint
    let isThere = there.map { $0.fingerprint == pair.remote.fingerprint } ?? true
    return LedgerEntry(
      uid: uid, localName: name, localBase: pair.local.fingerprint, href: place.href,
      etag: isThere ? place.etag : nil, remoteBase: pair.remote.fingerprint,
      base: pair.local.serialized(), remoteContent: isSame ? nil : pair.remote.serialized(),
      isUnseen: isThere && side == .remote)
  }
}
