// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .serialized) struct CalDAVServerTests {
  static let credentials = Credentials(
    user: ServerProcess.user, password: ServerProcess.password)

  func remote(
    _ address: String, calendar: String? = nil, transport: (any HTTPTransport)? = nil
  ) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: address), calendar: calendar, credentials: Self.credentials,
      transport: try transport ?? NetworkTransport(userAgent: "epact-tests/1"))
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A server does what every remote must`(_ kind: ServerProcess.Kind) async throws {
    let server = try await ServerProcess(kind)
    try await RemoteConformance(remote(server.calendar)).run()
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A calendar is found from the root of the server`(_ kind: ServerProcess.Kind) async throws {
    let server = try await ServerProcess(kind)
    let direct = try await remote(server.calendar).openCalendar()
    let item = try RemoteConformance.event("found@example.org", summary: "Found")
    _ = try await direct.create(item)
    let found = try await remote(server.root, calendar: "cal").openCalendar()
    #expect(try await found.list().count == 1)
    let error = await #expect(throws: RemoteError.self) {
      try await remote(server.root, calendar: "Absent").openCalendar()
    }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains(kind.calendarPath) ?? false, "\(error?.message ?? "")")
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `Nothing but additions is sent under write-only access`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let server = try await ServerProcess(kind)
    let methods = Mutex<[HTTPMethod]>([])
    let network = try NetworkTransport(userAgent: "epact-tests/1")
    let observed = ObservedTransport(network) { exchange in
      methods.withLock { $0.append(exchange.method) }
    }
    let appender = try await remote(server.calendar, transport: observed).openAppender()
    let item = try RemoteConformance.event("added@example.org", summary: "Added")
    guard case .added(let href, _) = try await appender.append(item) else {
      Issue.record("the event was not added")
      return
    }
    #expect(try await appender.append(item) == .alreadyPresent(href: href))
    #expect(methods.withLock { $0 } == [.put, .put])
    let calendar = try await remote(server.calendar).openCalendar()
    #expect(try await calendar.list().map(\.href) == [href])
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `Many items are fetched in batches`(_ kind: ServerProcess.Kind) async throws {
    let server = try await ServerProcess(kind)
    let calendar = try await remote(server.calendar).openCalendar()
    for index in 0..<120 {
      let item = try RemoteConformance.event("item-\(index)", summary: "Item \(index)")
      _ = try await calendar.create(item)
    }
    let entries = try await calendar.list()
    #expect(entries.count == 120)
    var uids: Set<UID> = []
    for case .item(_, _, let item) in try await calendar.fetch(entries.map(\.href)) {
      uids.insert(item.uid)
    }
    #expect(uids.count == 120)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A UID that is there under another name is found there`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let server = try await ServerProcess(kind)
    let network = try NetworkTransport(userAgent: "epact-tests/1")
    let item = try RemoteConformance.event("twice@example.org", summary: "Elsewhere")
    let place = try RemoteURL(parsing: server.calendar + "elsewhere.ics")
    let made = try await network.send(
      HTTPRequest(
        method: .put, url: place, headers: ["Content-Type": "text/calendar"],
        body: item.serialized(), credentials: Self.credentials))
    #expect(made.status == 201)
    let calendar = try await remote(server.calendar).openCalendar()
    let outcome = try await calendar.create(item)
    guard case .alreadyPresent(let href) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try await calendar.list().map(\.href) == [href])
    let appender = try await remote(server.calendar).openAppender()
    guard case .alreadyPresent = try await appender.append(item) else {
      Issue.record("the second copy was added")
      return
    }
  }

  @Test func `A wrong password is refused once, with a code of its own`() async throws {
    let server = try await ServerProcess(.radicale)
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: server.calendar),
      credentials: Credentials(user: "alice", password: "wrong"),
      transport: try NetworkTransport(userAgent: "epact-tests/1"))
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .credentials)
    let appender = try await remote.openAppender()
    let item = try RemoteConformance.event("a", summary: "A")
    let second = await #expect(throws: RemoteError.self) { try await appender.append(item) }
    #expect(second?.code == .credentials)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A calendar that is gone is an error, and leads to no other`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let server = try await ServerProcess(kind)
    let address = server.calendar.replacing("/cal/", with: "/gone/")
    let error = await #expect(throws: RemoteError.self) {
      try await remote(address).openCalendar()
    }
    #expect(error?.code == .notFound)
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `An item with a METHOD is stored without it`(_ kind: ServerProcess.Kind) async throws {
    let server = try await ServerProcess(kind)
    let text = String(
      decoding: try RemoteConformance.event("method", summary: "M").serialized(), as: UTF8.self)
    let message = try CalendarItem(
      parsing: Array(
        text.replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:PUBLISH\r\n").utf8))
    let calendar = try await remote(server.calendar).openCalendar()
    guard case .written(let href, _) = try await calendar.create(message),
      case .item(_, _, let stored) = try await calendar.fetch([href]).first
    else {
      Issue.record("the item is not taken")
      return
    }
    #expect(!String(decoding: stored.serialized(), as: UTF8.self).contains("METHOD"))
  }
}

/// What changed, as real servers tell it.
extension CalDAVServerTests {
  @Test(arguments: ServerProcess.Kind.allCases)
  func `What changed since a cursor is told once, by a report`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let server = try await ServerProcess(kind)
    let methods = Mutex<[HTTPMethod]>([])
    let network = try NetworkTransport(userAgent: "epact-tests/1")
    let observed = ObservedTransport(network) { exchange in
      methods.withLock { $0.append(exchange.method) }
    }
    let other = try await remote(server.calendar).openCalendar()
    for index in 0..<8 {
      _ = try await other.create(RemoteConformance.event("item-\(index)", summary: "Item"))
    }
    func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
      methods.withLock { $0 = [] }
      return try await remote(server.calendar, transport: observed).openCalendar()
        .changes(since: cursor)
    }
    guard case .complete(let entries, let first?) = try await changes(since: nil) else {
      Issue.record("the first answer is not everything, or has no cursor")
      return
    }
    #expect(entries.count == 8)
    #expect(try await changes(since: first) == .none(first))
    #expect(methods.withLock { $0 } == [.propfind])

    _ = try await other.create(RemoteConformance.event("new", summary: "New"))
    let tag = try #require(entries[0].etag)
    _ = try await other.delete(entries[0].href, ifMatch: tag)
    guard case .some(let changed, let removed, let second) = try await changes(since: first) else {
      Issue.record("there is no report")
      return
    }
    #expect(methods.withLock { $0 } == [.propfind, .report])
    #expect(changed.count == 1)
    #expect(changed.allSatisfy { $0.etag != nil && $0.href.rawValue.contains("new") })
    #expect(
      removed.map { $0.rawValue.split(separator: "/").last } == [
        entries[0].href.rawValue.split(separator: "/").last
      ])
    #expect(try await changes(since: second) == .none(second))
    // A token that the server never gave is refused, and everything is told.
    let forged = RemoteCursor(
      second.rawValue.replacing("token=", with: "token=x").replacing("ctag=", with: "ctag=x"))
    guard case .complete(let all, let third?) = try await changes(since: forged) else {
      Issue.record("a forged token is taken for a real one")
      return
    }
    #expect(all.count == 8)
    #expect(third == RemoteCursor(second.rawValue.replacing("count=7", with: "count=8")))
  }
}
