// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Two calendars of one account, each with its sync, on a server that has each UID once in an account.
struct AccountScene {
  let faults: FaultPlan
  var home: SyncScene
  var work: SyncScene

  /// An item on which both sides of the one calendar agree.
  init(quirks: MemoryRemote.Quirks = []) async throws {
    let faults = FaultPlan()
    let ledger = MemoryLedger(faults: faults)
    func scene(_ name: String) -> SyncScene {
      var scene = SyncScene(
        name, faults: faults,
        local: MemoryLocalCalendar(location: "/calendars/\(name)", faults: faults),
        remote: MemoryRemote(name, quirks: quirks.union(.tellsPaths), faults: faults),
        ledger: ledger)
      scene.options.safeguards.allowed = 9
      return scene
    }
    (self.faults, home, work) = (faults, scene("home"), scene("work"))
    home.remote.share(anAccountWith: work.remote)
    try await home.agree(on: ["a": "base"])
    try await work.sync()
  }

  /// Puts the file into the other folder, with this title.
  func move(as title: String = "base") {
    home.local.remove("a")
    work.local.write(TestItem.make(uid: "a", summary: title))
  }

  /// Runs both syncs as a group, one after the other.
  mutating func sync() async throws -> (home: SyncScene.Outcome, work: SyncScene.Outcome) {
    let outcomes = try await SyncScene.sync([work, home], isAccount: true)
    return (outcomes[1], outcomes[0])
  }

  /// Runs the sync of the first calendar alone.
  mutating func syncHome() async throws {
    _ = try await SyncScene.sync([home], beside: [work], isAccount: true)
  }

  /// Moves the item from one calendar to the other on the server, if it can be, as another program does.
  func moveThere(_ from: SyncScene, to other: SyncScene) {
    guard let item = from.remote.items["a"], other.remote.items["a"] == nil else { return }
    from.remote.remove("a")
    other.remote.write(item)
  }

  /// Moves the file from one calendar to the other, if it can be.
  func moveHere(_ from: SyncScene, to other: SyncScene) {
    guard let item = from.local.items["a"], other.local.items["a"] == nil else { return }
    from.local.remove("a")
    other.local.write(item)
  }

  /// Runs both syncs until nothing is left to do, and what was held back was tried again.
  mutating func settle() async throws {
    for _ in 1...4 { _ = try await sync() }
    home.wait()
    work.wait()
    for _ in 1...3 { _ = try await sync() }
  }

  /// Expects the item in one of the two calendars, as it was, on both sides.
  func expectOnce(_ what: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    let held = [home, work].map(\.titles)
    let isHome = held[0].local == ["a": "base"] && held[1].local == [:]
    let isAtWork = held[0].local == [:] && held[1].local == ["a": "base"]
    #expect(isHome || isAtWork, what, sourceLocation: sourceLocation)
    #expect(held.map(\.local) == held.map(\.remote), what, sourceLocation: sourceLocation)
  }

  /// Expects the item in the other calendar alone, with this title, and further runs that do nothing.
  mutating func expectMoved(
    as title: String = "base", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    home.expectBoth([:], sourceLocation: sourceLocation)
    work.expectBoth(["a": title], sourceLocation: sourceLocation)
    let left = try await home.ledger.entries(of: home.binding)
    #expect(left == [], sourceLocation: sourceLocation)
    let came = try await work.ledger.entries(of: work.binding)
    #expect(came.map(\.href) == [Href("/\(work.name)/a.ics")], sourceLocation: sourceLocation)
    for scene in [home, work] {
      let pending = try await scene.ledger.pendingIntents(of: scene.binding)
      #expect(pending == [], sourceLocation: sourceLocation)
      try await scene.expectRest(sourceLocation: sourceLocation)
    }
  }
}
