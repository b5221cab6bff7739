// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalendarCollectionsTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  static let type = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
  static let apple = #"xmlns:a="http://apple.com/ns/ical/""#

  static func privileges(_ names: String...) -> String {
    "<d:current-user-privilege-set>"
      + names.map { "<d:privilege><\($0)/></d:privilege>" }.joined()
      + "</d:current-user-privilege-set>"
  }

  static let work = Script.response(
    "/c/work/",
    type + "<d:displayname> Work &amp; play </d:displayname>"
      + "<a:calendar-color \(apple)>#FF8800FF</a:calendar-color>"
      + "<a:calendar-order \(apple)>3</a:calendar-order>"
      + "<c:calendar-description>For everything</c:calendar-description>"
      + "<c:supported-calendar-component-set><c:comp name=\"VEVENT\"/><c:comp name='vtodo'/>"
      + "</c:supported-calendar-component-set>" + privileges("d:read", "d:write"))
  static let bare = Script.response("/c/bare", type)
  static let others =
    Script.response(
      "/c/inbox/", "<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>")
    + Script.response("/c/", "<d:resourcetype><d:collection/></d:resourcetype>")

  /// The way from the root to a home set that holds these.
  static func search(_ listing: String) -> [Exchange] {
    DiscoveryTests.toHomes + [DiscoveryTests.ask("/c/alice/", depth: 1, .multiStatus(listing))]
  }

  static func collections(_ transport: ScriptedTransport) throws -> CalendarCollections {
    CalendarCollections(
      address: try RemoteURL(parsing: "https://h/"), credentials: nil, transport: transport)
  }

  @Test func `Calendars are listed with what they say of themselves`() async throws {
    let transport = ScriptedTransport(Self.search(Self.others + Self.work + Self.bare))
    let found = try await Self.collections(transport).list()
    #expect(found.map(\.url.description) == ["https://h/c/work/", "https://h/c/bare/"])
    #expect(found.map(\.title) == ["Work & play", "bare"])
    let work = try #require(found.first)
    #expect(
      CollectionProperty.allCases.map { work.properties[$0] }
        == ["Work & play", "#FF8800FF", "For everything", "3"])
    #expect(work.components == ["VEVENT", "VTODO"])
    #expect(work.privileges?.isReadOnly == false)
    let bare = try #require(found.last)
    #expect(bare.properties.isEmpty)
    #expect(bare.components == nil)
    #expect(bare.privileges == nil)
    transport.expectFinished()
  }

  @Test(arguments: [
    ("/alice/caf%C3%A9/", "alice/café", false), ("/dav/alice/work/", "alice/work", false),
    ("https://h/alice/work/", "alice/work", false), ("/alice/work/", "/alice/work/", false),
    ("/alice/work/", "work", true), ("/alice/work/", "bob/work", true),
    ("/alice/work/", "Work/home", true), ("/alice/work/", "e/work", true),
  ])
  func `The path of a calendar is not a name`(
    _ href: String, _ name: String, _ isName: Bool
  ) async throws {
    let transport = ScriptedTransport(
      Self.search(Script.response(href, Self.type + "<d:displayname>\(name)</d:displayname>")))
    let found = try #require(try await Self.collections(transport).list().first)
    #expect(found.properties[.name] == (isName ? name : nil))
  }

  @Test(arguments: [
    (["d:read"], "r---"), (["d:read-free-busy"], "----"), (["d:all"], "racd"),
    (["d:read", "d:write"], "racd"), (["d:read", "d:bind"], "ra--"), (["d:bind"], "-a--"),
    (["d:read", "d:write-content"], "r-c-"), (["d:read", "d:unbind"], "r--d"),
    (["c:read-free-busy", "d:write-properties"], "----"), ([], "----"),
  ])
  func `Privileges tell what may be done`(_ names: [String], _ expected: String) async throws {
    let list = names.map { "<d:privilege><\($0)/></d:privilege>" }.joined()
    let set = "<d:current-user-privilege-set>\(list)</d:current-user-privilege-set>"
    let transport = ScriptedTransport(
      Self.search(Script.response("/c/alice/work/", Self.type + set)))
    let found = try #require(try await Self.collections(transport).list().first?.privileges)
    let flags = [found.mayRead, found.mayAdd, found.mayChange, found.mayDelete]
    let text = zip(flags, "racd").map { $0 ? String($1) : "-" }.joined()
    #expect(text == expected)
    #expect(found.isReadOnly == !text.dropFirst().contains { $0 != "-" })
  }

  @Test func `An address of a calendar leads to the others of the user`() async throws {
    let direct = Script.response(
      "/c/alice/work/",
      Self.type + "<d:current-user-principal><d:href>/p/alice</d:href></d:current-user-principal>")
    let transport = ScriptedTransport([
      DiscoveryTests.ask("/c/alice/work/", .multiStatus(direct)), DiscoveryTests.toHomes[1],
      DiscoveryTests.ask("/c/alice/", depth: 1, .multiStatus(Self.work + Self.bare)),
    ])
    let found = try await CalendarCollections(
      address: try RemoteURL(parsing: "https://h/c/alice/work/"), credentials: nil,
      transport: transport
    ).list()
    #expect(found.count == 2)
    transport.expectFinished()
  }

  // MARK: Making calendars

  static func named(_ name: String, color: String? = nil) -> CollectionProperties {
    var properties = CollectionProperties()
    properties[.name] = name
    properties[.color] = color
    return properties
  }

  static func made(_ path: String) -> Exchange {
    DiscoveryTests.ask(path, .multiStatus(Script.response(path, type)))
  }

  static func make(
    _ method: HTTPMethod, _ path: String, _ answer: ScriptedTransport.Answer
  ) -> Exchange {
    Exchange(method, "https://h\(path)", answer: answer)
  }

  @Test func `A calendar is made with a name and components, and then coloured`() async throws {
    let place = "/c/alice/my-caf-2/"
    let transport = ScriptedTransport(
      Self.search(Script.response("/c/alice/my-caf/", Self.type)) + [
        Self.make(.mkcalendar, place, .status(201)),
        Self.make(
          .proppatch, place,
          .multiStatus(Script.response(place, "<a:calendar-color \(Self.apple)/>"))),
        Self.made(place),
      ])
    let calendar = try await Self.collections(transport).create(
      Self.named("My <Café>", color: "#102030"), components: ["VTODO", "VEVENT"])
    #expect(calendar.url.description == "https://h\(place)")
    transport.expectFinished()
    let bodies = transport.log.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    #expect(
      bodies[3].contains(
        "<c:mkcalendar xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\"><d:set><d:prop>"
          + "<d:displayname>My &lt;Café&gt;</d:displayname><c:supported-calendar-component-set>"
          + "<c:comp name=\"VEVENT\"/><c:comp name=\"VTODO\"/></c:supported-calendar-component-set>"
          + "</d:prop></d:set></c:mkcalendar>"))
    #expect(bodies[4].contains("<a:calendar-color \(Self.apple)>#102030</a:calendar-color>"))
  }

  static let nothing = DiscoveryTests.ask("/c/alice/work/", .status(404))
  static let taken = ScriptedTransport.Answer.status(
    403, body: CalDAVWritingTests.refusal("<d:resource-must-be-null/>"))

  /// What comes between the listing and the calendar that was made.
  static let ways: [(String, [Exchange], String)] = [
    ("made at once", [make(.mkcalendar, "/c/alice/work/", .status(200))], "/c/alice/work/"),
    (
      "by an extended MKCOL, where there is no MKCALENDAR",
      [
        make(.mkcalendar, "/c/alice/work/", .status(501)),
        make(.mkcol, "/c/alice/work/", .status(201)),
      ], "/c/alice/work/"
    ),
    (
      "by an extended MKCOL, where the other is refused",
      [
        make(.mkcalendar, "/c/alice/work/", .status(403)), nothing,
        make(.mkcol, "/c/alice/work/", .status(201)),
      ], "/c/alice/work/"
    ),
    (
      "beside what is not listed, as Xandikos and Cyrus tell of it",
      [
        make(.mkcalendar, "/c/alice/work/", taken),
        make(.mkcalendar, "/c/alice/work-2/", .status(201)),
      ], "/c/alice/work-2/"
    ),
    (
      "beside what is not listed, as Radicale tells of it",
      [
        make(.mkcalendar, "/c/alice/work/", .status(409)),
        DiscoveryTests.ask(
          "/c/alice/work/", .multiStatus(Script.response("/c/alice/work/", "<d:resourcetype/>"))),
        make(.mkcalendar, "/c/alice/work-2/", .status(201)),
      ], "/c/alice/work-2/"
    ),
    (
      "beside what is not listed, as DAViCal, SOGo and sabre/dav tell of it",
      [
        make(.mkcalendar, "/c/alice/work/", .status(405)),
        DiscoveryTests.ask(
          "/c/alice/work/", .multiStatus(Script.response("/c/alice/work/", "<d:resourcetype/>"))),
        make(.mkcalendar, "/c/alice/work-2/", .status(201)),
      ], "/c/alice/work-2/"
    ),
  ]

  @Test(arguments: ways) func `A calendar is made`(
    _ name: String, _ exchanges: [Exchange], _ path: String
  ) async throws {
    let transport = ScriptedTransport(Self.search("") + exchanges + [Self.made(path)])
    let calendar = try await Self.collections(transport).create(Self.named("Work"))
    #expect(calendar.url.path == path)
    transport.expectFinished()
  }

  static let refusals: [([Exchange], RemoteError.Code)] = [
    (
      [
        make(.mkcalendar, "/c/alice/work/", .status(403)), nothing,
        make(.mkcol, "/c/alice/work/", .status(403)),
      ], .forbidden
    ),
    (
      [
        make(.mkcalendar, "/c/alice/work/", .status(507)),
        make(.mkcol, "/c/alice/work/", .status(405)),
      ], .refused
    ),
    (
      [
        make(.mkcalendar, "/c/alice/work/", .status(201)),
        DiscoveryTests.ask(
          "/c/alice/work/",
          .multiStatus(
            Script.response(
              "/c/alice/work/", "<d:resourcetype><d:collection/></d:resourcetype>"))),
      ], .notCalendar
    ),
    ([make(.mkcalendar, "/c/alice/work/", .status(401))], .credentials),
  ]

  @Test(arguments: refusals) func `A calendar that cannot be made is an error`(
    _ exchanges: [Exchange], _ code: RemoteError.Code
  ) async throws {
    let transport = ScriptedTransport(Self.search("") + exchanges)
    let error = await #expect(throws: RemoteError.self) {
      try await Self.collections(transport).create(Self.named("Work"))
    }
    #expect(error?.code == code)
    transport.expectFinished()
  }

  // MARK: Properties of an open calendar

  @Test func `The properties of a calendar are read`() async throws {
    let script = try await Script(
      state: "<a:calendar-order \(Self.apple)>2</a:calendar-order>",
      [
        .init(
          .propfind, Script.root, fields: ["Depth": "0"],
          answer: .multiStatus(Self.work.replacing("/c/work/", with: "/cal/")))
      ])
    let store = try #require(script.calendar.properties)
    // The opening has told them already, once.
    let told = try await store.collectionProperties()
    #expect(told[.name] == "Work")
    #expect(told[.order] == "2")
    #expect(script.transport.log.count == 1)
    let found = try await store.collectionProperties()
    #expect(found[.name] == "Work & play")
    #expect(found[.order] == "3")
  }

  static func answer(_ status: Int, _ words: String = "") -> ScriptedTransport.Answer {
    .multiStatus(
      "<d:response><d:href>/cal/</d:href><d:propstat><d:prop><a:calendar-color \(apple)/></d:prop>"
        + "<d:status>HTTP/1.1 \(status) x</d:status></d:propstat>"
        + "<d:responsedescription>\(words)</d:responsedescription></d:response>")
  }

  static let settings: [(String?, ScriptedTransport.Answer, CollectionPropertyOutcome)] = [
    ("#102030", answer(200), .done), (nil, answer(200), .done), ("#102030", .status(200), .done),
    ("#102030", .status(204), .done), (nil, answer(404), .done),
    (
      "#102030", answer(403, "No  colours"),
      .refused(reason: "the server refuses it with status 403: No colours")
    ),
    ("#102030", answer(409), .refused(reason: "the server refuses it with status 409")),
    ("#102030", .status(403), .refused(reason: "the server refuses it with status 403")),
    (
      "#102030", .status(405),
      .refused(
        reason: "the server refuses it with status 405: "
          + "it does not support this request at this address")
    ),
    (nil, .status(500), .refused(reason: "the server refuses it with status 500")),
    ("#102030", .status(501), .refused(reason: "the server refuses it with status 501")),
  ]

  @Test(arguments: settings) func `A property is set, or it is told why not`(
    _ value: String?, _ answer: ScriptedTransport.Answer, _ outcome: CollectionPropertyOutcome
  ) async throws {
    let exchange = Exchange(.proppatch, Script.root, answer: answer)
    let isTriedAgain = outcome != .done && value != nil
    let script = try await Script(isTriedAgain ? [exchange, exchange] : [exchange])
    let store = try #require(script.calendar.properties)
    #expect(try await store.set(.color, to: value) == outcome)
    script.transport.expectFinished()
    let body = String(decoding: script.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains(value == nil ? "<d:remove><d:prop>" : "<d:set><d:prop>"))
  }

  @Test func `DAViCal escapes what it has escaped already`() async throws {
    let script = try await Script(
      server: ["X-DAViCal-Version": "DAViCal/1.1.12"],
      state: "<a:calendar-order \(Self.apple)>&amp;lt;1&amp;gt; &amp;amp;amp;</a:calendar-order>",
      [])
    let store = try #require(script.calendar.properties)
    #expect(try await store.collectionProperties()[.order] == "<1> &amp;")
  }

  @Test func `SOGo takes a colour with an alpha`() async throws {
    let script = try await Script([
      .init(.proppatch, Script.root, answer: .status(400)),
      .init(.proppatch, Script.root, answer: Self.answer(200)),
    ])
    let store = try #require(script.calendar.properties)
    #expect(try await store.set(.color, to: "#102030") == .done)
    let body = String(decoding: script.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains(">#102030FF<"))
  }

  @Test func `A property of which nothing is known is an error`() async throws {
    for answer in [
      ScriptedTransport.Answer.status(502), .status(207, body: "<half"), .failure(.interrupted),
    ] {
      let script = try await Script([.init(.proppatch, Script.root, answer: answer)])
      let store = try #require(script.calendar.properties)
      await #expect(throws: RemoteError.self) { try await store.set(.name, to: "x") }
    }
  }

  @Test func `What XML cannot hold is not sent`() async throws {
    let script = try await Script([
      .init(.proppatch, Script.root, answer: .status(200))
    ])
    let store = try #require(script.calendar.properties)
    _ = try await store.set(.name, to: "a\u{0}b\u{1B}c\nd]]>")
    let body = String(decoding: script.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains("<d:displayname>a\u{FFFD}b\u{FFFD}c\nd]]&gt;</d:displayname>"))
  }
}
