// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// Checks that merges ignore the notation and the alterations of a server.
///
/// The items are generated; `forAll` describes how to replay a seed.
@Suite("The merge and notations")
struct MergeWordingTests {
  @Test("Another notation is no edit and no conflict, and leads to an equal result")
  func spelling() {
    forAll(20) { random in
      let trio = MergeTrio(&random)
      let other = trio.spelled(&random)
      for (draft, spelled) in [(trio.base, other.base), (trio.local, other.local)] {
        try MergeTrio.promise(
          draft.normal.fingerprint == spelled.normal.fingerprint,
          "the words mean something else: \(MergeTrio.difference(draft.item, spelled.item))")
      }
      for policy in MergeTrio.policies {
        let plain = MergeTrio.merge(policy).merge(
          base: trio.base.item, local: trio.local.item, remote: trio.remote.item)
        let result = MergeTrio.merge(policy).merge(
          base: other.base.item, local: other.local.item, remote: other.remote.item)
        try promise(result, says: plain.item, and: plain.conflicts, by: policy)
      }
    }
  }

  @Test("The alterations of a server are no edits, and dropped values are kept")
  func server() {
    forAll(20) { random in
      let trio = MergeTrio(&random)
      let (base, local) = (trio.base.item, trio.local.item)
      let remote = trio.remote.droppedPart(of: trio.base)
      let held = trio.base.stored(&random).item
      let holds = remote.stored(&random).item
      for policy in MergeTrio.policies {
        let merge = MergeTrio.merge(policy)
        let own = merge.merge(localBase: base, remoteBase: held, local: local, remote: held)
        try MergeTrio.promise(
          own.item == local && own.conflicts == [], "an edit was made up: \(own.conflicts)")
        let foreign = merge.merge(localBase: base, remoteBase: held, local: base, remote: holds)
        try promise(foreign, says: remote.normal, and: [], by: policy)
        let both = merge.merge(localBase: base, remoteBase: held, local: local, remote: holds)
        let plain = merge.merge(base: base, local: local, remote: remote.item)
        try promise(both, says: plain.item, and: plain.conflicts, by: policy)
      }
    }
  }

  @Test("The comparison finds differences exactly if the fingerprints differ")
  func comparison() {
    forAll(20) { random in
      let trio = MergeTrio(&random)
      let other = trio.spelled(&random)
      for (one, other) in [
        (trio.base, other.base), (trio.base, other.local), (trio.local, other.remote),
      ] {
        let (one, other) = (one.normal, other.normal)
        try MergeTrio.promise(
          MergeTrio.rows(one, other).isEmpty == (one.fingerprint == other.fingerprint),
          MergeTrio.difference(one, other))
      }
    }
  }

  /// Checks the result of a merge regardless of its notation.
  private func promise(
    _ result: MergeResult, says item: CalendarItem, and conflicts: [MergeConflict],
    by policy: MergePolicy
  ) throws {
    try MergeTrio.promise(
      result.item.fingerprint == item.fingerprint,
      "\(policy): \(MergeTrio.difference(item, result.item))")
    try MergeTrio.promise(
      result.conflicts.verdicts == conflicts.verdicts,
      "\(policy): \(conflicts) but \(result.conflicts)\n\(MergeTrio.text(result.item))")
  }
}

extension [MergeConflict] {
  /// The subjects and outcomes, regardless of the notation of occurrences and ends.
  fileprivate var verdicts: Set<[String]> {
    Set(
      map { conflict in
        let isTime = conflict.subject.hasPrefix("DTSTART")
        return ["\(conflict.kind)", "\(conflict.outcome)", isTime ? "the time" : conflict.subject]
      })
  }
}
