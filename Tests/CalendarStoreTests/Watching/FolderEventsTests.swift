// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct FolderEventsTests {
  private let folder: TemporaryFolder
  private let home: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("home")
    home = folder.path(of: "home")
  }

  /// Changes a file and expects its name, in a process whose events may be missing.
  static func changeAndTake(in folder: String) throws -> ChildProcess.End {
    guard let events = FolderEvents(of: folder, by: FolderWatcher()) else { return .refused }
    try Data([1]).write(to: URL(filePath: folder + "/a.ics"))
    let change = events.take()
    if change == .names(["a.ics"]) { return .done }
    try #require(change == .anything)
    return .unfinished
  }

  /// Takes the events of a folder in a forked process, which shares the queue, and then in this one.
  static func forkAndTake(in folder: String) throws -> ChildProcess.End {
    let events = try #require(FolderEvents(of: folder, by: FolderWatcher()))
    try Data([1]).write(to: URL(filePath: folder + "/a.ics"))
    // The overlay of Glibc does not import fork.
    let symbol = unsafe try #require(dlsym(nil, "fork"))
    let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
    let child = fork()
    if child == 0 { _exit(events.take() == .anything ? 0 : 1) }
    var status: Int32 = -1
    unsafe waitpid(child, &status, 0)
    guard status == 0 else { return .unfinished }
    return events.take() == .names(["a.ics"]) ? .done : .refused
  }

  @Test("Every change is returned once, as soon as it is made")
  func changes() throws {
    try folder.write([1], to: "home/a.ics")
    let events = try #require(FolderEvents(of: home, by: FolderWatcher()))
    #expect(events.take() == .nothing)
    let file = try #require(FileHandle(forUpdatingAtPath: home + "/a.ics"))
    let other = try OtherProcess(in: home)
    let changes: [(names: Set<String>, change: () throws -> Void)] = [
      (["b.ics"], { try folder.write([1], to: "home/b.ics") }),
      // The file stays open.
      (["a.ics"], { try file.write(contentsOf: Data([2])) }),
      (["a.ics"], { try file.truncate(atOffset: 0) }),
      (["b.ics", "c.ics"], { try other.run("mv b.ics c.ics") }),
      (["c.ics"], { try other.run("chmod 600 c.ics") }),
      (["c.ics", "d.ics"], { try other.run("mv c.ics ../c.ics; mv ../c.ics d.ics") }),
      (["d.ics"], { try other.run("rm d.ics") }),
    ]
    for (names, change) in changes {
      try change()
      #expect(events.take() == .names(names))
      #expect(events.take() == .nothing)
    }
    // Other watches of the folder take nothing away, and temporary files are not returned.
    do {
      let file = try AtomicFile(replacing: home + "/a.ics", permissions: .shared)
      try file.write([1])
    }
    #expect(events.take() == .nothing)
  }

  @Test("A watch by the same watcher reports what a reader took")
  func watchesBeside() throws {
    let watcher = FolderWatcher()
    let watched = try WatchedFolder([home], by: watcher)
    let events = try #require(FolderEvents(of: home, by: watcher))
    for name in ["a.ics", "b.ics"] {
      try folder.write([1], to: "home/\(name)")
      #expect(events.take() == .names([name]))
      try watched.waitForReport(of: home)
    }
    watched.stop()
    // The end of the watch leaves the events of the same folder.
    try folder.write([1], to: "home/c.ics")
    #expect(events.take() == .names(["c.ics"]))
  }

  @Test("Another folder at the path is anything")
  func replacement() throws {
    let other = try OtherProcess(in: folder.path)
    for command in [
      "mv home away; mkdir home", "rm -r home; mkdir home", "mv home h; mv h home",
      "mkdir next; mv home old; ln -s next home", "mkdir third; ln -sfn third home",
      "rm home", "mkdir home; chmod 700 home; touch -d @1 home",
    ] {
      let events = FolderEvents(of: home, by: FolderWatcher())
      try other.run(command)
      #expect(events?.take() ?? .anything == .anything, "\(command)")
      #expect(events?.take() ?? .anything == .anything, "\(command)")
    }
  }

  @Test("Thousands of names are anything")
  func manyNames() throws {
    let events = try #require(FolderEvents(of: home, by: FolderWatcher()))
    for number in 0...4_000 { try folder.write([1], to: "home/\(number).ics") }
    #expect(events.take() == .anything)
  }

  @Test("Nothing is promised without a queue of the system, and after a loss of events")
  func poorSystems() throws {
    #expect(FolderEvents(of: home, by: FolderWatcher(usesEvents: false)) == nil)
    let shim = try KillShim(in: folder.path)
    for (variable, end) in [
      ("WITHOUT_INOTIFY", ChildProcess.End.refused), ("WITH_OVERFLOW", .unfinished),
      ("NONE", .done),
    ] {
      let prefix = "LD_PRELOAD='\(shim.path)' \(variable)=1"
      #expect(try ChildProcess.run(.take, in: home, prefix) == end, "\(variable)")
    }
  }

  @Test("A forked process promises nothing, and takes nothing from its parent")
  func forks() throws {
    #expect(try ChildProcess.run(.fork, in: home) == .done)
  }

  @Test("Kernel file systems whose changes are not all events are refused")
  func foreignFileSystems() {
    #expect(FolderEvents(of: "/proc/self", by: FolderWatcher()) == nil)
  }
}
