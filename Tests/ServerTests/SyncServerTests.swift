// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// A folder on this machine kept in agreement with a calendar on a real server.
@Suite(.timeLimit(.minutes(60)), .serialized) struct SyncServerTests {
  @Test(arguments: ServerProcess.Kind.allCases)
  func `The first sync uploads, and the second does nothing`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...5 { try pair.write("event-\(number)", summary: "Event \(number)") }
    let first = try await pair.sync()
    #expect(first.summary.uploaded == 5)
    #expect(try await pair.remoteSummaries().count == 5)
    let before = pair.methods.count
    let second = try await pair.sync()
    #expect(second.summary == RunSummary())
    #expect(second.plan.operations.isEmpty)
    #expect(pair.methods.dropFirst(before).allSatisfy { [.propfind, .report].contains($0) })
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `An edit on either side travels`(_ kind: ServerProcess.Kind) async throws {
    let pair = try await ServerPair(kind)
    try pair.write("here", summary: "Before")
    try pair.write("there", summary: "Before")
    _ = try await pair.sync()
    try pair.write("here", summary: "Edited here", sequence: 1)
    try await pair.writeRemotely("there", summary: "Edited there")
    let run = try await pair.sync()
    #expect(run.summary.uploaded == 1)
    #expect(run.summary.downloaded == 1)
    let expected: Set<String> = ["Edited here", "Edited there"]
    #expect(try await pair.remoteSummaries() == expected)
    #expect(try await pair.localSummaries() == expected)
    #expect(try await pair.sync().summary == RunSummary())
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A sync that pulls puts an edit back, and sends nothing`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...3 { try pair.write("event-\(number)", summary: "Event \(number)") }
    _ = try await pair.sync()
    let before = pair.methods.count
    try pair.write("event-1", summary: "Mine", sequence: 1)
    try pair.remove("event-2")
    try pair.write("own", summary: "Own")
    let run = try await pair.sync(direction: .pull)
    #expect(run.summary.downloaded == 2)
    #expect(run.summary.failed == 0)
    let expected = Set((1...3).map { "Event \($0)" })
    #expect(try await pair.localSummaries() == expected.union(["Own"]))
    _ = try await pair.undoLast(.pull)
    #expect(try await pair.localSummaries() == ["Mine", "Event 3", "Own"])
    let again = try await pair.sync(direction: .pull)
    #expect(again.summary.downloaded == 2)
    #expect(try await pair.localSummaries() == expected.union(["Own"]))
    #expect(try await pair.remoteSummaries() == expected)
    let sent = pair.methods.dropFirst(before)
    #expect(sent.allSatisfy { [.get, .options, .propfind, .report].contains($0) }, "\(sent)")
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A sync that pushes overwrites an edit, and leaves the items of others`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...3 { try pair.write("event-\(number)", summary: "Event \(number)") }
    _ = try await pair.sync(direction: .push)
    try await pair.writeRemotely("event-1", summary: "Theirs")
    try await pair.removeRemotely("event-2")
    let run = try await pair.sync(direction: .push)
    #expect(run.summary.uploaded == 2)
    let expected = Set((1...3).map { "Event \($0)" })
    #expect(try await pair.remoteSummaries() == expected)
    #expect(try await pair.localSummaries() == expected)
    #expect(try await pair.sync(direction: .push).summary == RunSummary())
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A deletion on either side travels`(_ kind: ServerProcess.Kind) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...8 { try pair.write("event-\(number)", summary: "Event \(number)") }
    _ = try await pair.sync()
    try pair.remove("event-1")
    try await pair.removeRemotely("event-2")
    let run = try await pair.sync()
    #expect(run.summary.deletedRemotely == 1)
    #expect(run.summary.deletedLocally == 1)
    let expected = Set((3...8).map { "Event \($0)" })
    #expect(try await pair.remoteSummaries() == expected)
    #expect(try await pair.localSummaries() == expected)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `Two edits of one item become a conflict that keeps both versions`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    try pair.write("shared", summary: "Before")
    _ = try await pair.sync()
    try pair.write("shared", summary: "Mine", sequence: 1)
    try await pair.writeRemotely("shared", summary: "Theirs")
    // The number of a revision waits with what it numbers.
    for _ in 1...2 {
      let run = try await pair.sync()
      #expect(run.summary.conflicts == 1)
      #expect(run.summary.uploaded + run.summary.downloaded == 0)
    }
    let conflict = try #require(try await pair.conflicts().first)
    #expect(try summary(conflict.base) == "Before")
    #expect(try summary(conflict.local) == "Mine")
    #expect(try summary(conflict.remote) == "Theirs")
    #expect(try await pair.localSummaries() == ["Mine"])
    #expect(try await pair.remoteSummaries() == ["Theirs"])
    // It is over once both sides say the same.
    try pair.write("shared", summary: "Theirs", sequence: 2)
    #expect(try await pair.sync().summary.conflicts == 0)
    #expect(try await pair.conflicts().isEmpty)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `Under write-only access an event is added once, and nothing is read`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    try pair.write("new", summary: "New")
    try pair.write("chore", summary: "Chore", component: "VTODO")
    let first = try await pair.sync(.writeOnly)
    #expect(first.summary.appended == 1)
    #expect(first.plan.operations.map(\.verb) == ["skip", "append"])
    let second = try await pair.sync(.writeOnly)
    #expect(second.summary.appended == 0)
    #expect(pair.methods == [.put])
    #expect(try await pair.remoteSummaries() == ["New"])
    // Even with everything forgotten it is not added again: its place is derived from the UID.
    try pair.forgetEverything()
    #expect(try await pair.sync(.writeOnly).summary.appended == 0)
    #expect(try await pair.remoteSummaries() == ["New"])
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `An emptied folder deletes nothing on the server, and says what would`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...3 { try pair.write("event-\(number)", summary: "Event \(number)") }
    _ = try await pair.sync()
    for number in 1...3 { try pair.remove("event-\(number)") }
    let before = pair.methods.count
    let stopped = try await pair.sync()
    #expect(stopped.summary.stoppedByGuard)
    #expect(stopped.plan.objection?.deletions == 3)
    #expect(!pair.methods.dropFirst(before).contains(.delete))
    #expect(try await pair.remoteSummaries().count == 3)
    let allowed = try await pair.sync(allowDelete: 3)
    #expect(allowed.summary.deletedRemotely == 3)
    #expect(try await pair.remoteSummaries().isEmpty)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `What a server cuts is told of and never comes back`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    try pair.write("lunch", summary: "Lunch, with Oma\r\nX-PLACE;VALUE=URI:geo:1.0,2.0")
    let isCut = kind == .radicale
    let lost = isCut ? ["SUMMARY:Lunch, with Oma", "X-PLACE;VALUE=URI:geo:1.0,2.0"] : []
    #expect(try await pair.sync().losses == lost)
    for isVerifying in [true, false, true] {
      let run = try await pair.sync(isVerifying: isVerifying)
      #expect(run.summary == RunSummary())
      #expect(run.losses == (isVerifying ? lost : []))
      #expect(try await pair.localSummaries() == ["Lunch, with Oma"])
    }
    #expect(try await pair.remoteSummaries() == [isCut ? "Lunch" : "Lunch, with Oma"])
    // What another program writes is an edit all the same.
    try await pair.writeRemotely("lunch", summary: "Dinner")
    #expect(try await pair.sync().summary.downloaded == 1)
    #expect(try await pair.localSummaries() == ["Dinner"])
  }

  private func summary(_ bytes: [UInt8]?) throws -> String {
    try CalendarItem(parsing: try #require(bytes)).title
  }
}
