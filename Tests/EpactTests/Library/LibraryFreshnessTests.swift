// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// The contents include every change that another process made before the call.
@Suite(.timeLimit(.minutes(60))) struct LibraryFreshnessTests {
  private let scene: LibraryScene
  private let folder: String
  private let other: OtherProcess
  private let calendar: CalendarInfo

  init() throws {
    scene = try LibraryScene(isLater: false)
    folder = scene.folder.path(of: "calendars/private")
    other = try OtherProcess(in: folder)
    calendar = try scene.calendar("private")
    for name in ["items", "out"] { try PrivateFolder.make(scene.folder.path(of: name)) }
    for number in 0..<8 {
      // Equally long, so that the status of files hardly differs.
      let item = TestItem.make(uid: "uid\(number % 4)", summary: "Version \(number / 4)")
      try scene.folder.write(item.serialized(), to: "items/\(number)")
    }
  }

  private struct Stale: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  /// What is in the folder according to a reading of all files, and according to the library.
  private func expectFresh(_ history: [String]) throws {
    var machine = scene.machine
    machine.folderWatcher = FolderWatcher(usesEvents: false)
    let found = Result { try scene.library.contents(of: calendar) }
    let wanted = Result { try CalendarLibrary(machine: machine).contents(of: calendar) }
    switch (found, wanted) {
    case (.success(let found), .success(let wanted)):
      guard Self.text(found) != Self.text(wanted) else { return }
      throw Stale("\(history.suffix(4)): \(Self.text(found)), not \(Self.text(wanted))")
    case (.failure, .failure): break
    default: throw Stale("\(history.suffix(4)): \(found), not \(wanted)")
    }
  }

  private static func text(_ contents: LibraryContents) -> [String] {
    let items = contents.entries.values.map { "\($0.name) \($0.item.uid) \($0.item.title)" }
    return items.sorted() + contents.unreadable.map { "\($0.name): \($0.reason)" }
  }

  /// Changes of files by a process that gives no sign of them but the events of the system.
  private static func command(_ random: inout SeededGenerator) -> String {
    let (name, second) = (
      Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random)
    )
    let item = "../../items/\(Int.random(in: 0..<8, using: &random))"
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: return "cat \(item) > \(name).ics"
    case 2: return "cp \(item) .new && mv .new \(name).ics"
    case 3: return "cp -p \(item) \(name).ics; touch -d @1700000000 \(name).ics"
    case 4: return "rm \(name).ics"
    case 5: return "mv \(name).ics \(second).ics"
    case 6: return "mv \(name).ics ../../out"
    case 7: return "mv ../../out/\(name).ics ."
    case 8: return "ln -f ../../out/\(name).ics \(name).ics"
    case 9: return "cat \(item) > ../../out/\(name).ics"
    case 10: return "command exec 3> \(name).ics && cat \(item) >&3"
    case 11: return "cat \(item) | dd of=\(name).ics conv=notrunc status=none"
    case 12: return "truncate -s 40 \(name).ics"
    case 13: return "rm -f \(name).ics; mkdir \(name).ics; rmdir \(second).ics"
    case 14: return "ln -sf \(item) \(name).ics"
    default: return "exec 3>&-"
    }
  }

  @Test("Random changes by another process are seen by the next call")
  func randomChanges() throws {
    forAll(5) { random in
      try other.run("exec 3>&-; rm -rf ./* ../../out/*")
      var history: [String] = []
      for _ in 0..<50 {
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let command = Self.command(&random)
          history.append(command)
          try other.run(command)
        }
        try expectFresh(history)
      }
    }
  }

  @Test("A folder that is replaced, missing, or a link elsewhere is read as a whole")
  func replacedFolders() throws {
    let commands = [
      "cat ../../items/0 > a.ics",
      "cd ..; mv private away; mkdir private; cat ../items/1 > private/b.ics",
      "cat ../items/2 > away/c.ics", "rm -r private; mv away private",
      "cat ../items/3 > private/d.ics", "rm -r private",
      "mkdir elsewhere next; ln -s elsewhere private; cat ../items/0 > elsewhere/e.ics",
      "cat ../items/1 > private/f.ics", "cat ../items/1 > next/g.ics; ln -sfn next private",
      "cat ../items/2 > elsewhere/h.ics", "cat ../items/2 > next/i.ics",
      "rm private; mkdir private", "mv private p; mv p private; cat ../items/2 > private/j.ics",
    ]
    var history: [String] = []
    for command in commands {
      try other.run(command)
      history.append(command)
      for _ in 0..<2 { try expectFresh(history) }
    }
  }

  @Test("A file that is written by another name of it is read again")
  func hardLinks() throws {
    try other.run("cat ../../items/0 > a.ics; ln a.ics ../../out/a.ics")
    try expectFresh([])
    try other.run("cat ../../items/4 > ../../out/a.ics")
    try expectFresh(["the other name is written"])
    // Once the other name is gone, the folder is read no more.
    try other.run("rm ../../out/a.ics")
    try expectFresh(["the other name is removed"])
  }

  @Test("A folder is listed once, if nothing changes")
  func unchangedFolder() async throws {
    try scene.folder.write(TestItem.make(uid: "a").serialized(), to: "calendars/private/a.ics")
    let opened = try await OpenedFiles(in: folder)
    _ = try scene.contents("private")
    _ = opened.names()
    #expect(opened.isListed)
    try scene.folder.write(TestItem.make(uid: "b").serialized(), to: "calendars/private/b.ics")
    _ = opened.names()
    for _ in 0..<3 { #expect(try scene.contents("private").entries.count == 2) }
    #expect(opened.names() == ["b.ics"])
    #expect(!opened.isListed)
  }
}
