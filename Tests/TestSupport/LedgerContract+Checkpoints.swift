// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Testing

/// From where the next run goes on.
extension LedgerContract {
  /// A checkpoint whose fields are all different.
  private static let checkpoint = SyncCheckpoint(
    cursor: RemoteCursor("feed 1\ntoken=ü"),
    unsettled: [
      RemoteEntry(href: Href("/cal/1%20.ics"), etag: EntityTag("W/\"1\"")),
      RemoteEntry(href: Href("/cal/2.ics"), etag: nil),
    ],
    unlisted: [Href("/cal/3%C3%BC.ics"), Href("/cal/4.ics")],
    unreported: [Href("/cal/5.ics"), Href("/cal/6.ics")],
    snapshot: LocalSnapshot([0, 1, 255]), isAtRest: true,
    verifiedAt: Instant(secondsSinceEpoch: 1_800_000_000))

  private static let start = Instant(secondsSinceEpoch: 1_800_000_000)

  static let checkpointClauses = [
    Clause(testDescription: "a checkpoint comes back as it was stored, and replaces the one before")
    {
      ledger in
      #expect(try await ledger.checkpoint(of: binding) == SyncCheckpoint())
      let run = try await ledger.beginRun(of: binding, at: start)
      try await ledger.store(checkpoint, in: run)
      #expect(try await ledger.checkpoint(of: binding) == checkpoint)
      try await ledger.store(SyncCheckpoint(), in: run)
      #expect(try await ledger.checkpoint(of: binding) == SyncCheckpoint())
    },
    Clause(testDescription: "cursors and snapshots of any length come back") { ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 5) }
      var edited = long
      (edited[0], edited[100_000], edited[199_999]) = (1, 2, 3)
      let values: [[UInt8]?] = [nil, [], [0], [0xFE], [0xFE, 1, 2], long, edited]
      for cursor in values {
        for snapshot in values {
          var expected = checkpoint
          expected.cursor = cursor.map(RemoteCursor.init(bytes:))
          expected.snapshot = snapshot.map(LocalSnapshot.init)
          try await ledger.store(expected, in: run)
          #expect(
            try await ledger.checkpoint(of: binding) == expected,
            "\(cursor?.count ?? -1) and \(snapshot?.count ?? -1) bytes")
        }
      }
    },
    Clause(testDescription: "a long cursor is lost like a short one") { ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      var expected = checkpoint
      expected.cursor = RemoteCursor(bytes: Array(repeating: 1, count: 100_000))
      try await ledger.store(expected, in: run)
      try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry("a")))], in: run)
      (expected.cursor, expected.isAtRest) = (nil, false)
      #expect(try await ledger.checkpoint(of: binding) == expected)
      expected.cursor = RemoteCursor(bytes: Array(repeating: 2, count: 100_000))
      try await ledger.store(expected, in: run)
      #expect(try await ledger.checkpoint(of: binding) == expected)
    },
    Clause(testDescription: "a run with another binding starts without a checkpoint") { ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      try await ledger.store(checkpoint, in: run)
      let other = SyncBinding(name: binding.name, local: "/elsewhere", remote: remote)
      _ = try await ledger.beginRun(of: other, at: start)
      for candidate in [binding, other] {
        #expect(try await ledger.checkpoint(of: candidate) == SyncCheckpoint())
      }
    },
    Clause(testDescription: "what is written down later makes a checkpoint one without a cursor") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      try await ledger.store(checkpoint, in: run)
      try await ledger.record([intent("a")], in: run)
      var expected = checkpoint
      expected.isAtRest = false
      #expect(try await ledger.checkpoint(of: binding) == expected)
      try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry("a")))], in: run)
      expected.cursor = nil
      #expect(try await ledger.checkpoint(of: binding) == expected)
    },
    Clause(testDescription: "an addition is unlisted from its settlement to the next checkpoint") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: start)
      try await ledger.record(
        [
          intent("a", .createRemote), intent("b", .moveRemote), intent("c", .updateRemote),
          intent("d", .createLocal), intent("e", .createRemote),
        ], in: run)
      let settled = ["a", "b", "c", "d"].map {
        Settlement(uid: UID($0), change: .record(entry($0, mark: $0)))
      }
      try await ledger.settle(
        settled + [Settlement(uid: UID("e"), change: .keep)], in: run)
      let places = ["a", "b"].map { entry($0, mark: $0).href }
      #expect(try await ledger.checkpoint(of: binding) == SyncCheckpoint(unlisted: places))
      var next = checkpoint
      try await ledger.store(next, in: run)
      #expect(try await ledger.checkpoint(of: binding) == next)
      try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry("a")))], in: run)
      (next.cursor, next.isAtRest) = (nil, false)
      #expect(try await ledger.checkpoint(of: binding) == next, "no addition is open any more")
    },
  ]
}
