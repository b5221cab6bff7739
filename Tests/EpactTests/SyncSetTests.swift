// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

/// Two folders that are synced by calls of the library, without a configuration or a program.
struct SyncScene {
  static let purpose = "Keeps a copy of my appointments on a disk."

  let folder: TemporaryFolder
  let machine: Machine

  init(local: [String] = ["Dentist"], remote: [String] = []) throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.policyPaths = []
    machine.userName = { "ada" }
    self.machine = machine
    for side in ["local", "remote"] { try PrivateFolder.make(folder.path(of: side)) }
    for title in local { try write(title, titled: title, to: "local") }
    for title in remote { try write(title, titled: title, to: "remote") }
  }

  func write(_ uid: String, titled title: String, to side: String) throws {
    try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
        "DTSTAMP:20261101T000000Z", "DTSTART:20261124T090000Z", "SUMMARY:\(title)", "END:VEVENT",
        "END:VCALENDAR",
      ], to: "\(side)/\(uid).ics")
  }

  func text(_ uid: String, in side: String) throws -> String {
    String(decoding: try folder.bytes(of: "\(side)/\(uid).ics"), as: UTF8.self)
  }

  var set: SyncSet {
    SyncSet(
      [
        Sync(
          "home", local: .folder("local"), remote: .folder(path: folder.path(of: "remote")))
      ], ledger: "state", machine: machine)
  }

  /// A set with full access.
  func granted() async throws -> SyncSet {
    var access = try await set.access(to: "home")
    try await access.store(.full, purpose: Self.purpose)
    return set
  }
}

struct SyncSetTests {
  @Test func aSyncWithoutAccessSendsNothing() async throws {
    let scene = try SyncScene()
    let result = try await scene.set.run()
    #expect(result.isLedgerNew)
    #expect(result.syncs.map(\.outcome) == [.noAccess])
    #expect(result.syncs.first?.error?.code == .noAccess)
    #expect(result.syncs.first?.error?.remedy == .grant(.full, remote: "home"))
    let remote = scene.folder.path(of: "remote")
    #expect(try FileManager.default.contentsOfDirectory(atPath: remote) == [])
  }

  @Test("A result names what was there already, what failed and what waits, with the reasons")
  func outcomes() async throws {
    let scene = try SyncScene(local: ["Dentist", "Lunch", "Trip"], remote: ["Dentist"])
    let set = try await scene.granted()
    let first = try #require(try await set.run().syncs.first)
    #expect(first.items.map(\.kind) == [.alreadyThere])
    #expect(first.items.map(\.title) == ["Dentist"])
    #expect(!first.isCut)
    try scene.write("Lunch", titled: "Late lunch", to: "local")
    try scene.write("Lunch", titled: "Early lunch", to: "remote")
    let second = try #require(try await set.run().syncs.first)
    #expect(second.items.map(\.kind) == [.conflict])
    #expect(second.items.first?.uid == UID("Lunch"))
    #expect(second.items.first?.reason.contains("edited on both sides") == true)
    // An edit of one side brings back what the other one deleted.
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "remote/Trip.ics"))
    try scene.write("Trip", titled: "Long trip", to: "local")
    let third = try #require(try await set.run().syncs.first)
    #expect(third.items.filter { $0.uid == UID("Trip") }.map(\.kind) == [.broughtBack])
    // What no view by days shows is named when it comes.
    try scene.write("Dance", titled: "Dance", to: "remote")
    let text = try scene.text("Dance", in: "remote")
    let broken = text.replacing("DTSTART:20261124T090000Z", with: "DTSTART:2026-11-24")
    try scene.folder.write(broken.utf8, to: "remote/Dance.ics")
    let fourth = try #require(try await set.run().syncs.first)
    let dance = fourth.items.filter { $0.uid == UID("Dance") }
    #expect(dance.map(\.kind) == [.undated])
    #expect(
      dance.map(\.reason) == ["a time of it cannot be read, so that no view by days shows it"])
    let fifth = try #require(try await set.run().syncs.first)
    #expect(!fifth.items.contains { $0.kind == .undated })
  }

  @Test func underWriteOnlyAccessSkippedEditsAreCountedWhoeverLimitsIt() async throws {
    for (wanted, granted) in [(AccessTier.writeOnly, AccessTier.full), (.full, .writeOnly)] {
      let scene = try SyncScene(local: ["Dentist", "Lunch", "Trip"])
      let set = SyncSet(
        [
          Sync(
            "home", local: .folder("local"),
            remote: .folder(path: scene.folder.path(of: "remote")), access: wanted)
        ], ledger: "state", machine: scene.machine)
      var access = try await set.access(to: "home")
      try await access.store(granted, purpose: SyncScene.purpose)
      let first = try await set.run()
      #expect(first.syncs.map(\.outcome) == [.done])
      #expect(first.syncs.map(\.withheld) == [0])
      try scene.write("Dentist", titled: "Edited", to: "local")
      try FileManager.default.removeItem(atPath: scene.folder.path(of: "local/Lunch.ics"))
      for _ in 1...2 {
        let result = try await set.run()
        #expect(result.syncs.map(\.outcome) == [.someFailed])
        #expect(result.syncs.map(\.withheld) == [2])
      }
    }
  }

  @Test func aTakenPlaceIsAFailureUnderWriteOnlyAccess() async throws {
    let scene = try SyncScene(local: ["Dentist"])
    let set = SyncSet(
      [
        Sync(
          "home", local: .folder("local"), remote: .folder(path: scene.folder.path(of: "remote")),
          access: .writeOnly)
      ], ledger: "state", machine: scene.machine)
    var access = try await set.access(to: "home")
    try await access.store(.writeOnly, purpose: SyncScene.purpose)
    try scene.write("Dentist", titled: "Theirs", to: "remote")
    for _ in 1...3 {
      let result = try await set.run()
      #expect(result.syncs.map(\.outcome) == [.someFailed])
      #expect(result.syncs.map(\.summary.appended) == [0])
    }
    #expect(try scene.text("Dentist", in: "remote").contains("Theirs"))
  }

  @Test func bothSidesAreInStepAfterARun() async throws {
    let scene = try SyncScene(local: ["Dentist"], remote: ["Concert"])
    let set = try await scene.granted()
    let events = Mutex<[String]>([])
    let result = try await set.run { event in
      if case .running(let sync, .done(let operation)) = event {
        events.withLock { $0.append("\(sync): \(operation.verb) \(operation.title)") }
      }
    }
    #expect(result.syncs.map(\.outcome) == [.done])
    #expect(events.withLock { $0.count } == 2)
    let summary = try #require(result.syncs.first?.summary)
    #expect((summary.uploaded, summary.downloaded) == (1, 1))
    #expect(try scene.text("Dentist", in: "remote") == scene.text("Dentist", in: "local"))
    #expect(try scene.text("Concert", in: "local") == scene.text("Concert", in: "remote"))
    let again = try #require(try await set.run().syncs.first)
    #expect((again.summary.uploaded, again.summary.downloaded) == (0, 0))
    let status = try #require(try await set.status().first)
    #expect((status.items, status.outcome, status.access) == (2, .done, .full))
  }

  @Test func aDryRunChangesNothing() async throws {
    let scene = try SyncScene()
    var set = try await scene.granted()
    set.options.isDryRun = true
    let result = try #require(try await set.run().syncs.first)
    #expect((result.outcome, result.isDryRun) == (.done, true))
    #expect(throws: (any Error).self) { try scene.text("Dentist", in: "remote") }
    #expect(try await set.status().first?.attempt == nil)
  }

  @Test func aRunIsUndone() async throws {
    let scene = try SyncScene()
    let set = try await scene.granted()
    _ = try await set.run()
    try scene.write("Dentist", titled: "Dentist, upstairs", to: "local")
    #expect(try await set.run().syncs.first?.summary.uploaded == 1)
    let result = try await set.undo(RunID(2))
    #expect(result.undo?.apart == 1)
    #expect(result.undo?.items.map(\.title) == ["Dentist"])
    #expect(try scene.text("Dentist", in: "remote").contains("SUMMARY:Dentist\r\n"))
    let error = try await #require(throws: EpactError.self) { try await set.undo(RunID(99)) }
    #expect((error.code, error.remedy) == (.argument, .listRuns))
    for call in [{ try await set.undo() }, { try await set.redo() }] {
      let error = try await #require(throws: EpactError.self) { try await call() }
      #expect((error.code, error.remedy) == (.failed, .chooseRun), "a sync is no own change")
    }
  }

  @Test func aConflictIsListedAndResolved() async throws {
    let scene = try SyncScene()
    let set = try await scene.granted()
    _ = try await set.run()
    try scene.write("Dentist", titled: "Doctor here", to: "local")
    try scene.write("Dentist", titled: "Doctor there", to: "remote")
    #expect(try await set.run().syncs.map(\.outcome) == [.conflicts])
    try await set.resolveConflicts { conflicts in
      let conflict = try conflicts.conflict(of: "Dent")
      // The title and a beginning of one of its words name it as well.
      for name in ["doctor here", "HER"] {
        #expect(try conflicts.conflict(of: name).uid == conflict.uid)
      }
      #expect(throws: EpactError.self) { try conflicts.conflict(of: "") }
      let contested = conflicts.differences(of: conflict).filter(\.isContested)
      #expect(contested.map(\.row.subject) == ["SUMMARY"])
      #expect(throws: EpactError.self) { try conflicts.conflict(of: "Concert") }
      _ = try await conflicts.resolve(conflict, as: .remote)
    }
    #expect(try await set.run().syncs.map(\.outcome) == [.done])
    for side in ["local", "remote"] {
      #expect(try scene.text("Dentist", in: side).contains("Doctor there"))
    }
    #expect(try await set.conflicts().pending.isEmpty)
  }

  @Test(
    "A choice names the later part of a series that was split here, if both take place",
    arguments: [("remote", true), ("local", false)])
  func laterPart(_ version: String, _ isNamed: Bool) async throws {
    let scene = try SyncScene(local: [])
    func write(_ uid: String, _ start: String, to side: String, _ lines: String...) throws {
      try scene.folder.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
          "DTSTAMP:20261101T000000Z", "DTSTART:\(start)", "SUMMARY:Gym",
        ] + lines + ["END:VEVENT", "END:VCALENDAR"], to: "\(side)/\(uid).ics")
    }
    try write("gym", "20261102T100000Z", to: "local", "RRULE:FREQ=WEEKLY")
    let set = try await scene.granted()
    _ = try await set.run()
    try write(
      "gym", "20261102T100000Z", to: "local", "RRULE:FREQ=WEEKLY;COUNT=2",
      "RELATED-TO;RELTYPE=NEXT:later")
    try write("later", "20261116T180000Z", to: "local", "RRULE:FREQ=WEEKLY")
    try write("gym", "20261103T100000Z", to: "remote", "RRULE:FREQ=WEEKLY;COUNT=40")
    #expect(try await set.run().syncs.map(\.outcome) == [.conflicts])
    let conflicts = try await set.conflicts()
    let choice: ConflictResolver.Choice = version == "remote" ? .remote : .local
    let parts = try await conflicts.laterParts(of: conflicts.conflict(of: "gym"), beside: choice)
    #expect(parts.map(\.uid) == (isNamed ? [UID("later")] : []))
  }

  /// A choice of the remote version is the last own change.
  @Test func aChoiceIsUndoneAndRedone() async throws {
    let scene = try SyncScene()
    let set = try await scene.granted()
    _ = try await set.run()
    try scene.write("Dentist", titled: "Doctor here", to: "local")
    try scene.write("Dentist", titled: "Doctor there", to: "remote")
    _ = try await set.run()
    try await set.resolveConflicts { conflicts in
      let isSent = try await conflicts.resolve(try conflicts.conflict(of: "Doctor"), as: .remote)
      #expect(!isSent)
    }
    _ = try await set.run()
    let undone = try await set.undo()
    #expect(undone.undo?.run.isChoice == true)
    #expect((undone.undo?.apart, undone.undo?.passed.count) == (1, 0))
    #expect(try scene.text("Dentist", in: "local").contains("SUMMARY:Doctor here"))
    #expect(try await set.conflicts().pending.map(\.stored.title) == ["Doctor here"])
    let redone = try await set.redo()
    #expect(redone.summary.failed == 0)
    #expect(try scene.text("Dentist", in: "local").contains("SUMMARY:Doctor there"))
    #expect(try await set.conflicts().pending.isEmpty)
  }

  /// The choice of the local version is undone before a sync sends it, and refused once afterwards.
  @Test(arguments: [false, true])
  func aChoiceThatWroteNothingIsUndone(isSent: Bool) async throws {
    let scene = try SyncScene()
    let set = try await scene.granted()
    _ = try await set.run()
    try scene.write("Dentist", titled: "Doctor here", to: "local")
    try scene.write("Dentist", titled: "Doctor there", to: "remote")
    _ = try await set.run()
    try await set.resolveConflicts { conflicts in
      let isOwed = try await conflicts.resolve(try conflicts.conflict(of: "Doctor"), as: .local)
      #expect(isOwed)
    }
    if isSent { for _ in 1...3 { _ = try await set.run() } }
    let undone = try await set.undo()
    #expect(undone.undo?.run.isChoice == true)
    #expect(undone.undo?.isRefused == isSent)
    let pending = try await set.conflicts().pending.map(\.stored.title)
    #expect(pending == (isSent ? [] : ["Doctor here"]))
    _ = try await set.run()
    #expect(try scene.text("Dentist", in: "local").contains("SUMMARY:Doctor here"))
    #expect(
      try scene.text("Dentist", in: "remote").contains(isSent ? "Doctor here" : "Doctor there"))
    // The next undo goes further back, and finds nothing.
    let error = try await #require(throws: EpactError.self) { try await set.undo() }
    #expect(error.message.contains("no edit or import is left to undo"))
  }

  @Test func anUnknownNameIsNearAKnownOne() throws {
    let scene = try SyncScene()
    let configuration = scene.set.configuration
    let error = try #require(throws: EpactError.self) {
      try SyncSet(configuration, names: ["hom"], machine: scene.machine)
    }
    #expect((error.code, error.subject) == (.configuration, "hom"))
    #expect(error.message.hasSuffix("did you mean \"home\"?"))
  }

  @Test func aSyncWithAServerTakesFewLines() throws {
    let scene = try SyncScene()
    let home = Sync(
      "home", local: .folder("calendars/home"),
      remote: .calDAV(
        try RemoteURL(parsing: "https://dav.example.org/"), user: "ada",
        password: .command(["pass", "show", "dav/ada"])))
    let configuration = SyncSet([home], ledger: "state", machine: scene.machine).configuration
    #expect(
      configuration.calendars["home"]?.path == scene.folder.path(of: "calendars/home"))
    #expect(configuration.remotes["home"]?.server?.username == "ada")
    #expect(configuration.syncs.map(\.access) == [.full])
  }
}
