// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport
import Testing

/// A batch that is more than a limit or a server takes, and the items in it that are.
@Suite struct FetchBatchesTests {
  private static let names = (100..<200).map { "\($0).ics" }
  private static let hrefs = names.map { Href("/cal/\($0)") }

  private static func lengths(_ each: Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, each) })
  }

  /// The names of the items that could be read, and why the others could not.
  private func results(
    of hrefs: [Href] = hrefs, _ server: LimitedServer
  ) async throws -> (read: Int, unreadable: [String: String]) {
    var read: Set<Href> = []
    var unreadable: [String: String] = [:]
    for result in try await server.open().fetch(hrefs) {
      switch result {
      case .item(let href, _, let item):
        #expect(href.rawValue == "/cal/\(item.uid)")
        read.insert(href)
      case .unreadable(let href, let reason): unreadable[href.rawValue] = reason
      case .missing(let href): unreadable[href.rawValue] = "missing"
      }
    }
    #expect(read.count + unreadable.count == hrefs.count)
    return (read.count, unreadable)
  }

  @Test(arguments: [true, false]) func `Many large items come in several answers`(
    _ namesLengths: Bool
  ) async throws {
    let server = LimitedServer {
      $0.lengths = Self.lengths(800_000)
      $0.namesLengths = namesLengths
    }
    let (read, unreadable) = try await results(server)
    #expect(read == 100)
    #expect(unreadable.isEmpty)
    #expect(server.log.count <= 8, "\(server.log)")
  }

  @Test func `A size that came whole is kept for the batches that follow`() async throws {
    let names = (1000..<1400).map { "\($0).ics" }
    let server = LimitedServer { state in
      for name in names { state.lengths[name] = 800_000 }
    }
    let read = try await results(of: names.map { Href("/cal/\($0)") }, server).read
    #expect(read == 400)
    #expect(server.log.filter { $0 == "REPORT 250" }.count == 1, "\(server.log)")
  }

  @Test(arguments: [
    (1, 50, 1), (8, 50, 3), (2, 50, 2), (8, 2, 1), (8, 0, 3),
  ])
  func `Several reports are in flight if a round trip has to be hidden`(
    _ allowed: Int, _ milliseconds: Int, _ expected: Int
  ) async throws {
    let names = (1000..<2000).map { "\($0).ics" }
    let server = LimitedServer(requestsAtOnce: allowed) { state in
      for name in names { state.lengths[name] = 100 }
      state.responseTime = .milliseconds(milliseconds)
    }
    #expect(try await results(of: names.map { Href("/cal/\($0)") }, server).read == 1000)
    #expect(server.state.withLock { $0.mostInFlight } == expected)
  }

  @Test(arguments: [(1, 50, 1), (8, 50, 2), (8, 2, 1)])
  func `Two parts of a run are fetched at once if a round trip has to be hidden`(
    _ allowed: Int, _ milliseconds: Int, _ expected: Int
  ) async throws {
    let server = LimitedServer(requestsAtOnce: allowed) {
      $0.responseTime = .milliseconds(milliseconds)
    }
    #expect(try await server.open().fetchesAtOnce == expected)
  }

  @Test(arguments: [0, 37, 99], [true, false])
  func `One item beyond the limit is unreadable alone`(
    _ place: Int, _ namesLengths: Bool
  ) async throws {
    let server = LimitedServer {
      $0.lengths = Self.lengths(1000)
      $0.lengths[Self.names[place]] = 70_000_000
      $0.namesLengths = namesLengths
    }
    let (read, unreadable) = try await results(server)
    #expect(read == 99)
    #expect(unreadable == ["/cal/\(Self.names[place])": "the response is larger than 64 MiB"])
    // Each answer that is too large is loaded up to the limit.
    #expect(server.log.count <= (namesLengths ? 5 : 16), "\(server.log)")
  }

  @Test(arguments: [true, false]) func `An item that was asked for alone is unreadable alone`(
    _ hasNoReports: Bool
  ) async throws {
    let server = LimitedServer {
      $0.lengths = [Self.names[0]: 70_000_000]
      $0.hasNoReports = hasNoReports
    }
    let unreadable = try await results(of: [Self.hrefs[0]], server).unreadable
    #expect(unreadable.count == 1)
    guard hasNoReports else { return }
    #expect(try await results(of: Array(Self.hrefs.prefix(3)), server).read == 2)
    #expect(server.log == ["GET 100.ics", "GET 101.ics", "GET 102.ics"])
  }

  @Test(arguments: [0, 37, 99]) func `One item that takes too long is unreadable alone`(
    _ place: Int
  ) async throws {
    let server = LimitedServer { $0.troubles = [Self.names[place]: .slow] }
    let (read, unreadable) = try await results(server)
    #expect(read == 99)
    #expect(unreadable == ["/cal/\(Self.names[place])": "no answer in time"])
  }

  @Test func `A server that answers nothing in time is not asked on and on`() async throws {
    let server = LimitedServer { $0.troubles = [Self.names[0]: .slow] }
    let calendar = try await server.open()
    server.state.withLock { $0.isDown = true }
    let error = await #expect(throws: RemoteError.self) { try await calendar.fetch(Self.hrefs) }
    #expect(error?.code == .unreachable)
  }

  @Test func `Many items that take too long cost only so many answers`() async throws {
    let server = LimitedServer { state in
      for name in Self.names { state.troubles[name] = .slow }
    }
    let (read, unreadable) = try await results(server)
    #expect(read == 0)
    #expect(unreadable.count == 100)
    #expect(server.log.filter { $0.hasPrefix("REPORT") }.count <= 40, "\(server.log)")
  }

  @Test(arguments: [[0], [37], [0, 1], [98, 99]])
  func `An item that the server fails at is unreadable alone`(_ places: [Int]) async throws {
    let bad = places.map { Self.names[$0] }
    let server = LimitedServer { state in
      for name in bad { state.troubles[name] = .poison }
    }
    let (read, unreadable) = try await results(server)
    #expect(read == 100 - places.count)
    #expect(Set(unreadable.keys) == Set(bad.map { "/cal/\($0)" }))
    #expect(unreadable.values.allSatisfy { $0 == "the server refuses it with status 500" })
  }

  @Test func `A server that fails at every item is an error`() async throws {
    let server = LimitedServer { state in
      for name in Self.names { state.troubles[name] = .poison }
    }
    let calendar = try await server.open()
    let error = await #expect(throws: RemoteError.self) { try await calendar.fetch(Self.hrefs) }
    #expect(error?.code == .failed)
    #expect(server.log.count <= 60, "\(server.log)")
  }

  @Test(arguments: [2, 3, 5]) func `A server that fails at each of a few items is an error`(
    _ count: Int
  ) async throws {
    let server = LimitedServer { state in
      for name in Self.names.prefix(count) { state.troubles[name] = .poison }
    }
    let calendar = try await server.open()
    let hrefs = Array(Self.hrefs.prefix(count))
    let error = await #expect(throws: RemoteError.self) { try await calendar.fetch(hrefs) }
    #expect(error?.code == .failed)
  }

  @Test func `What is larger than the server takes is not sent`() async throws {
    let server = LimitedServer { $0.largest = 100_000 }
    let calendar = try await server.open()
    let large = TestItem.make(uid: "a", summary: String(repeating: "x", count: 120_000))
    guard case .refused(let reason) = try await calendar.create(large) else {
      Issue.record("the item is sent")
      return
    }
    #expect(reason.hasSuffix("bytes, and the server accepts at most 100000 (max-resource-size)"))
    let update = try await calendar.update(
      Href("/cal/a.ics"), to: large, ifMatch: EntityTag("\"1\""))
    #expect(update == .refused(reason: reason))
    #expect(server.log == ["PROPFIND 0"])
    let fitting = TestItem.make(uid: "a", summary: String(repeating: "x", count: 80_000))
    guard case .written = try await calendar.create(fitting) else {
      Issue.record("what the server takes is not sent")
      return
    }
  }

  @Test func `Several requests at once ask for the limit once`() async throws {
    let server = LimitedServer { $0.largest = 100_000 }
    let calendar = try await server.open()
    let large = TestItem.make(uid: "a", summary: String(repeating: "x", count: 120_000))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          if case .refused = try await calendar.create(large) { true } else { false }
        }
      }
      for try await isRefused in group { #expect(isRefused) }
    }
    #expect(server.log == ["PROPFIND 0"])
  }
}
