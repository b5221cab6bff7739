// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

@Suite("The log of requests under a grant")
struct AccessRecorderTests {
  /// A log in memory, which may be out of order.
  private actor Log: AccessLog {
    struct Failure: Error {}

    var entries: [AccessLogEntry] = []
    var isBroken = false

    func log(_ entries: [AccessLogEntry]) throws {
      if isBroken { throw Failure() }
      self.entries += entries
    }

    func logEntries() -> [AccessLogEntry] { entries }
    func decisions() -> [AccessDecision] { [] }

    func `break`() { isBroken = true }
  }

  private static let list = AccessRequest(.read, "list", of: "folder")
  private static let add = AccessRequest(.add, "add", of: "item")
  private static let replace = AccessRequest(.change, "replace", of: "item")

  private let log = Log()

  private func recorder(_ tier: AccessTier) -> AccessRecorder {
    let seconds = Mutex<Int64>(0)
    return AccessRecorder(
      log: log,
      grant: AccessGrant(
        remote: RemoteIdentity(kind: "folder", location: "/club"), tier: .full,
        purpose: "Adds the start of classes you book", grantedAt: Instant(secondsSinceEpoch: 0),
        grantedBy: "ada"),
      tier: tier,
      now: {
        seconds.withLock { seconds in
          seconds += 1
          return Instant(secondsSinceEpoch: seconds)
        }
      })
  }

  @Test("The first of a class is written before it is sent, how many more there were at the end")
  func counts() async throws {
    let recorder = recorder(.full)
    try await recorder.note(Self.list)
    #expect(await log.entries.map(\.count) == [1])
    for _ in 0..<3 { try await recorder.note(Self.add) }
    try await recorder.note(Self.list)
    #expect(await log.entries.map(\.request) == [Self.list, Self.add])
    try await recorder.flush()
    try await recorder.flush()
    let entries = await log.entries
    #expect(entries.filter { $0.request == Self.list }.map(\.count).reduce(0, +) == 2)
    #expect(entries.filter { $0.request == Self.add }.map(\.count).reduce(0, +) == 3)
    #expect(entries.count == 4)
    #expect(entries.map(\.lastAt).max() == Instant(secondsSinceEpoch: 5))
  }

  @Test("Requests at once are sent after their class is stored, and each of them counts")
  func together() async throws {
    let recorder = recorder(.full)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { [log] in
          try await recorder.note(Self.add)
          #expect(await !log.entries.isEmpty)
        }
      }
      try await group.waitForAll()
    }
    try await recorder.flush()
    #expect(await log.entries.map(\.count).reduce(0, +) == 20)
  }

  @Test(
    "What a tier does not allow is refused, and is not in the log",
    arguments: AccessTier.allCases)
  func refusals(tier: AccessTier) async throws {
    let recorder = recorder(tier)
    for request in [Self.list, Self.add, Self.replace] {
      do {
        try await recorder.note(request)
        #expect(tier == .full || tier == .writeOnly && request.effect == .add)
      } catch is AccessError {
        #expect(tier == .none || tier == .writeOnly && request.effect != .add)
      }
    }
    try await recorder.flush()
    let allowed = tier == .full ? 3 : tier == .writeOnly ? 1 : 0
    #expect(await log.entries.count == allowed)
  }

  @Test("What cannot be written down is not sent")
  func broken() async {
    await log.break()
    let recorder = recorder(.full)
    await #expect(throws: Log.Failure.self) { try await recorder.note(Self.list) }
  }
}
