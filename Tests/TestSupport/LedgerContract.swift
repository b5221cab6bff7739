// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
import CivilTime
public import Testing

/// What every ledger has to do, clause by clause: the database, and the doubles that stand in for it.
///
/// ```swift
/// @Test(arguments: LedgerContract.clauses)
/// func theContractIsKept(clause: LedgerContract.Clause) async throws {
///   try await clause.check(InMemoryLedger())
/// }
/// ```
public enum LedgerContract {
  /// One thing that a ledger has to do, tried on an empty one.
  public struct Clause: CustomTestStringConvertible, Sendable {
    /// What it has to do.
    public let testDescription: String
    /// Tries it on an empty ledger.
    public let check: @Sendable (any Ledger & RunHistory) async throws -> Void
  }

  /// A remote for tests.
  public static let remote = RemoteIdentity(
    kind: "caldav", location: "https://dav.example.org/work/", user: "alice")
  /// A binding for tests.
  public static let binding = SyncBinding(
    name: "work", local: "/home/alice/work", remote: remote)

  private static let early = Instant(secondsSinceEpoch: 1_800_000_000)
  private static let late = Instant(secondsSinceEpoch: 1_800_000_060)

  /// An entry whose fields are all different, and made of `mark`.
  public static func entry(_ uid: String, mark: String = "1", etag: String? = "\"e\"")
    -> LedgerEntry
  {
    LedgerEntry(
      uid: UID(uid), localName: "local \(mark)", localBase: Fingerprint("a\(mark)"),
      href: Href("/cal/\(mark)%20.ics"), etag: etag.map(EntityTag.init),
      remoteBase: Fingerprint("b\(mark)"), base: Array("base \(mark)".utf8),
      remoteContent: Array("remote content \(mark)".utf8), isUnseen: mark == "1")
  }

  /// An intent whose fields are all different, and made of `mark`.
  public static func intent(
    _ uid: String, _ action: Intent.Action = .updateRemote, mark: String = "1"
  ) -> Intent {
    Intent(
      uid: UID(uid), action: action, content: Array("content \(mark)\0\u{FF}".utf8),
      fingerprint: Fingerprint("c\(mark)"), before: Array("before \(mark)".utf8),
      mergedWith: Array("merged \(mark)".utf8), other: Array("other \(mark)".utf8),
      href: Href("/cal/\(mark)"), etag: EntityTag("W/\"\(mark)\""))
  }

  /// A conflict whose fields are all different, and made of `mark`.
  public static func conflict(_ uid: String, mark: String = "1") -> StoredConflict {
    StoredConflict(
      uid: UID(uid), title: "Lunch \(mark)", base: Array("base \(mark)".utf8),
      remoteBase: Array("remote base \(mark)".utf8), local: Array("local \(mark)".utf8),
      remote: Array("remote \(mark)".utf8), href: Href("/cal/\(mark)"),
      etag: EntityTag("\"\(mark)\""), isTakenBack: mark == "1")
  }

  /// All clauses.
  public static let clauses: [Clause] =
    entryClauses + intentClauses + conflictClauses + appendClauses + bindingClauses
    + checkpointClauses + propertyClauses + [recentChanges]

  private static let recentChanges = Clause(
    testDescription: "the recent changes are the last completed ones of a binding, newest first"
  ) { ledger in
    let first = try await ledger.beginRun(of: binding, at: early)
    try await ledger.record([intent("a"), intent("b")], in: first)
    try await ledger.settle(
      [Settlement(uid: UID("a"), change: .record(entry("a")))], in: first)
    let second = try await ledger.beginRun(of: binding, at: late)
    try await ledger.record([intent("c", mark: "2"), intent("d")], in: second)
    try await ledger.settle(
      [
        Settlement(uid: UID("c"), change: .record(entry("c"))),
        Settlement(uid: UID("d"), change: .keep),
      ], in: second)
    let changes = try await ledger.recentChanges(of: binding, limit: 9)
    #expect(changes.map(\.line.uid.rawValue) == ["c", "a"])
    #expect(changes.map(\.run) == [second, first])
    #expect(changes.map(\.startedAt) == [late, early])
    #expect(changes.first?.line.after == intent("c", mark: "2").content)
    #expect(try await ledger.recentChanges(of: binding, limit: 1).map(\.run) == [second])
    let other = SyncBinding(name: binding.name, local: "/elsewhere", remote: remote)
    #expect(try await ledger.recentChanges(of: other, limit: 9).isEmpty)
    let third = try await ledger.beginRun(of: other, at: late)
    try await ledger.record([intent("e")], in: third)
    try await ledger.settle([Settlement(uid: UID("e"), change: .forget)], in: third)
    #expect(try await ledger.recentChanges(of: other, limit: 9).map(\.line.uid) == [UID("e")])
  }

  private static let entryClauses = [
    Clause(testDescription: "an empty ledger knows nothing") { ledger in
      let entries = try await ledger.entries(of: binding)
      let intents = try await ledger.pendingIntents(of: binding)
      let conflicts = try await ledger.conflicts(of: binding)
      let appended = try await ledger.appended(to: remote)
      #expect(entries.isEmpty && intents.isEmpty && conflicts.isEmpty && appended.isEmpty)
    },
    Clause(testDescription: "entries come back as they were recorded, in order of UID") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      let entries = ["b", "a\0x", "a", "B", "ü", "a\u{308}"].enumerated()
        .map { entry($0.element, mark: "\($0.offset)") }
      try await ledger.settle(
        entries.map { Settlement(uid: $0.uid, change: .record($0)) }, in: run)
      #expect(
        try await ledger.entries(of: binding)
          == entries.sorted { $0.uid.rawValue.utf8.lexicographicallyPrecedes($1.uid.rawValue.utf8) }
      )
    },
    Clause(testDescription: "an item that the sync has sent stays its own until it is forgotten") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      for (mark, isOwn) in [("1", true), ("2", true), ("3", true), ("-", false), ("2", false)] {
        let change: Settlement.Change =
          mark == "-" ? .forget : .record(entry("a", mark: mark))
        try await ledger.settle([Settlement(uid: UID("a"), change: change)], in: run)
        #expect(try await ledger.entries(of: binding).contains { $0.isOwn } == isOwn, "\(mark)")
      }
    },
    Clause(testDescription: "the places of some are those of all that are asked for, and counted") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      let entries = ["b", "a\0x", "a", "ü"].enumerated()
        .map { entry($0.element, mark: "\($0.offset)") }
      try await ledger.settle(
        entries.map { Settlement(uid: $0.uid, change: .record($0)) }, in: run)
      let some = try await ledger.places(of: binding, for: [UID("a\0x"), UID("ü"), UID("none")])
      #expect(Set(some.places) == [LedgerSummary(entries[1]), LedgerSummary(entries[3])])
      #expect(some.count == 4)
      #expect(Set(try await ledger.places(of: binding)) == Set(entries.map(LedgerSummary.init)))
      let other = SyncBinding(name: binding.name, local: "/elsewhere", remote: remote)
      let none = try await ledger.places(of: other, for: [UID("a")])
      #expect(none.places.isEmpty && none.count == 0)
    },
    Clause(testDescription: "places are found by their hrefs in any spelling, each once") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      var entries = (0..<4).map { entry("\($0)", mark: "\($0)") }
      try await ledger.settle(
        entries.map { Settlement(uid: $0.uid, change: .record($0)) }, in: run)
      entries[3].href = Href("/cal/moved.ics")
      try await ledger.settle(
        [Settlement(uid: entries[3].uid, change: .record(entries[3]))], in: run)
      let hrefs = [
        "/cal/0%20.ics", "https://dav.example.org/cal/1 .ics", "/cal/1%20.ics", "/cal/moved.ics",
        "/cal/3%20.ics", "/elsewhere",
      ]
      let some = try await ledger.places(of: binding, for: [UID("1")], at: hrefs.map(Href.init))
      #expect(Set(some.places) == Set([0, 1, 3].map { LedgerSummary(entries[$0]) }))
      #expect(some.places.count == 3 && some.count == 4)
      let other = SyncBinding(name: binding.name, local: "/elsewhere", remote: remote)
      #expect(
        try await ledger.places(of: other, for: [], at: hrefs.map(Href.init)).places.isEmpty)
    },
    Clause(testDescription: "what an entry lacks stays lacking") { ledger in
      var bare = entry("a", etag: nil)
      bare.base = nil
      bare.remoteContent = nil
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.settle([Settlement(uid: bare.uid, change: .record(bare))], in: run)
      #expect(try await ledger.entries(of: binding) == [bare])
    },
    Clause(testDescription: "a later record replaces, keep keeps, forget forgets") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      for mark in ["1", "2"] {
        try await ledger.settle(
          [Settlement(uid: UID("a"), change: .record(entry("a", mark: mark)))], in: run)
      }
      try await ledger.settle(
        [
          Settlement(uid: UID("a"), change: .keep), Settlement(uid: UID("b"), change: .keep),
          Settlement(uid: UID("c"), change: .forget),
        ], in: run)
      var last = entry("a", mark: "2")
      last.isOwn = true
      #expect(try await ledger.entries(of: binding) == [last])
      try await ledger.settle([Settlement(uid: UID("a"), change: .forget)], in: run)
      #expect(try await ledger.entries(of: binding) == [])
    },
    Clause(testDescription: "what one run records the next one knows") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry("a")))], in: run)
      try await ledger.endRun(run, summary: RunSummary(), at: late)
      #expect(try await ledger.beginRun(of: binding, at: late) != run)
      #expect(try await ledger.entries(of: binding) == [entry("a")])
    },
  ]

  private static let intentClauses = [
    Clause(testDescription: "intents are pending until their item is settled, whatever the outcome")
    {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      let intents = [
        intent("b", .createRemote), intent("a", .deleteLocal), intent("c", .append, mark: "2"),
      ]
      try await ledger.record(intents, in: run)
      #expect(try await ledger.pendingIntents(of: binding) == intents)
      try await ledger.settle(
        [
          Settlement(uid: UID("a"), change: .forget), Settlement(uid: UID("b"), change: .keep),
        ], in: run)
      #expect(try await ledger.pendingIntents(of: binding) == [intents[2]])
    },
    Clause(testDescription: "an intent without content comes back without content") { ledger in
      let bare = Intent(
        uid: UID("a"), action: .deleteRemote, content: nil, fingerprint: nil, before: nil,
        href: nil,
        etag: nil)
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.record([bare], in: run)
      #expect(try await ledger.pendingIntents(of: binding) == [bare])
    },
    Clause(testDescription: "intents of a run that was cut off wait for the next one") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.record([intent("a")], in: run)
      let next = try await ledger.beginRun(of: binding, at: late)
      #expect(try await ledger.pendingIntents(of: binding) == [intent("a")])
      try await ledger.record([intent("a", mark: "2")], in: next)
      #expect(
        try await ledger.pendingIntents(of: binding) == [intent("a"), intent("a", mark: "2")])
      try await ledger.settle([Settlement(uid: UID("a"), change: .keep)], in: next)
      #expect(try await ledger.pendingIntents(of: binding) == [])
    },
    Clause(testDescription: "an intent that is recorded again is pending once") { ledger in
      for _ in 0..<3 {
        let run = try await ledger.beginRun(of: binding, at: early)
        try await ledger.record([intent("a")], in: run)
      }
      #expect(try await ledger.pendingIntents(of: binding) == [intent("a")])
    },
  ]

  private static let conflictClauses = [
    Clause(testDescription: "a conflict waits until its item is settled without one") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      let conflicts = [conflict("a"), conflict("b")]
      try await ledger.settle(
        conflicts.reversed().map { Settlement(uid: $0.uid, change: .keep, conflict: $0) }, in: run)
      #expect(try await ledger.conflicts(of: binding) == conflicts)
      try await ledger.settle(
        [
          Settlement(uid: UID("a"), change: .record(entry("a"))),
          Settlement(uid: UID("b"), change: .keep, conflict: conflict("b", mark: "2")),
        ], in: run)
      #expect(try await ledger.conflicts(of: binding) == [conflict("b", mark: "2")])
    },
    Clause(testDescription: "a conflict with a deletion keeps what there is") { ledger in
      let bare = StoredConflict(
        uid: UID("a"), title: "", base: nil, local: [], remote: nil, etag: nil)
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.settle([Settlement(uid: bare.uid, change: .keep, conflict: bare)], in: run)
      #expect(try await ledger.conflicts(of: binding) == [bare])
    },
  ]

  private static let appendClauses = [
    Clause(testDescription: "what was added is remembered for the remote and not for the sync") {
      ledger in
      let record = AppendRecord(
        uid: UID("a"), href: Href("/x"), etag: nil, fingerprint: Fingerprint("f"))
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.record([intent("a", .append)], in: run)
      try await ledger.settle([Settlement(uid: record.uid, change: .appended(record))], in: run)
      #expect(try await ledger.pendingIntents(of: binding) == [])
      #expect(try await ledger.entries(of: binding) == [])
      _ = try await ledger.beginRun(
        of: SyncBinding(name: "work", local: "/elsewhere", remote: remote), at: late)
      #expect(try await ledger.appended(to: remote) == [record])
      #expect(
        try await ledger.appended(
          to: RemoteIdentity(kind: "caldav", location: remote.location, user: "bob")) == [])
    }
  ]

  private static let bindingClauses = [
    Clause(testDescription: "no state is used with another binding than its own") { ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      try await ledger.record([intent("b")], in: run)
      try await ledger.settle(
        [
          Settlement(uid: UID("a"), change: .record(entry("a")), conflict: conflict("a"))
        ], in: run)
      for other in otherBindings {
        #expect(try await ledger.entries(of: other) == [])
        #expect(try await ledger.pendingIntents(of: other) == [])
        #expect(try await ledger.conflicts(of: other) == [])
      }
      #expect(try await ledger.entries(of: binding) == [entry("a")])
    },
    Clause(testDescription: "what is outside of a filter is replaced, and goes with the binding") {
      ledger in
      let run = try await ledger.beginRun(of: binding, at: early)
      let first = OutsideItem(
        side: .remote, uid: UID("a"), place: "/cal/a.ics", version: "\"1\"", until: late)
      let second = OutsideItem(
        side: .local, uid: UID("a"), place: "a.ics", version: "f", until: nil)
      let newer = OutsideItem(
        side: .remote, uid: UID("b"), place: "/cal/a.ics", version: "\"2\"", until: nil)
      try await ledger.store(outside: [first, second], in: run)
      #expect(Set(try await ledger.outside(of: binding)) == [first, second])
      try await ledger.store(outside: [second, newer], in: run)
      #expect(Set(try await ledger.outside(of: binding)) == [second, newer])
      for other in otherBindings {
        #expect(try await ledger.outside(of: other) == [])
      }
      for other in otherBindings where other.name == binding.name {
        _ = try await ledger.beginRun(of: other, at: late)
        #expect(try await ledger.outside(of: binding) == [])
        _ = try await ledger.beginRun(of: binding, at: late)
      }
    },
    Clause(testDescription: "a run with another binding starts over") { ledger in
      for other in otherBindings where other.name == binding.name {
        let run = try await ledger.beginRun(of: binding, at: early)
        try await ledger.record([intent("b")], in: run)
        try await ledger.settle(
          [
            Settlement(uid: UID("a"), change: .record(entry("a")), conflict: conflict("a"))
          ], in: run)
        _ = try await ledger.beginRun(of: other, at: late)
        for candidate in [binding, other] {
          #expect(try await ledger.entries(of: candidate) == [])
          #expect(try await ledger.pendingIntents(of: candidate) == [])
          #expect(try await ledger.conflicts(of: candidate) == [])
        }
      }
    },
    Clause(testDescription: "what several syncs settle together is settled whole or not at all") {
      ledger in
      let other = SyncBinding(name: "home", local: binding.local, remote: remote)
      let departure = try await ledger.beginRun(of: binding, at: early)
      try await ledger.settle(
        [Settlement(uid: UID("a"), change: .record(entry("a")))], in: departure)
      let arrival = try await ledger.beginRun(of: other, at: early)
      try await ledger.record([intent("a")], in: arrival)
      let left = Settlement(uid: UID("a"), change: .forget)
      let came = Settlement(uid: UID("a"), change: .record(entry("a", mark: "2")))
      await #expect(throws: (any Error).self) {
        try await ledger.settle([
          departure: [left], arrival: [came], RunID(arrival.rawValue + 1): [came],
        ])
      }
      #expect(try await ledger.entries(of: binding) == [entry("a")])
      #expect(try await ledger.pendingIntents(of: other) == [intent("a")])
      try await ledger.settle([departure: [left], arrival: [came]])
      #expect(try await ledger.entries(of: binding) == [])
      #expect(try await ledger.entries(of: other) == [entry("a", mark: "2")])
      #expect(try await ledger.pendingIntents(of: other) == [])
    },
    Clause(testDescription: "syncs of other names keep apart") { ledger in
      let other = SyncBinding(name: "home", local: binding.local, remote: remote)
      let runs = [
        try await ledger.beginRun(of: binding, at: early),
        try await ledger.beginRun(of: other, at: early),
      ]
      for (run, mark) in zip(runs, ["1", "2"]) {
        try await ledger.record([intent("b", mark: mark)], in: run)
        try await ledger.settle(
          [Settlement(uid: UID("a"), change: .record(entry("a", mark: mark)))], in: run)
      }
      #expect(try await ledger.entries(of: binding) == [entry("a", mark: "1")])
      #expect(try await ledger.entries(of: other) == [entry("a", mark: "2")])
      #expect(try await ledger.pendingIntents(of: other) == [intent("b", mark: "2")])
    },
  ]

  static let otherBindings = [
    SyncBinding(name: "home", local: binding.local, remote: remote),
    SyncBinding(name: binding.name, local: "/home/alice/other", remote: remote),
    SyncBinding(
      name: binding.name, local: binding.local,
      remote: RemoteIdentity(kind: "folder", location: remote.location, user: remote.user)),
    SyncBinding(
      name: binding.name, local: binding.local,
      remote: RemoteIdentity(kind: remote.kind, location: "https://dav.example.org/", user: "alice")
    ),
    SyncBinding(
      name: binding.name, local: binding.local,
      remote: RemoteIdentity(kind: remote.kind, location: remote.location)),
    SyncBinding(
      name: binding.name, local: binding.local, remote: remote, filter: "past=90"),
  ]
}
