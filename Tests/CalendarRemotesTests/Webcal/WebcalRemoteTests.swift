// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Synchronization
import TestSupport
import Testing

struct WebcalRemoteTests {
  let server = FeedServer()

  /// Publishes four events with UIDs, and syncs.
  func subscribe(headers: HTTPHeaders = [:]) async throws {
    server.publish(
      (1...4).flatMap { FeedServer.event("\($0)@example.org", "Event \($0)", day: $0) },
      headers: headers)
    let outcome = try await server.sync()
    #expect(outcome.summary.downloaded == 4)
    #expect(server.titles == ["Event 1", "Event 2", "Event 3", "Event 4"])
    // Twice, to see whether it invents UIDs.
    #expect(server.takeRequests().count == 2)
  }

  /// Syncs, and expects that nothing is written and nothing is told.
  func expectNothing(requests: Int = 1) async throws {
    let before = server.local.contents
    let outcome = try await server.sync()
    #expect(outcome.summary == RunSummary())
    #expect(server.local.contents == before)
    #expect(server.takeRequests().count == requests)
  }

  @Test func `A feed does what every remote must that can only be read`() async throws {
    server.publish((1...3).flatMap { FeedServer.event("\($0)", "Event \($0)", day: $0) })
    let items = (1...3).map { number in
      TestItem.parse(
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
          + FeedServer.event("\(number)", "Event \(number)", day: number) + ["END:VCALENDAR"])
          .map { $0 + "\r\n" }.joined())
    }
    try await RemoteConformance(server.remote()).runReadOnly(holding: items)
    #expect(server.takeRequests().allSatisfy { $0.method == .get })
  }

  @Test func `A feed without events is not read twice`() async throws {
    server.publish([])
    try await expectNothing()
  }

  @Test func `Floating times of a feed are read in the zone that it declares`() async throws {
    server.publish(
      ["X-WR-TIMEZONE:America/New_York"]
        + ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z", "DTSTART:20260701T090000"]
        + ["SUMMARY:Float", "END:VEVENT"])
    _ = try await server.sync()
    let items = server.local.contents.values.map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(items.contains("DTSTART;TZID=America/New_York:20260701T090000"))
  }

  @Test func `What the server says is unchanged is not read again`() async throws {
    let headers: HTTPHeaders = [
      "ETag": "\"v 1\"", "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT",
    ]
    try await subscribe(headers: headers)
    let outcome = try await server.sync()
    #expect(outcome.summary == RunSummary())
    let request = try #require(server.takeRequests().first)
    #expect(request.headers["If-None-Match"] == "\"v 1\"")
    #expect(request.headers["If-Modified-Since"] == "Sat, 21 Nov 2026 08:00:00 GMT")
    #expect(request.acceptsCompression)
  }

  @Test func `An edit, an addition and a deletion come through`() async throws {
    try await subscribe(headers: ["ETag": "\"1\""])
    server.publish(
      FeedServer.event("1@example.org", "Event 1, later", day: 1)
        + FeedServer.event("2@example.org", "Event 2", day: 2)
        + FeedServer.event("3@example.org", "Event 3", day: 3)
        + FeedServer.event("5@example.org", "Event 5", day: 5), headers: ["ETag": "\"2\""])
    let outcome = try await server.sync()
    #expect(outcome.summary.downloaded == 2)
    #expect(outcome.summary.deletedLocally == 1)
    #expect(server.titles == ["Event 1, later", "Event 2", "Event 3", "Event 5"])
  }

  @Test func `A new stamp, a later date or a counted SEQUENCE is no edit`() async throws {
    try await subscribe()
    server.publish(
      (1...4).flatMap { number in
        FeedServer.event(
          "\(number)@example.org", "Event \(number)", day: number,
          extra: ["LAST-MODIFIED:20261121T080000Z", "SEQUENCE:7", "CREATED:20261121T080000Z"],
          stamp: "20261121T080000Z")
      })
    try await expectNothing()
  }

  @Test func `Events without a UID are the same ones each time`() async throws {
    func publish(_ order: [Int], note: String) {
      server.publish(
        order.flatMap {
          FeedServer.event(nil, "Event \($0)", day: $0, extra: ["DESCRIPTION:\(note)"])
        } + FeedServer.event(nil, "Twin") + FeedServer.event(nil, "Twin", extra: ["CLASS:PRIVATE"]))
    }
    publish([1, 2, 3, 4], note: "a")
    #expect(try await server.sync().summary.downloaded == 6)
    let uids = Set(server.local.items.keys)
    publish([4, 2, 3, 1], note: "a")
    #expect(try await server.sync().summary == RunSummary())
    publish([4, 2, 3, 1], note: "b")
    #expect(try await server.sync().summary.downloaded == 4)
    #expect(Set(server.local.items.keys) == uids)
    // Not by what is remembered: another calendar subscribes and gets the same.
    let other = FeedServer()
    other.publish(raw: String(decoding: server.state.withLock { $0.body }, as: UTF8.self))
    _ = try await other.sync()
    #expect(Set(other.local.items.keys) == uids)
  }

  @Test func `A feed that invents new UIDs each time changes nothing`() async throws {
    func publish(_ round: Int, _ titles: [String]) {
      server.publish(
        titles.enumerated().flatMap { day, title in
          FeedServer.event(
            "\(round)-\(day)@example.org", title, day: day + 1,
            extra: title == "Lunch" ? ["DESCRIPTION:round \(round)"] : [])
        })
    }
    let titles = ["Lunch", "Dinner", "Walk", "Talk", "Talk"]
    publish(1, titles)
    _ = try await server.sync()
    let uids = Set(server.local.items.keys)
    for round in 2...4 {
      publish(round, titles)
      let outcome = try await server.sync()
      // The one that says something new is an edit; none is deleted and none is added.
      #expect(outcome.summary.downloaded == 1)
      #expect(outcome.summary.deletedLocally == 0)
      #expect(Set(server.local.items.keys) == uids)
    }
    publish(5, ["Lunch", "Walk", "Talk", "Talk", "Nap"])
    let outcome = try await server.sync(allowing: 5)
    #expect(outcome.summary.deletedLocally > 0)
    #expect(server.titles == ["Lunch", "Nap", "Talk", "Talk", "Walk"])
  }

  @Test func `A run that compares contents knows the items of such a feed again`() async throws {
    for round in 1...2 {
      server.publish(
        (1...4).flatMap { FeedServer.event("\(round)-\($0)", "Event \($0)", day: $0) })
      if round == 1 { _ = try await server.sync() }
    }
    let before = server.local.contents
    #expect(try await server.sync(isVerifying: true).summary == RunSummary())
    #expect(server.local.contents == before)
  }

  @Test func `A feed that invents UIDs is found out at once, and survives the loss of the state`()
    async throws
  {
    server.state.withLock { state in
      state.make = { count in
        (1...4).flatMap { FeedServer.event("\(count)-\($0)", "Event \($0)", day: $0) }
      }
    }
    _ = try await server.sync()
    let uids = Set(server.local.items.keys)
    #expect(uids.allSatisfy { $0.hasPrefix("epact-feed-") })
    #expect(try await server.sync().summary == RunSummary())
    let other = FeedServer()
    other.state.withLock { $0.make = server.state.withLock { $0.make } }
    for item in server.local.items.values { other.local.write(item) }
    #expect(try await other.sync().summary.failed == 0)
    #expect(Set(other.local.items.keys) == uids)
  }

  struct Nonsense: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var status = 200
    let code: RemoteError.Code
    let words: String
  }

  static let whole =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\n"
    + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260301T090000Z\r\nSUMMARY:Event 1\r\nEND:VEVENT\r\n"

  @Test(arguments: [
    Nonsense(testDescription: "zero bytes", text: "", code: .notCalendar, words: "empty file"),
    Nonsense(
      testDescription: "a login page", text: "<!DOCTYPE html><html>Sign in</html>",
      code: .notCalendar, words: "web page"),
    Nonsense(
      testDescription: "another text", text: "ok", code: .notCalendar, words: "found something else"
    ),
    Nonsense(
      testDescription: "no end of the calendar", text: whole, code: .malformed, words: "incomplete"),
    Nonsense(
      testDescription: "cut in an event", text: whole + "BEGIN:VEVENT\r\nUID:2@exa",
      code: .malformed, words: "incomplete"),
    Nonsense(
      testDescription: "without the body of an event",
      text: whole + "BEGIN:VEVENT\r\nEND:VCALENDAR\r\n", code: .malformed, words: "incomplete"),
    Nonsense(
      testDescription: "cut in a line", text: String(whole.dropLast(40)), code: .malformed,
      words: "incomplete"),
    Nonsense(testDescription: "gone", text: "", status: 410, code: .notFound, words: "permanently"),
    Nonsense(testDescription: "absent", text: "", status: 404, code: .notFound, words: "404"),
    Nonsense(testDescription: "forbidden", text: "", status: 403, code: .forbidden, words: "403"),
    Nonsense(
      testDescription: "unknown user", text: "", status: 401, code: .credentials,
      words: "requires a user name"),
    Nonsense(
      testDescription: "busy", text: "", status: 503, code: .temporarilyUnavailable,
      words: "later"),
    Nonsense(
      testDescription: "broken", text: "<html>", status: 502, code: .failed, words: "502"),
    Nonsense(testDescription: "no content", text: "", status: 204, code: .failed, words: "204"),
    Nonsense(
      testDescription: "half of it", text: whole, status: 206, code: .failed, words: "206"),
    Nonsense(
      testDescription: "unchanged, unasked", text: "", status: 304, code: .failed, words: "304"),
  ])
  func `What is no whole feed deletes nothing`(_ test: Nonsense) async throws {
    try await subscribe(headers: test.status == 304 ? [:] : ["ETag": "\"1\""])
    let before = server.local.contents
    if test.status == 304 { return try await expectUnaskedRefused(test, before) }
    server.publish(raw: test.text, status: test.status)
    let error = await #expect(throws: RemoteError.self) { try await server.sync() }
    #expect(error?.code == test.code)
    #expect(error?.message.contains(test.words) ?? false, "\(error?.message ?? "")")
    #expect(error?.description.contains("s3cret") == false, "the address is as good as a password")
    #expect(server.local.contents == before)
    server.publish(
      (1...4).flatMap { FeedServer.event("\($0)@example.org", "Event \($0)", day: $0) })
    _ = server.takeRequests()
    try await expectNothing()
  }

  /// A server that answers 304 to a request without a condition gives nothing that could be used.
  private func expectUnaskedRefused(
    _ test: Nonsense, _ before: [String: [UInt8]]
  ) async throws {
    server.publish(raw: "", status: 304)
    let calendar = try await server.remote().openCalendar()
    let error = await #expect(throws: RemoteError.self) { try await calendar.list() }
    #expect(error?.code == test.code)
    #expect(server.local.contents == before)
  }

  @Test func `A feed that shrank or is empty runs into the guard`() async throws {
    try await subscribe()
    let before = server.local.contents
    for lines in [[], FeedServer.event("1@example.org", "Event 1")] {
      server.publish(lines, headers: ["ETag": "\"2\""])
      for _ in 1...2 {
        let outcome = try await server.sync()
        #expect(outcome.summary.stoppedByGuard)
        #expect(server.local.contents == before)
      }
    }
    #expect(try await server.sync(allowing: 3).summary.deletedLocally == 3)
    #expect(server.titles == ["Event 1"])
  }

  @Test func `A sync that pulls puts back what is edited here, even if it waited before`()
    async throws
  {
    try await subscribe()
    server.local.write(TestItem.make(uid: "1@example.org", summary: "Mine"))
    server.local.write(TestItem.make(uid: "own@example.org", summary: "Own"))
    server.local.remove("2@example.org")
    for _ in 1...2 { #expect(try await server.sync().summary.failed == 3) }
    let outcome = try await server.sync(direction: .pull)
    #expect(outcome.summary.failed == 0)
    #expect(outcome.summary.downloaded == 2)
    #expect(server.titles == ["Event 1", "Event 2", "Event 3", "Event 4", "Own"])
    #expect(try await server.sync(direction: .pull).summary == RunSummary())
    #expect(server.takeRequests().allSatisfy { $0.method == .get })
  }

  @Test func `What is edited here stays here, is told, and is not sent`() async throws {
    try await subscribe()
    server.local.write(TestItem.make(uid: "1@example.org", summary: "Mine"))
    server.local.write(TestItem.make(uid: "own@example.org", summary: "Own"))
    for _ in 1...2 {
      let outcome = try await server.sync()
      #expect(outcome.told.count == 2)
      #expect(outcome.told.allSatisfy { $0.contains("a feed is read-only") })
      #expect(server.titles == ["Event 2", "Event 3", "Event 4", "Mine", "Own"])
    }
    #expect(server.takeRequests().allSatisfy { $0.method == .get })
    // What changes in the feed still comes through.
    server.publish(
      (1...4).flatMap { FeedServer.event("\($0)@example.org", "Event \($0)!", day: $0) })
    _ = try await server.sync()
    #expect(server.titles.contains("Event 2!") && server.titles.contains("Mine"))
  }

  @Test func `What has moved for good is asked for there, and stays the same feed`() async throws {
    let new = "https://new.example.org/feed.ics"
    server.state.withLock { $0.moved = [FeedServer.address: new] }
    let credentials = Credentials(user: "ada", password: "hunter2")
    server.publish(FeedServer.event("1", "One"), headers: ["ETag": "\"1\""])
    _ = try await server.sync(credentials: credentials)
    #expect(server.takeRequests().map(\.url.description) == [FeedServer.address, new])
    _ = try await server.sync(credentials: credentials)
    let later = server.takeRequests()
    #expect(later.map(\.url.description) == [new])
    #expect(later.allSatisfy { $0.credentials == nil }, "they belong to the configured server")
    // It was not for good after all.
    server.state.withLock { state in
      state.moved = [:]
      state.gone = [new]
    }
    let outcome = try await server.sync(credentials: credentials)
    #expect(outcome.summary.failed == 0)
    #expect(server.takeRequests().map(\.url.description) == [new, FeedServer.address])
    #expect(server.titles == ["One"])
  }

  @Test(arguments: ["REFRESH-INTERVAL;VALUE=DURATION:PT6H", "X-PUBLISHED-TTL:PT6H"])
  func `A feed that says when it changes is left alone until then`(_ line: String) async throws {
    server.publish([line] + FeedServer.event("1", "One"))
    _ = try await server.sync()
    _ = server.takeRequests()
    server.wait(seconds: 6 * 3600 - 1)
    try await expectNothing(requests: 0)
    server.wait(seconds: 1)
    try await expectNothing(requests: 1)
    // A clock that was set back tells nothing.
    server.wait(seconds: -7200)
    try await expectNothing(requests: 1)
  }

  @Test func `What runs every night always looks`() async throws {
    server.publish(["REFRESH-INTERVAL;VALUE=DURATION:P1W"] + FeedServer.event("1", "One"))
    _ = try await server.sync()
    _ = server.takeRequests()
    server.wait(seconds: 23 * 3600)
    try await expectNothing(requests: 1)
  }

  @Test func `Nothing is added to a feed, and nothing is sent to find out`() async throws {
    let remote = try server.remote()
    let error = await #expect(throws: AccessError.self) { try await remote.openAppender() }
    #expect(error?.description.hasPrefix("needs-full (") == true)
    #expect(server.takeRequests().isEmpty)
  }

  @Test func `The address is as good as a password`() async throws {
    let remote = try server.remote()
    #expect(remote.identity.location.hasPrefix("https://cal.example.org/…#"))
    #expect(!remote.identity.description.contains("s3cret"))
    let other = try server.remote("https://cal.example.org/private-0ther/feed.ics")
    #expect(remote.identity != other.identity)
    #expect(
      try server.remote("webcals://cal.example.org/private-s3cret/feed.ics").identity
        == remote.identity)
  }

  @Test func `A password is not sent without encryption`() async throws {
    let remote = try server.remote(
      "webcal://cal.example.org/feed.ics", credentials: Credentials(user: "ada", password: "x"))
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .configuration)
    #expect(server.takeRequests().isEmpty)
  }

  @Test(
    arguments: [
      ("webcal://cal.example.org/a?b=c", "http://cal.example.org/a?b=c"),
      ("WEBCALS://cal.example.org/a", "https://cal.example.org/a"),
      ("http://cal.example.org/a", "http://cal.example.org/a"),
      ("https://cal.example.org", "https://cal.example.org/"),
      ("webcal://user:pw@cal.example.org/a", nil), ("file:///etc/passwd", nil), ("webcal:a", nil),
    ] as [(String, String?)])
  func `The addresses of feeds`(_ text: String, _ address: String?) {
    #expect((try? RemoteURL(parsingFeed: text))?.description == address)
  }

  @Test func `Something that cannot be read leaves what it may be`() async throws {
    try await subscribe()
    let before = server.local.contents
    // Two UIDs in one event: nobody can tell which of the missing ones it is.
    server.publish(
      FeedServer.event("1@example.org", "Event 1") + FeedServer.event("2@example.org", "Event 2")
        + FeedServer.event("3@example.org", "Event 3", extra: ["UID:4@example.org"]))
    let outcome = try await server.sync()
    #expect(outcome.summary.deletedLocally == 0)
    #expect(outcome.summary.failed > 0)
    #expect(Set(before.keys).isSubset(of: server.local.contents.keys))
  }

  private static let deep =
    Array(repeating: "BEGIN:VALARM", count: 20) + Array(repeating: "END:VALARM", count: 20)

  @Test func `An item beyond the limits is unreadable alone`() async throws {
    let extra = Self.deep
    try await subscribe()
    let before = server.local.contents
    let known = FeedServer.event("2@example.org", "Edited", extra: extra)
    server.publish(
      FeedServer.event("1@example.org", "Event 1") + known
        + (3...4).flatMap { FeedServer.event("\($0)@example.org", "Event \($0)", day: $0) }
        + FeedServer.event("new@example.org", "New")
        + FeedServer.event("x@example.org", "Odd", extra: extra))
    let outcome = try await server.sync()
    #expect(outcome.summary.failed == 2)
    #expect(outcome.summary.deletedLocally == 0)
    #expect(server.titles.contains("New"))
    #expect(server.titles.contains("Event 2"))
    let name = before.keys.first { $0.hasPrefix("2") }
    #expect(name.map { server.local.contents[$0] == before[$0] } ?? false)
  }

  @Test func `What is left of an item beyond the limits is not taken for it`() async throws {
    server.publish(FeedServer.event("1@example.org", "Event 1"))
    _ = try await server.sync()
    let override = FeedServer.event(
      "1@example.org", "Odd", extra: ["RECURRENCE-ID:20260301T090000Z"] + Self.deep)
    server.publish(
      FeedServer.event("1@example.org", "Edited") + override
        + FeedServer.event("2@example.org", "Event 2"))
    let outcome = try await server.sync()
    #expect(outcome.summary.failed == 1)
    #expect(server.titles == ["Event 1", "Event 2"])
  }

  @Test func `A feed beyond the limits outside of an item is an error`() async throws {
    server.publish(["BEGIN:X-ODD"] + Self.deep + ["END:X-ODD"] + FeedServer.event("1@x", "Event 1"))
    let error = await #expect(throws: RemoteError.self) { try await server.sync() }
    #expect(error?.code == .tooLarge)
  }
}
