// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Two edits of one item of which something waits for a choice, and the rest is merged.
///
/// Each side gets what the other one did, but keeps its own version of what waits. What the sides agree
/// on then has the base of it: so the next merge finds both edited it and nothing else, and whatever is
/// edited meanwhile goes on being merged.
struct SplitMerge: Hashable, Sendable {
  /// What each side holds, or held when the sides last agreed.
  struct Pair: Hashable, Sendable {
    let local: CalendarItem
    let remote: CalendarItem
  }

  /// What each side is to hold.
  private(set) var items: Pair
  /// What the sides agree on once the local side holds its version, and the remote what it held before.
  let halfway: Pair
  /// What they agree on once both hold theirs.
  private(set) var agreed: Pair
  /// What waits, and what was settled.
  let conflicts: [MergeConflict]

  /// Merges what can be merged; nil if the next merge would not find just what waits.
  ///
  /// - Parameters:
  ///   - merge: How edits are merged.
  ///   - base: What the sides held when they last agreed, or nil if they never did.
  ///   - edited: What they hold now.
  init?(_ merge: ThreeWayMerge, base: Pair?, edited: Pair) {
    guard edited.local.kind == edited.remote.kind else { return nil }
    let own = Pair(
      local: merge.undecided(
        localBase: base?.local, remoteBase: base?.remote, local: edited.local,
        remote: edited.remote),
      remote: merge.swapped.undecided(
        localBase: base?.remote, remoteBase: base?.local, local: edited.remote,
        remote: edited.local))
    let result = merge.merge(base, edited)
    items = Pair(
      local: result.item, remote: merge.swapped.merge(base?.swapped, edited.swapped).item)
    conflicts = result.conflicts
    let both = merge.merge(base, own)
    let back = merge.swapped.merge(base?.swapped, own.swapped)
    agreed = Pair(local: both.item, remote: back.item)
    halfway = Pair(
      local: base.map { merge.merge($0, Pair(local: $0.local, remote: own.remote)).item }
        ?? own.remote, remote: own.remote)
    guard both.isClean, isAtRest(merge) else { return nil }
  }

  /// The merge with the remote versions in the wording in which they are sent.
  func sending(_ sent: CalendarItem, agreedOn rest: CalendarItem) -> SplitMerge {
    var copy = self
    copy.items = Pair(local: items.local, remote: sent)
    copy.agreed = Pair(local: agreed.local, remote: rest)
    return copy
  }

  /// Whether a merge of what the sides are to hold changes neither, and finds that something waits.
  private func isAtRest(_ merge: ThreeWayMerge) -> Bool {
    let here = merge.merge(agreed, items)
    let there = merge.swapped.merge(agreed.swapped, items.swapped)
    return !here.isClean && here.item.fingerprint == items.local.fingerprint
      && there.item.fingerprint == items.remote.fingerprint
  }
}

extension SplitMerge.Pair {
  /// The pair with the sides exchanged.
  fileprivate var swapped: SplitMerge.Pair { SplitMerge.Pair(local: remote, remote: local) }
}

extension ThreeWayMerge {
  fileprivate func merge(_ base: SplitMerge.Pair?, _ edited: SplitMerge.Pair) -> MergeResult {
    merge(
      localBase: base?.local, remoteBase: base?.remote, local: edited.local,
      remote: edited.remote)
  }
}
