// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import ICalSyntax

// Worked example. Both sides edited the summary, and each side edited something else:
//
//                       SUMMARY    LOCATION   PRIORITY
//     base              Review     Room 1     5
//     local             Report     Room 1     3
//     remote            Meeting    Room 2     5
//
// Each side gets the other side's edit, and keeps its own summary. `items` are written:
//
//     items.local       Report     Room 2     3
//     items.remote      Meeting    Room 2     3
//
// The ledger stores what the sides agree on. With `agreed`, the next run finds edits of the summary
// on both sides and nothing else:
//
//     agreed            Review     Room 2     3
//
// The local side is written first. Until the remote version is sent, `halfway` is stored. With it,
// the next run finds the local edit of the priority, which the remote does not have yet:
//
//     halfway           Review     Room 2     5
//
// `agreed` is the merge of the undecided versions of both sides, each with the base of the summary:
//
//     undecided local   Review     Room 1     3
//     undecided remote  Review     Room 2     5

/// A merge of two edits that resolves everything except the conflicting parts.
///
/// Each side gets the other side's changes, but keeps its own version of the conflicting parts. The
/// agreed version contains their base. The next merge therefore finds exactly these parts edited on
/// both sides, and other edits continue to be merged.
package struct SplitMerge: Hashable, Sendable {
  /// A version of each side.
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

  /// The final versions of both sides.
  package private(set) var items: Pair
  /// The agreed versions after only the local side was written.
  let halfway: Pair
  /// The agreed versions after both sides were written.
  package private(set) var agreed: Pair
  /// The unresolved and the resolved conflicts.
  package let conflicts: [MergeConflict]

  /// Merges the parts without conflicts; nil if a second merge would find other conflicts.
  ///
  /// - Parameters:
  ///   - merge: The merge of concurrent edits.
  ///   - base: The last agreed versions, or nil if the sides never agreed.
  ///   - edited: The current versions.
  package init?(_ merge: ThreeWayMerge, base: Pair?, edited: Pair) {
    guard edited.local.kind == edited.remote.kind else { return nil }
    let result = merge.merge(base, edited)
    let other = merge.swapped.merge(base?.swapped, edited.swapped)
    items = Pair(
      local: Self.version(edited.local, as: result.item),
      remote: Self.version(edited.remote, as: other.item))
    conflicts = result.conflicts
    let undecided = Self.undecided(merge, base, edited)
    guard let agreed = Self.agreement(merge, base, undecided) else { return nil }
    halfway = Pair(
      local: base.map { merge.merge($0, Pair(local: $0.local, remote: undecided.remote)).item }
        ?? undecided.remote, remote: undecided.remote)
    self.agreed = agreed
    guard isAtRest(merge) else { return nil }
  }

  /// The versions of both sides with the base of the conflicting parts.
  private static func undecided(_ merge: ThreeWayMerge, _ base: Pair?, _ edited: Pair) -> Pair {
    Pair(
      local: merge.undecided(
        localBase: base?.local, remoteBase: base?.remote, local: edited.local,
        remote: edited.remote),
      remote: merge.swapped.undecided(
        localBase: base?.remote, remoteBase: base?.local, local: edited.remote,
        remote: edited.local))
  }

  /// The agreed versions, merged from the undecided ones; nil if these conflict, too.
  private static func agreement(
    _ merge: ThreeWayMerge, _ base: Pair?, _ undecided: Pair
  ) -> Pair? {
    let here = merge.merge(base, undecided)
    let there = merge.swapped.merge(base?.swapped, undecided.swapped)
    guard here.isClean, there.isClean else { return nil }
    return Pair(local: here.item, remote: there.item)
  }

  /// The merged version, or the unmerged one if only its SEQUENCE would change.
  ///
  /// SEQUENCE is the revision number (RFC 5546 §2.1.4). It is unresolved together with the revised
  /// part. Otherwise one number would belong to two contents, and a server might notify attendees
  /// about a revision without changes.
  private static func version(
    _ edited: CalendarItem, as merged: CalendarItem
  ) -> CalendarItem {
    let isOnlyNumbered =
      merged.fingerprint != edited.fingerprint && unnumbered(merged) == unnumbered(edited)
    return isOnlyNumbered ? edited : merged
  }

  /// The meaning of an item without its SEQUENCE.
  private static func unnumbered(_ item: CalendarItem) -> Fingerprint {
    let components = item.components.map { component in
      var plain = component
      plain[.sequence] = nil
      return plain
    }
    return item.normalForm.fingerprint(of: components, definitions: item.timeZones)
  }

  /// The merge with the remote versions as they are sent.
  func sending(_ sent: CalendarItem, agreedOn rest: CalendarItem) -> SplitMerge {
    var copy = self
    copy.items = Pair(local: items.local, remote: sent)
    copy.agreed = Pair(local: agreed.local, remote: rest)
    return copy
  }

  /// Whether another merge of the final versions is stable, so that every run has the same result.
  ///
  /// A stable merge changes neither version, finds a conflict, and has the same agreed versions.
  private func isAtRest(_ merge: ThreeWayMerge) -> Bool {
    let here = merge.merge(agreed, items)
    let there = merge.swapped.merge(agreed.swapped, items.swapped)
    guard !here.isClean, !there.isClean,
      Self.version(items.local, as: here.item).fingerprint == items.local.fingerprint,
      Self.version(items.remote, as: there.item).fingerprint == items.remote.fingerprint,
      let again = Self.agreement(merge, agreed, Self.undecided(merge, agreed, items))
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
