// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// What waits for a choice, seen from either side.
///
/// Tried on generated items; see `forAll` for how to replay a seed.
@Suite("Sides of a merge of which something waits")
struct MergeSidesTests {
  /// What both sides held, and what they hold, with a server between that may rewrite and drop.
  private struct Sides {
    let base: SplitMerge.Pair?
    let edited: SplitMerge.Pair
    var isConflict: Bool {
      !MergeTrio.merge().merge(
        localBase: base?.local, remoteBase: base?.remote, local: edited.local,
        remote: edited.remote
      ).isClean
    }

    init(_ random: inout SeededGenerator) {
      let trio = MergeTrio(&random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let remote = trio.remote.droppedPart(of: trio.base)
        base = .init(local: trio.base.normal, remote: trio.base.stored(&random).normal)
        edited = .init(local: trio.local.normal, remote: remote.stored(&random).normal)
      case 1:
        base = nil
        edited = .init(local: trio.local.normal, remote: trio.remote.normal)
      default:
        base = .init(local: trio.base.normal, remote: trio.base.normal)
        edited = .init(local: trio.local.normal, remote: trio.remote.normal)
      }
    }
  }

  @Test("With the sides exchanged, the same waits, and each side is to hold what it was to hold")
  func exchanged() {
    var (found, split) = (0, 0)
    forAll(120) { random in
      let sides = Sides(&random)
      guard sides.isConflict else { return }
      found += 1
      let there = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      let back = SplitMerge(
        MergeTrio.merge(), base: sides.base?.swapped, edited: sides.edited.swapped)
      try MergeTrio.promise((there == nil) == (back == nil), "it can be told apart only one way")
      guard let there, let back else { return }
      split += 1
      try MergeTrio.promise(
        there.conflicts.map(\.told).sorted() == back.conflicts.map(\.swapped.told).sorted(),
        "other conflicts: \(there.conflicts) \(back.conflicts)")
      for (one, other) in [
        (there.items, back.items.swapped), (there.agreed, back.agreed.swapped),
      ] {
        try MergeTrio.promise(
          one.local.fingerprint == other.local.fingerprint,
          "here: \(MergeTrio.difference(one.local, other.local))")
        try MergeTrio.promise(
          one.remote.fingerprint == other.remote.fingerprint,
          "there: \(MergeTrio.difference(one.remote, other.remote))")
      }
    }
    #expect(split * 10 >= found * 9, "of \(found) conflicts, \(split) leave the rest to be merged")
  }

  @Test("Merging again what each side is to hold changes nothing, nor what they agree on")
  func again() {
    forAll(80) { random in
      let sides = Sides(&random)
      guard sides.isConflict,
        let split = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      else { return }
      let again = SplitMerge(MergeTrio.merge(), base: split.agreed, edited: split.items)
      try MergeTrio.promise(again != nil, "what waits is not found again")
      guard let again else { return }
      for (name, one, other) in [
        ("here", split.items.local, again.items.local),
        ("there", split.items.remote, again.items.remote),
        ("agreed here", split.agreed.local, again.agreed.local),
        ("agreed there", split.agreed.remote, again.agreed.remote),
      ] {
        let rows = MergeTrio.rows(one, other).filter { $0.subject != "SEQUENCE" }
        try MergeTrio.promise(rows.isEmpty, "\(name): \(MergeTrio.difference(one, other))")
      }
      let waiting = split.conflicts.filter(\.isWaiting).map(\.told).sorted()
      try MergeTrio.promise(
        again.conflicts.filter(\.isWaiting).map(\.told).sorted() == waiting,
        "\(waiting) waited, and now \(again.conflicts)")
    }
  }

  @Test("The sides are to hold the same, but for what waits and what a server drops")
  func rest() {
    forAll(120) { random in
      let sides = Sides(&random)
      guard sides.isConflict, sides.base?.local.fingerprint == sides.base?.remote.fingerprint,
        let split = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      else { return }
      let waiting = split.conflicts.filter(\.isWaiting)
      // Dates that are reckoned from a start wait with it.
      guard !waiting.contains(where: { $0.subject.hasPrefix("DTSTART") }) else { return }
      for row in MergeTrio.rows(split.items.local, split.items.remote) {
        let names = row.subject.split(separator: ", ").map(String.init)
        let isWaiting = waiting.contains { conflict in
          let own = conflict.subject.split { $0 == "," || $0 == " " }.map(String.init)
          return conflict.subject.hasPrefix("V") || names.contains { own.contains($0) }
        }
        try MergeTrio.promise(
          isWaiting || row.subject == "SEQUENCE",
          "\(row) does not wait\n\(MergeTrio.difference(split.items.local, split.items.remote))")
      }
    }
  }
}

extension MergeConflict {
  /// What is told of it, but for the occurrence, which each side names by the start that it has, and for the
  /// dates that wait with a start: an exclusion that is settled waits no more.
  fileprivate var told: String { "\(kind), \(outcome): \(isOfStart ? "the start" : subject)" }
}
