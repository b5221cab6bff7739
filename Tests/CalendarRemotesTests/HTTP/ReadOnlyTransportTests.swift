// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// The transport of a sync that pulls: it refuses all requests that do not read, whoever sends them.
@Suite struct ReadOnlyTransportTests {
  static let methods: [(HTTPMethod, isSent: Bool)] = [
    (.get, true), (.options, true), (.propfind, true), (.report, true), (.put, false),
    (.delete, false), (.move, false), (.proppatch, false), (.mkcalendar, false),
  ]

  @Test(arguments: methods)
  func `Only requests that read get through`(_ method: HTTPMethod, _ isSent: Bool) async throws {
    let url = try RemoteURL(parsing: "https://h/cal/a.ics")
    for headers: HTTPHeaders in [[:], ["If-None-Match": "*"], ["If-Match": "\"1\""]] {
      let script = ScriptedTransport([.init(method, "https://h/cal/a.ics", answer: .status(200))])
      let transport = ReadOnlyTransport(script)
      let request = HTTPRequest(method: method, url: url, headers: headers)
      if isSent {
        #expect(try await transport.send(request).status == 200)
      } else {
        let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
        #expect(error?.code == .refused)
        #expect(error?.message == "\(method) is refused: the sync only pulls")
        #expect(script.log.isEmpty)
      }
    }
  }

  @Test func `A calendar over it reads, and writes nothing even if it is asked to`() async throws {
    let script = ScriptedTransport([
      .init(
        .propfind, CalDAVScript.root,
        answer: .multiStatus(
          CalDAVScript.calendarResponse, fields: ["DAV": "1, 3, calendar-access"])),
      .init(.propfind, CalDAVScript.root, answer: .multiStatus(CalDAVScript.own)),
    ])
    let calendar = try await CalDAVRemote(
      address: try RemoteURL(parsing: CalDAVScript.root),
      credentials: Credentials(user: "alice", password: "s3cret"),
      transport: ReadOnlyTransport(script)
    ).openCalendar()
    #expect(try await calendar.list() == [])
    let item = TestItem.make(uid: "a")
    let (href, tag) = (Href("/cal/a.ics"), EntityTag("\"1\""))
    let source = RemoteEntry(href: Href("/other/a.ics"), etag: tag)
    let calls: [(String, () async throws -> Any?)] = [
      ("PUT", { try await calendar.create(item) }),
      ("PUT", { try await calendar.update(href, to: item, ifMatch: tag) }),
      ("DELETE", { try await calendar.delete(href, ifMatch: tag) }),
      ("MOVE", { try await calendar.move(item, from: source) }),
      ("PROPPATCH", { try await calendar.properties?.set(.name, to: "Mine") }),
    ]
    for (method, call) in calls {
      let error = await #expect(throws: (any Error).self) { _ = try await call() }
      #expect(
        error.map { "\($0)" }?.contains("\(method) is refused: the sync only pulls") == true)
    }
    script.expectFinished()
    #expect(script.log.map(\.method) == [.propfind, .propfind])
  }
}
