// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import ICalSyntax

/// Two edits of one item of which something waits for a choice, and the rest is merged.
///
/// Each side gets what the other one did, but keeps its own version of what waits. What the sides agree
/// on then has the base of it: so the next merge finds both edited it and nothing else, and whatever is
/// edited meanwhile goes on being merged.
package struct SplitMerge: Hashable, Sendable {
  /// What each side holds, or held when the sides last agreed.
  package struct Pair: Hashable, Sendable {
    /// The local version.
    package let local: CalendarItem
    /// The remote version.
    package let remote: CalendarItem

    /// Pairs two versions.
    package init(local: CalendarItem, remote: CalendarItem) {
      self.local = local
      self.remote = remote
    }

    /// The pair with the sides exchanged.
    package var swapped: Pair { Pair(local: remote, remote: local) }
  }

  /// What each side is to hold.
  package private(set) var items: Pair
  /// What the sides agree on once the local side holds its version, and the remote what it held before.
  let halfway: Pair
  /// What they agree on once both hold theirs.
  package private(set) var agreed: Pair
  /// What waits, and what was settled.
  package let conflicts: [MergeConflict]

  /// Merges what can be merged; nil if the next merge would not find just what waits.
  ///
  /// - Parameters:
  ///   - merge: How edits are merged.
  ///   - base: What the sides held when they last agreed, or nil if they never did.
  ///   - edited: What they hold now.
  package init?(_ merge: ThreeWayMerge, base: Pair?, edited: Pair) {
    guard edited.local.kind == edited.remote.kind else { return nil }
    let result = merge.merge(base, edited)
    let other = merge.swapped.merge(base?.swapped, edited.swapped)
    items = Pair(
      local: Self.version(edited.local, as: result.item),
      remote: Self.version(edited.remote, as: other.item))
    conflicts = result.conflicts
    guard let met = Self.agreement(merge, base, edited) else { return nil }
    let own = met.own
    halfway = Pair(
      local: base.map { merge.merge($0, Pair(local: $0.local, remote: own.remote)).item }
        ?? own.remote, remote: own.remote)
    agreed = met.agreed
    guard isAtRest(merge) else { return nil }
  }

  /// What the sides agree on beside what waits; nil if something waits there, too.
  private static func agreement(
    _ merge: ThreeWayMerge, _ base: Pair?, _ edited: Pair
  ) -> (own: Pair, agreed: Pair)? {
    let own = Pair(
      local: merge.undecided(
        localBase: base?.local, remoteBase: base?.remote, local: edited.local,
        remote: edited.remote),
      remote: merge.swapped.undecided(
        localBase: base?.remote, remoteBase: base?.local, local: edited.remote,
        remote: edited.local))
    let here = merge.merge(base, own)
    let there = merge.swapped.merge(base?.swapped, own.swapped)
    guard here.isClean, there.isClean else { return nil }
    return (own, Pair(local: here.item, remote: there.item))
  }

  /// A version as it was merged, or as it is if nothing but another SEQUENCE came to it.
  ///
  /// SEQUENCE is the number of a revision (RFC 5546 §2.1.4). While what was revised waits, so does its
  /// number: with it alone, one number would be that of two texts, and a server might tell attendees of
  /// a revision in which nothing is new.
  private static func version(
    _ edited: CalendarItem, as merged: CalendarItem
  ) -> CalendarItem {
    let isOnlyNumbered =
      merged.fingerprint != edited.fingerprint && unnumbered(merged) == unnumbered(edited)
    return isOnlyNumbered ? edited : merged
  }

  /// What an item means apart from its SEQUENCE.
  private static func unnumbered(_ item: CalendarItem) -> Fingerprint {
    let components = item.components.map { component in
      var plain = component
      plain[.sequence] = nil
      return plain
    }
    return item.normalForm.fingerprint(of: components, definitions: item.timeZones)
  }

  /// The merge with the remote versions in the wording in which they are sent.
  func sending(_ sent: CalendarItem, agreedOn rest: CalendarItem) -> SplitMerge {
    var copy = self
    copy.items = Pair(local: items.local, remote: sent)
    copy.agreed = Pair(local: agreed.local, remote: rest)
    return copy
  }

  /// Whether a merge of what the sides are to hold changes neither, finds that something waits, and
  /// agrees on the same beside it, so that every run comes to the same.
  private func isAtRest(_ merge: ThreeWayMerge) -> Bool {
    let here = merge.merge(agreed, items)
    let there = merge.swapped.merge(agreed.swapped, items.swapped)
    guard !here.isClean, !there.isClean,
      Self.version(items.local, as: here.item).fingerprint == items.local.fingerprint,
      Self.version(items.remote, as: there.item).fingerprint == items.remote.fingerprint,
      let again = Self.agreement(merge, agreed, items)?.agreed
    else { return false }
    return Self.unnumbered(again.local) == Self.unnumbered(agreed.local)
      && Self.unnumbered(again.remote) == Self.unnumbered(agreed.remote)
  }
}

extension ThreeWayMerge {
  fileprivate func merge(_ base: SplitMerge.Pair?, _ edited: SplitMerge.Pair) -> MergeResult {
    merge(
      localBase: base?.local, remoteBase: base?.remote, local: edited.local,
      remote: edited.remote)
  }
}
