// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// One item that is put back on the sides that a run wrote: first on the local one, and then on the other.
///
/// In between, both sides count as what they agreed on before the run. So a run that is cut off there
/// leaves edits, which the next one merges.
public struct PutBack: Hashable, Sendable {
  /// What is known of the item once it is put back.
  public enum Ending: Hashable, Sendable {
    /// Both sides hold what they agree on, or neither holds the item.
    case agreed
    /// The sides differ, and a person chooses.
    case apart
    /// This side alone holds the item, and the next sync adds it to the other one.
    case alone(MergeSide)
  }

  /// The sides that are still to be written; never empty.
  let sides: [MergeSide]
  /// What the local side holds in the end; nil for nothing.
  let localTarget: CalendarItem?
  /// What the remote side holds in the end; nil for nothing.
  let remoteTarget: CalendarItem?
  /// What the local side holds now.
  let local: LocalEntry?
  /// Where the item is on the remote now.
  let place: RemoteEntry?
  /// What the remote holds now.
  let remote: CalendarItem?
  /// What both sides agreed on before the run.
  let agreed: SplitMerge.Pair?
  /// The conflict of the item, which waits on unless it is put back.
  let conflict: StoredConflict?

  /// The side that is written now.
  var side: MergeSide { sides.first ?? .local }

  /// What is written now; nil to delete what is there.
  var content: CalendarItem? { side == .local ? localTarget : remoteTarget }

  /// Whether it is written over something.
  private var isReplacing: Bool { side == .local ? local != nil : remote != nil }

  /// What is done to the side that is written now.
  public var verb: Intent.Action {
    switch (side, content, isReplacing) {
    case (.local, nil, _): .deleteLocal
    case (.local, _, false): .createLocal
    case (.local, _, true): .updateLocal
    case (.remote, nil, _): .deleteRemote
    case (.remote, _, false): .createRemote
    case (.remote, _, true): .updateRemote
    }
  }

  /// Whether nothing is left to do once the side is written.
  public var isLast: Bool { sides.count == 1 }

  /// Whether both sides are without the item, and get it back.
  public var isRestoring: Bool { sides.count == 2 && local == nil && remote == nil }

  /// How it ends.
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

  /// What is left to do once the local side is written.
  func rest(_ local: LocalEntry?) -> PutBack? {
    guard sides.count > 1 else { return nil }
    return PutBack(
      sides: Array(sides.dropFirst()), localTarget: localTarget, remoteTarget: remoteTarget,
      local: local, place: place, remote: remote, agreed: agreed, conflict: conflict)
  }

  /// What is written down before the side is written.
  ///
  /// - Parameters:
  ///   - uid: The item.
  ///   - written: What is written, which may be a little more than what was asked for; nil for a deletion.
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

  /// What is written down once the local side holds what it is to hold, under a name.
  func settlement(_ uid: UID, local name: String) -> Settlement {
    settlement(uid, name, localTarget, remote, place)
  }

  /// What is written down once the remote side holds what was sent.
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

  /// What both sides agree on; the tag is that of what the remote holds now, and says nothing of another
  /// version.
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
