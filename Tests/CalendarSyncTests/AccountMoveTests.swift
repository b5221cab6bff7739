// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("A move between two calendars of an account that has each UID once")
struct AccountMoveTests {
  static let quirks: [MemoryRemote.Quirks] = [[], .noTagAfterWrite, .keepsCursors]

  @Test("The server is asked to move the item, and both ledgers know", arguments: quirks)
  func moved(_ quirks: MemoryRemote.Quirks) async throws {
    var account = try await AccountScene(quirks: quirks)
    account.move()
    let outcome = try await account.sync()
    #expect(account.work.remote.writes == ["create a", "move a"])
    #expect(account.home.remote.writes == [])
    #expect(outcome.work.summary.uploaded == 1)
    #expect(outcome.work.summary.failed + outcome.home.summary.failed == 0)
    #expect(outcome.work.summary.deferred + outcome.home.summary.deferred == 0)
    _ = try await account.sync()
    try await account.expectMoved()
  }

  @Test("It goes back the same way")
  func back() async throws {
    var account = try await AccountScene()
    account.move()
    _ = try await account.sync()
    account.work.local.remove("a")
    account.home.local.write(TestItem.make(uid: "a", summary: "base"))
    let outcome = try await account.sync()
    #expect(outcome.work.summary.failed + outcome.home.summary.failed == 0)
    #expect(account.home.remote.writes == ["create a", "move a"])
    _ = try await account.sync()
    account.work.expectBoth([:])
    account.home.expectBoth(["a": "base"])
    try await account.home.expectRest()
    try await account.work.expectRest()
  }

  @Test("What was edited along with the move is sent by the next run", arguments: quirks)
  func editedHere(_ quirks: MemoryRemote.Quirks) async throws {
    var account = try await AccountScene(quirks: quirks)
    account.move(as: "mine")
    #expect(try await account.sync().work.summary.failed == 0)
    _ = try await account.sync()
    _ = try await account.sync()
    try await account.expectMoved(as: "mine")
  }

  @Test("What was edited there meanwhile is moved by the next run, and merged", arguments: quirks)
  func editedThere(_ quirks: MemoryRemote.Quirks) async throws {
    var account = try await AccountScene(quirks: quirks)
    account.move()
    account.home.remote.write(TestItem.make(uid: "a", summary: "theirs"))
    let outcome = try await account.sync()
    #expect(outcome.work.summary.deferred == 1)
    #expect(account.home.titles.local == [:])
    #expect(account.home.titles.remote == ["a": "theirs"])
    for _ in 1...3 { _ = try await account.sync() }
    try await account.expectMoved(as: "theirs")
  }

  @Test(
    "What another program edited and put at another place meanwhile is moved, too",
    arguments: quirks)
  func editedElsewhere(_ quirks: MemoryRemote.Quirks) async throws {
    var account = try await AccountScene(quirks: quirks)
    account.move()
    account.home.remote.remove("a")
    account.home.remote.write(TestItem.make(uid: "a", summary: "theirs"), at: "/home/other.ics")
    #expect(try await account.sync().work.summary.failed == 1)
    #expect(account.home.titles.remote == ["a": "theirs"])
    try await account.settle()
    try await account.expectMoved(as: "theirs")
  }

  @Test("What the server only gave another tag meanwhile is moved all the same", arguments: quirks)
  func touchedThere(_ quirks: MemoryRemote.Quirks) async throws {
    var account = try await AccountScene(quirks: quirks)
    account.move()
    account.home.remote.write(TestItem.make(uid: "a", summary: "base"))
    try await account.settle()
    try await account.expectMoved()
  }

  @Test("A weak tag does not show what was moved, which the next run reads")
  func weakTag() async throws {
    var account = try await AccountScene(quirks: .weakTags)
    account.move()
    account.home.remote.replaceSilently("a", by: TestItem.make(uid: "a", summary: "theirs"))
    #expect(try await account.sync().work.summary.uploaded == 1)
    for _ in 1...2 { _ = try await account.sync() }
    try await account.expectMoved(as: "theirs")
  }

  @Test("A refusal that names another place is told as it is, and moved from there by the next run")
  func elsewhere() async throws {
    var account = try await AccountScene()
    account.home.remote.remove("a")
    account.home.remote.write(TestItem.make(uid: "a", summary: "base"), at: "other.ics")
    account.move()
    let outcome = try await account.sync()
    #expect(account.work.remote.writes == ["create a"])
    #expect(outcome.work.summary.failed == 1)
    #expect(account.home.remote.items["a"] != nil)
    // The other sync knows the new place by now.
    try await account.settle()
    try await account.expectMoved()
  }

  @Test("A move that is refused leaves the item where it is")
  func refused() async throws {
    var account = try await AccountScene()
    account.work.remote.refuse("move a", because: "no")
    account.move()
    let outcome = try await account.sync()
    #expect(outcome.work.summary.failed == 1)
    #expect(account.home.remote.items["a"]?.title == "base")
    let waiting = try await account.work.ledger.quarantine(of: account.work.binding)
    #expect(waiting.map(\.reason) == [.refusedMove("no", addition: "the UID is taken elsewhere")])
    #expect(try await account.work.ledger.pendingIntents(of: account.work.binding) == [])
  }

  @Test("Cut off at any call it ends as if it had not been", arguments: quirks)
  func cutOff(_ quirks: MemoryRemote.Quirks) async throws {
    for (kind, fault) in FaultPlan.Fault.allCases.enumerated() {
      for call in sampled(0..<60, from: kind) {
        var account = try await AccountScene(quirks: quirks)
        account.move(as: "mine")
        account.faults.restart([call: fault])
        _ = try? await account.sync()
        account.faults.restart()
        for _ in 1...4 { _ = try await account.sync() }
        try await account.expectMoved(as: "mine")
      }
    }
  }

  @Test(
    "Cut off at any call and put back, it ends in one of the two, on both sides",
    arguments: quirks)
  func cutOffAndPutBack(_ quirks: MemoryRemote.Quirks) async throws {
    for (kind, fault) in [FaultPlan.Fault.crashBefore, .crashAfter].enumerated() {
      for call in sampled(0..<60, from: kind) {
        var account = try await AccountScene(quirks: quirks)
        account.move()
        account.faults.restart([call: fault])
        _ = try? await account.sync()
        account.faults.restart()
        account.work.local.remove("a")
        account.home.local.write(TestItem.make(uid: "a", summary: "base"))
        for _ in 1...4 { _ = try await account.sync() }
        account.expectOnce("\(fault) at \(call)")
      }
    }
  }

  @Test("Cut off at any call, edited and put back, it stays there beside the other file")
  func cutOffAndPutBackEdited() async throws {
    var doubled = 0
    for call in 0..<60 {
      var account = try await AccountScene()
      account.move()
      account.faults.restart([call: .crashAfter])
      _ = try? await account.sync()
      account.faults.restart()
      account.work.local.remove("a")
      account.home.local.write(TestItem.make(uid: "a", summary: "mine"))
      for _ in 1...4 { _ = try await account.sync() }
      #expect(account.home.titles.local == ["a": "mine"], "at \(call)")
      if account.work.titles.local == ["a": "base"] {
        doubled += 1
        account.work.local.remove("a")
        // Until then what was refused is held back.
        account.home.wait()
        for _ in 1...4 { _ = try await account.sync() }
      }
      account.home.expectBoth(["a": "mine"])
      account.work.expectBoth([:])
    }
    #expect((1...5).contains(doubled), "\(doubled)")
  }

  @Test("What a run that was cut off left open keeps nothing from being moved", arguments: quirks)
  func leftOpen(_ quirks: MemoryRemote.Quirks) async throws {
    for (kind, isHere) in [true, false].enumerated() {
      for call in sampled(0..<60, from: kind) {
        var account = try await AccountScene(quirks: quirks)
        let edited = TestItem.make(uid: "a", summary: "edited")
        if isHere { account.home.local.write(edited) } else { account.home.remote.write(edited) }
        account.faults.restart([call: .crashAfter])
        _ = try? await account.sync()
        account.faults.restart()
        account.move(as: account.home.titles.local["a"] ?? "")
        for _ in 1...2 { _ = try await account.sync() }
        account.work.wait()
        for _ in 1...3 { _ = try await account.sync() }
        try await account.expectMoved(as: "edited")
      }
    }
  }

  @Test(
    "What was about to be added, and is moved both ways meanwhile, is kept",
    arguments: quirks, [false, true])
  func aboutToBeAdded(_ quirks: MemoryRemote.Quirks, isHomeFirst: Bool) async throws {
    for call in sampled(0..<60, from: isHomeFirst ? 1 : 0) {
      var account = try await AccountScene(quirks: quirks)
      account.move()
      account.faults.restart([call: .crashBefore])
      _ = try? await account.sync()
      account.faults.restart()
      account.moveThere(account.home, to: account.work)
      account.moveHere(account.work, to: account.home)
      if isHomeFirst { try await account.syncHome() }
      try await account.settle()
      account.expectOnce("at \(call)")
    }
  }

  @Test(
    "What was about to be downloaded, and is moved both ways meanwhile, is kept",
    arguments: quirks, [false, true])
  func aboutToBeDownloaded(_ quirks: MemoryRemote.Quirks, isHomeFirst: Bool) async throws {
    for call in sampled(0..<60, from: isHomeFirst ? 1 : 0) {
      var account = try await AccountScene(quirks: quirks)
      account.moveThere(account.home, to: account.work)
      account.faults.restart([call: .crashBefore])
      _ = try? await account.sync()
      account.faults.restart()
      let isInBoth = account.home.local.items["a"] != nil && account.work.local.items["a"] != nil
      account.moveHere(account.home, to: account.work)
      account.moveThere(account.work, to: account.home)
      if isHomeFirst { try await account.syncHome() }
      try await account.settle()
      if isInBoth, account.home.titles.local == account.work.titles.local {
        // Nobody can tell whether it was put there, so it stays until somebody deletes it.
        account.home.expectBoth(["a": "base"])
        account.work.local.remove("a")
        try await account.settle()
      }
      account.expectOnce("at \(call)")
    }
  }

  @Test("What was edited here, and moved there to the other calendar, is kept in both")
  func editedHereAndMovedThere() async throws {
    var account = try await AccountScene()
    account.home.local.write(TestItem.make(uid: "a", summary: "mine"))
    account.moveThere(account.home, to: account.work)
    try await account.settle()
    account.work.expectBoth(["a": "base"])
    #expect(account.home.titles.local == ["a": "mine"])
    let waiting = try await account.home.ledger.quarantine(of: account.home.binding)
    #expect(waiting.map(\.uid.rawValue) == ["a"])
    account.work.local.remove("a")
    try await account.settle()
    account.work.expectBoth([:])
    account.home.expectBoth(["a": "mine"])
  }

  @Test("It is not taken back, and says so")
  func undone() async throws {
    var account = try await AccountScene()
    account.move()
    _ = try await account.sync()
    for scene in [account.work, account.home] {
      let outcome = try await scene.undoLast()
      #expect(outcome.plan.contains(": undo-moved-on-server"))
      #expect(outcome.summary.failed == 1)
    }
    account.home.expectBoth([:])
    account.work.expectBoth(["a": "base"])
  }
}
