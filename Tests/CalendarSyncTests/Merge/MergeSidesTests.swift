// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// The laws of merges with a waiting conflict, checked with generated items.
///
/// `forAll` describes how to replay a seed.
@Suite("Both sides of a merge with a waiting conflict")
struct MergeSidesTests {
  /// The agreed and the edited versions, with the alterations of a server.
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

  /// Expects one of ten generated items to be compared, unless a single seed is replayed.
  private func expectOften(
    _ count: Int, of tried: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      tried == 1 || count * 10 >= tried, "only \(count) of \(tried) generated items were compared",
      sourceLocation: sourceLocation)
  }

  @Test("Exchanging the sides changes neither the conflicts nor the version of each side")
  func exchanged() {
    var (tried, found, split) = (0, 0, 0)
    forAll(120) { random in
      tried += 1
      let sides = Sides(&random)
      guard sides.isConflict else { return }
      found += 1
      let there = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      let back = SplitMerge(
        MergeTrio.merge(), base: sides.base?.swapped, edited: sides.edited.swapped)
      try MergeTrio.promise(
        (there == nil) == (back == nil), "the versions are split in one direction only")
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
    expectOften(found, of: tried)
    #expect(split * 10 >= found * 9, "of \(found) conflicts, \(split) leave the rest to be merged")
  }

  @Test("A second merge changes neither the versions nor the agreement")
  func again() {
    var (tried, count) = (0, 0)
    forAll(80) { random in
      tried += 1
      let sides = Sides(&random)
      guard sides.isConflict,
        let split = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      else { return }
      count += 1
      let again = SplitMerge(MergeTrio.merge(), base: split.agreed, edited: split.items)
      try MergeTrio.promise(again != nil, "the conflict is not found again")
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
    expectOften(count, of: tried)
  }

  @Test("The versions are equal except for the waiting and the dropped parts")
  func rest() {
    var (tried, count) = (0, 0)
    forAll(120) { random in
      tried += 1
      let sides = Sides(&random)
      guard sides.isConflict, sides.base?.local.fingerprint == sides.base?.remote.fingerprint,
        let split = SplitMerge(MergeTrio.merge(), base: sides.base, edited: sides.edited)
      else { return }
      let waiting = split.conflicts.filter(\.isWaiting)
      // Dates that depend on a start wait with it.
      guard !waiting.contains(where: { $0.subject.hasPrefix("DTSTART") }) else { return }
      count += 1
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
    expectOften(count, of: tried)
  }
}

extension MergeConflict {
  /// The kind, the outcome and the subject, without what depends on a start.
  ///
  /// Each side identifies the occurrence by its own start, and dates may wait with the start.
  fileprivate var told: String { "\(kind), \(outcome): \(isOfStart ? "the start" : subject)" }
}
