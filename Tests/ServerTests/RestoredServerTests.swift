// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// A real server whose storage is put back from a backup.
@Suite(.timeLimit(.minutes(60)), .serialized) struct RestoredServerTests {
  /// Six events, a backup, and then three edits, a new event and a deletion.
  private func edited(_ kind: ServerProcess.Kind) async throws -> ServerPair {
    let pair = try await ServerPair(kind)
    for number in 1...6 { try pair.write("event-\(number)", summary: "Event \(number)") }
    for _ in 1...2 { _ = try await pair.sync() }
    try await pair.backUp()
    pair.wait(hours: 1)
    try pair.write("event-1", summary: "Edited here", sequence: 1)
    try await pair.writeRemotely("event-2", summary: "Edited there")
    _ = try await pair.sync()
    try pair.write("event-3", summary: "Edited later", sequence: 1)
    try pair.write("new", summary: "New")
    try pair.remove("event-4")
    for _ in 1...2 { _ = try await pair.sync() }
    return pair
  }

  private static let newest: Set<String> = [
    "Edited here", "Edited there", "Edited later", "New", "Event 5", "Event 6",
  ]
  private static let oldest = Set((1...6).map { "Event \($0)" })

  private func expectStop(_ pair: ServerPair) async throws {
    let before = pair.methods.count
    let run = try await pair.sync()
    #expect(run.summary.stoppedByGuard)
    guard case .rollback(let found)? = run.plan.objection?.cause else {
      Issue.record("the restored server is not noticed")
      return
    }
    #expect((found.returned, found.missing, found.reappeared) == (3, 1, 1))
    #expect(pair.methods.dropFirst(before).allSatisfy { [.propfind, .report, .get].contains($0) })
    #expect(try await pair.localSummaries() == Self.newest)
    #expect(try await pair.remoteSummaries() == Self.oldest)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A restored server stops the sync, and gets the agreed versions again`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await edited(kind)
    #expect(try await pair.remoteSummaries() == Self.newest)
    try await pair.restore()
    for _ in 1...2 { try await expectStop(pair) }
    let pushed = try await pair.sync(.push).summary
    #expect((pushed.uploaded, pushed.deletedRemotely) == (4, 1))
    #expect(try await pair.localSummaries() == Self.newest)
    #expect(try await pair.remoteSummaries() == Self.newest)
    for _ in 1...2 { #expect(try await pair.sync().summary == RunSummary()) }
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `The versions of a restored server are accepted`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await edited(kind)
    try await pair.restore()
    try await expectStop(pair)
    #expect(try await !pair.sync(.accept).summary.stoppedByGuard)
    #expect(try await pair.localSummaries() == Self.oldest)
    #expect(try await pair.remoteSummaries() == Self.oldest)
    for _ in 1...2 { #expect(try await pair.sync().summary == RunSummary()) }
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `An event that another client edits back is an edit, also after a restart`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let pair = try await ServerPair(kind)
    for number in 1...2 { try pair.write("event-\(number)", summary: "Event \(number)") }
    for _ in 1...2 { _ = try await pair.sync() }
    for title in ["Other", "Event 1"] {
      try await pair.writeRemotely("event-1", summary: title)
      try await pair.backUp()
      #expect(try await pair.sync().summary.downloaded == 1)
    }
    #expect(try await pair.localSummaries() == ["Event 1", "Event 2"])
  }
}
