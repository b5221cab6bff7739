// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

@Suite struct DiscoveryTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  static let principal = Script.response(
    "/", "<d:current-user-principal><d:href>/p/alice</d:href></d:current-user-principal>")
  static let homes = Script.response(
    "/p/alice", "<c:calendar-home-set><d:href>/c/alice/</d:href></c:calendar-home-set>")
  static let work = calendar("/c/alice/work/", "Work")
  static let play = calendar("/c/alice/play/", "Play")

  static func calendar(_ href: String, _ name: String) -> String {
    Script.response(
      href,
      "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
        + "<d:displayname>\(name)</d:displayname>")
  }

  static func ask(
    _ path: String, depth: Int = 0, _ answer: ScriptedTransport.Answer
  ) -> Exchange {
    Exchange(.propfind, "https://h\(path)", fields: ["Depth": String(depth)], answer: answer)
  }

  /// The listing that shows which calendar was found.
  static func listing(_ path: String) -> Exchange {
    ask(path, depth: 1, .multiStatus(Script.response(path, "<d:resourcetype/>")))
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var address = "https://h/"
    var calendar: String?
    let script: [Exchange]
  }

  static let found = [
    Case(
      testDescription: "the address itself", address: "https://h/c/alice/work",
      script: [ask("/c/alice/work", .multiStatus(work)), listing("/c/alice/work/")]),
    Case(
      testDescription: "the address itself, by its name", address: "https://h/c/alice/work/",
      calendar: "Work",
      script: [ask("/c/alice/work/", .multiStatus(work)), listing("/c/alice/work/")]),
    Case(
      testDescription: "by principal and home set", calendar: "Play",
      script: [
        ask("/", .multiStatus(principal)), ask("/p/alice", .multiStatus(homes)),
        ask("/c/alice/", depth: 1, .multiStatus(work + play)), listing("/c/alice/play/"),
      ]),
    Case(
      testDescription: "by the last part of its path", calendar: "play",
      script: [
        ask("/", .multiStatus(principal)), ask("/p/alice", .multiStatus(homes)),
        ask("/c/alice/", depth: 1, .multiStatus(work + play)), listing("/c/alice/play/"),
      ]),
    Case(
      testDescription: "the only one",
      script: [
        ask("/", .multiStatus(principal)), ask("/p/alice", .multiStatus(homes)),
        ask(
          "/c/alice/", depth: 1,
          .multiStatus(
            Script.response("/c/alice/", "<d:resourcetype><d:collection/></d:resourcetype>") + work
              + Script.response(
                "/c/alice/inbox/",
                "<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>"))),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "by the well-known address",
      script: [
        ask("/", .status(404)), ask("/.well-known/caldav", .multiStatus(principal)),
        ask("/p/alice", .multiStatus(homes)), ask("/c/alice/", depth: 1, .multiStatus(work)),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "past a web page at the root",
      script: [
        ask("/", .status(200, body: "<html></html>")),
        ask("/.well-known/caldav", .multiStatus(principal)),
        ask("/p/alice", .multiStatus(homes)), ask("/c/alice/", depth: 1, .multiStatus(work)),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "by links with another scheme or port, as behind a proxy",
      script: [
        ask("/", .multiStatus(principal.replacing("/p/alice", with: "http://h/p/alice"))),
        ask("/p/alice", .multiStatus(homes.replacing(">/c/", with: ">//h:8080/c/"))),
        ask("/c/alice/", depth: 1, .multiStatus(work.replacing(">/c/", with: ">http://b/c/"))),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "the address itself, with another server in its address",
      address: "https://h/c/alice/work",
      script: [
        ask("/c/alice/work", .multiStatus(work.replacing(">/c/", with: ">http://backend:80/c/"))),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "with a slash that the address lacks", address: "https://h/dav",
      script: [
        ask("/dav", .status(404)), ask("/dav/", .multiStatus(principal)),
        ask("/p/alice", .multiStatus(homes)), ask("/c/alice/", depth: 1, .multiStatus(work)),
        listing("/c/alice/work/"),
      ]),
    Case(
      testDescription: "by a query, where PROPFIND is refused", address: "https://h/c/alice/work",
      script: [
        ask("/c/alice/work", .status(405)), ask("/c/alice/work", .status(405)),
        Exchange(
          .report, "https://h/c/alice/work/", fields: ["Depth": "1"], answer: .multiStatus("")),
        ask("/c/alice/work/", depth: 1, .status(405)),
        Exchange(.report, "https://h/c/alice/work/", answer: .multiStatus("")),
      ]),
    Case(
      testDescription: "in one of several home sets",
      script: [
        ask("/", .multiStatus(principal)),
        ask(
          "/p/alice",
          .multiStatus(
            Script.response(
              "/p/alice",
              "<c:calendar-home-set><d:href>/c/one/</d:href><d:href>https://h/c/two/</d:href>"
                + "</c:calendar-home-set>"))),
        ask("/c/one/", depth: 1, .multiStatus("")),
        ask("/c/two/", depth: 1, .multiStatus(work)), listing("/c/alice/work/"),
      ]),
  ]

  static let sogo = [
    ask("/", .status(404)), ask("/.well-known/caldav", .status(200, body: "<html></html>")),
    Exchange(
      .propfind, "https://h/SOGo/dav/",
      answer: .multiStatus(
        Script.response(
          "/SOGo/dav/",
          "<d:current-user-principal><d:href>/p/alice</d:href></d:current-user-principal>"))),
    ask("/p/alice", .multiStatus(homes)), ask("/c/alice/", depth: 1, .multiStatus(work)),
    listing("/c/alice/work/"),
  ]

  static let twoHomes = ask(
    "/p/alice",
    .multiStatus(
      Script.response(
        "/p/alice",
        "<c:calendar-home-set><d:href>/c/one/</d:href><d:href>/c/alice/</d:href>"
          + "</c:calendar-home-set>")))

  @Test func `A server that fails at a question is asked a smaller one`() async throws {
    let transport = ScriptedTransport([
      Self.ask("/caldav.php/", .status(500)),
      Self.ask(
        "/caldav.php/",
        .multiStatus(
          Script.response(
            "/caldav.php/",
            "<d:current-user-principal><d:href>/p/alice</d:href></d:current-user-principal>"))),
      Self.ask("/p/alice", .multiStatus(Self.homes)),
      Self.ask("/c/alice/", depth: 1, .multiStatus(Self.work)),
      Self.ask("/c/alice/work/", .status(500)), Self.listing("/c/alice/work/"),
    ])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/caldav.php/"), credentials: nil,
      transport: transport)
    guard case .complete([], nil) = try await remote.openCalendar().changes(since: nil) else {
      Issue.record("the calendar is not listed")
      return
    }
    transport.expectFinished()
    // DAViCal ends with an error if it is asked for this where it has none.
    let bodies = transport.log.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    #expect(bodies.map { $0.contains("sync-token") } == [true, false, false, false, true, false])
  }

  @Test func `The root of a server is not asked for what only a calendar has`() async throws {
    let transport = ScriptedTransport([Self.ask("/", .status(401))])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/"), credentials: nil, transport: transport)
    await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    let body = String(decoding: transport.log.first?.body ?? [], as: UTF8.self)
    #expect(body.contains("current-user-principal") && !body.contains("sync-token"))
  }

  @Test func `SOGo is found although it does not send on`() async throws {
    let transport = ScriptedTransport(Self.sogo)
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/"), credentials: nil, transport: transport)
    #expect(try await remote.openCalendar().list().isEmpty)
    transport.expectFinished()
  }

  @Test func `A home set that cannot be listed hides no other, and no doubt either`() async throws {
    let script = [
      Self.ask("/", .multiStatus(Self.principal)), Self.twoHomes,
      Self.ask("/c/one/", depth: 1, .status(403)),
      Self.ask("/c/alice/", depth: 1, .multiStatus(Self.work)),
    ]
    let named = ScriptedTransport(script + [Self.listing("/c/alice/work/")])
    let address = try RemoteURL(parsing: "https://h/")
    let remote = CalDAVRemote(
      address: address, calendar: "Work", credentials: nil, transport: named)
    #expect(try await remote.openCalendar().list().isEmpty)
    named.expectFinished()
    // The only one that is seen need not be the only one.
    let only = CalDAVRemote(
      address: address, credentials: nil, transport: ScriptedTransport(script))
    let error = await #expect(throws: RemoteError.self) { try await only.openCalendar() }
    #expect(error?.code == .forbidden)
  }

  @Test func `Servers of one site share a user, as those of iCloud do`() async throws {
    let (front, back) = ("https://caldav.icloud.com", "https://p42-caldav.icloud.com")
    let homes = Script.response(
      "/1/principal/",
      "<c:calendar-home-set><d:href>https://p07-caldav.icloud.com:443/1/</d:href>"
        + "</c:calendar-home-set>")
    let transport = ScriptedTransport([
      Exchange(.propfind, front + "/", answer: .moved(to: back + "/", .status(401))),
      Exchange(
        .propfind, back + "/",
        answer: .multiStatus(
          Script.response(
            "/",
            "<d:current-user-principal><d:href>/1/principal/</d:href></d:current-user-principal>"))
      ),
      Exchange(.propfind, back + "/1/principal/", answer: .multiStatus(homes)),
      Exchange(
        .propfind, "https://p07-caldav.icloud.com/1/", fields: ["Depth": "1"],
        answer: .multiStatus(Self.calendar("/1/home/", "Home"))),
      Exchange(
        .propfind, "https://p07-caldav.icloud.com/1/home/", fields: ["Depth": "1"],
        answer: .multiStatus(Script.response("/1/home/", "<d:resourcetype/>"))),
    ])
    let credentials = Credentials(user: "alice", password: "s3cret")
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: front + "/"), credentials: credentials, transport: transport)
    #expect(try await remote.openCalendar().list().isEmpty)
    transport.expectFinished()
    #expect(transport.log.allSatisfy { $0.credentials == credentials })
    // What the configuration says stays what state and grants are bound to.
    #expect(remote.identity.location == front + "/")
  }

  @Test(arguments: [
    "https://p42-caldav.icloud.com.evil.example/", "https://evil.example/",
    "https://p42-caldav.icloud.com:8443/",
  ])
  func `A server of another site is told nothing`(_ other: String) async throws {
    let transport = ScriptedTransport([
      Exchange(
        .propfind, "https://caldav.icloud.com/", answer: .moved(to: other, .status(401)))
    ])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://caldav.icloud.com/"), credentials: nil,
      transport: transport)
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .redirected)
    #expect(
      error?.message
        == "the server redirects to \(other); if you trust it, configure that address")
    transport.expectFinished()
  }

  @Test func `Servers of one site that send on for ever are left alone`() async throws {
    let hosts = (1...4).map { "https://p\($0)-caldav.icloud.com/" }
    let transport = ScriptedTransport(
      (0..<3).map {
        Exchange(.propfind, hosts[$0], answer: .moved(to: hosts[$0 + 1], .status(401)))
      }
    )
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: hosts[0]), credentials: nil, transport: transport)
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .redirected)
    transport.expectFinished()
  }

  @Test(arguments: found) func `A calendar is found`(_ row: Case) async throws {
    let transport = ScriptedTransport(row.script)
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: row.address), calendar: row.calendar, credentials: nil,
      transport: transport)
    #expect(try await remote.openCalendar().list().isEmpty)
    transport.expectFinished()
  }

  struct Failure: CustomTestStringConvertible {
    let testDescription: String
    var address = "https://h/"
    var calendar: String?
    let script: [Exchange]
    let code: RemoteError.Code
    let message: String
  }

  static let toHomes = [
    ask("/", .multiStatus(principal)), ask("/p/alice", .multiStatus(homes)),
  ]

  static let failures = [
    Failure(
      testDescription: "several, and none chosen",
      script: toHomes + [ask("/c/alice/", depth: 1, .multiStatus(work + play))], code: .ambiguous,
      message: "there are several calendars, choose one by its name or address: "
        + "\"Work\" (/c/alice/work/), \"Play\" (/c/alice/play/)"),
    Failure(
      testDescription: "two of the same name", calendar: "Work",
      script: toHomes + [
        ask("/c/alice/", depth: 1, .multiStatus(work + play + calendar("/c/alice/w2/", "Work")))
      ], code: .ambiguous,
      message: "there are several calendars, choose one by its name or address: "
        + "\"Work\" (/c/alice/work/), \"Work\" (/c/alice/w2/)"),
    Failure(
      testDescription: "none of the name", calendar: "Wrk",
      script: toHomes + [
        ask("/c/alice/", depth: 1, .multiStatus(work + calendar("/c/x/", "E\u{202E}vil")))
      ], code: .notFound,
      message:
        "there is no calendar \"Wrk\", only \"Work\" (/c/alice/work/), \"E\\u{202E}vil\" (/c/x/)"),
    Failure(
      testDescription: "none at all",
      script: toHomes + [ask("/c/alice/", depth: 1, .multiStatus(""))], code: .notFound,
      message: "the user has no calendars here"),
    Failure(
      testDescription: "another than the address is of", address: "https://h/c/alice/work/",
      calendar: "Play", script: [ask("/c/alice/work/", .multiStatus(work))], code: .configuration,
      message: "this is the calendar \"Work\" (/c/alice/work/), not \"Play\""),
    Failure(
      testDescription: "a user the server does not know",
      script: [
        ask(
          "/",
          .multiStatus(
            Script.response(
              "/", "<d:current-user-principal><d:unauthenticated/></d:current-user-principal>")))
      ], code: .credentials,
      message: "the server does not recognize the user; check the credentials"),
    Failure(
      testDescription: "a principal elsewhere",
      script: [
        ask(
          "/",
          .multiStatus(
            Script.response(
              "/",
              "<d:current-user-principal><d:href>https://p01.example/p/</d:href>"
                + "</d:current-user-principal>")))
      ], code: .redirected,
      message: "the server refers to another server; "
        + "if you trust it, configure that address"),
    Failure(
      testDescription: "no CalDAV server",
      script: [ask("/", .status(405)), ask("/.well-known/caldav", .status(404))],
      code: .notCalendar,
      message: "no calendar found here, and no link to one; "
        + "https://h/.well-known/caldav: not found (status 404)"),
    Failure(
      testDescription: "a calendar that is gone leads to no other",
      address: "https://h/c/alice/work/", script: [ask("/c/alice/work/", .status(404))],
      code: .notFound, message: "not found (status 404)"),
    Failure(
      testDescription: "a calendar that is gone, told within an answer",
      address: "https://h/c/alice/work/",
      script: [
        ask("/c/alice/work/", .multiStatus(Script.response("/c/alice/work/", status: 404)))
      ], code: .notFound, message: "not found (status 404)"),
    Failure(
      testDescription: "a calendar that fails leads to no other",
      address: "https://h/c/alice/work/",
      script: [ask("/c/alice/work/", .status(500)), ask("/c/alice/work/", .status(500))],
      code: .failed, message: "the server refuses it with status 500"),
    Failure(
      testDescription: "a folder that is no calendar", address: "https://h/files/",
      script: [
        ask(
          "/files/",
          .multiStatus(
            Script.response(
              "/files/", "<d:resourcetype><d:collection/></d:resourcetype>")))
      ], code: .notCalendar,
      message: "this is not a calendar, and the server has no link to one"),
    Failure(
      testDescription: "half an answer",
      script: [ask("/", .status(207, body: "<d:multistatus xmlns:d=\"DAV:\">"))], code: .malformed,
      message: "invalid response: XML that is not well-formed (line 1)"),
    Failure(
      testDescription: "a refused password", script: [ask("/", .status(401))], code: .credentials,
      message: "the server requires a user name and a password"),
  ]

  @Test(arguments: failures) func `A search that fails says why`(_ row: Failure) async throws {
    let transport = ScriptedTransport(row.script)
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: row.address), calendar: row.calendar, credentials: nil,
      transport: transport)
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == row.code)
    #expect(error?.message == row.message)
    transport.expectFinished()
  }

  @Test func `The identity has one spelling and no password`() throws {
    let transport = ScriptedTransport([])
    let credentials = Credentials(user: "alice", password: "s3cret")
    let identities = try ["https://H:443/c%61l/@x/", "https://h/cal/%40x/"].map {
      CalDAVRemote(
        address: try RemoteURL(parsing: $0), credentials: credentials, transport: transport
      ).identity
    }
    #expect(identities[0] == identities[1])
    #expect(identities[0].description == "caldav alice@https://h/cal/%40x/")
    let named = CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/"), calendar: "Work", credentials: nil,
      transport: transport)
    #expect(named.identity.description == "caldav https://h/#Work")
  }
}
