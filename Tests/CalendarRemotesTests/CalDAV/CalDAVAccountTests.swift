// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

/// All calendars of a user, as a list that may be believed.
@Suite struct CalDAVAccountTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  private static let type = CalendarCollectionsTests.type
  private static let own = Script.response(
    "/c/alice/", "<d:resourcetype><d:collection/></d:resourcetype>")
  private static let work = Script.response(
    "/c/alice/work/", type + "<d:displayname>Work</d:displayname>")

  private static func account(_ transport: ScriptedTransport) throws -> CalDAVAccount {
    CalDAVAccount(
      address: try RemoteURL(parsing: "https://h/"), credentials: nil, transport: transport)
  }

  private static func id(_ name: String) throws -> CollectionID {
    try #require(CollectionID(folder: name))
  }

  @Test func `Calendars are listed by the last segments of their addresses`() async throws {
    let odd = Script.response("/c/alice/Zw%C3%B6lf%2fx/", Self.type)
    let inbox = Script.response(
      "/c/alice/inbox/", "<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>")
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(Self.own + Self.work + odd + inbox))
    let found = try await Self.account(transport).collections()
    #expect(found.map(\.id.folder) == ["work", "Zwölf%2Fx"])
    #expect(found.map(\.title) == ["Work", nil])
    #expect(found.first?.place == "https://h/c/alice/work/")
    transport.expectFinished()
  }

  @Test func `A calendar that may only be read is for no components`() async throws {
    let events =
      "<c:supported-calendar-component-set><c:comp name=\"VEVENT\"/>"
      + "</c:supported-calendar-component-set>"
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(
        Self.own + Self.work
          + Script.response(
            "/c/alice/a/", Self.type + events + CalendarCollectionsTests.privileges("d:read"))
          + Script.response(
            "/c/alice/b/",
            Self.type + events + CalendarCollectionsTests.privileges("d:read", "d:write"))))
    let found = try await Self.account(transport).collections()
    #expect(found.map(\.components) == [nil, [], ["VEVENT"]])
    transport.expectFinished()
  }

  @Test(arguments: ["http://h", "http://backend:8080", "//backend", "https://h:8443"])
  func `Calendars are found whatever server their addresses name`(_ other: String) async throws {
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(
        (Self.own + Self.work).replacing("<d:href>", with: "<d:href>\(other)")))
    let found = try await Self.account(transport).collections()
    #expect(found.map(\.place) == ["https://h/c/alice/work/"])
    transport.expectFinished()
  }

  /// Lists that lack something, or may.
  static let incomplete: [(String, [Exchange])] = [
    ("without the folder itself", CalendarCollectionsTests.search(work)),
    (
      "cut off",
      CalendarCollectionsTests.search(own + work + Script.response("/c/alice/", status: 507))
    ),
    (
      "of one set of calendars out of one",
      DiscoveryTests.toHomes + [DiscoveryTests.ask("/c/alice/", depth: 1, .status(404))]
    ),
  ]

  @Test(arguments: incomplete) func `A list that may be incomplete is an error`(
    _ name: String, _ exchanges: [Exchange]
  ) async throws {
    let transport = ScriptedTransport(exchanges)
    let account = try Self.account(transport)
    await #expect(throws: RemoteError.self) { try await account.collections() }
    transport.expectFinished()
  }

  /// Members of a list that the server does not show.
  static let gaps: [(String, reason: String)] = [
    (Script.response("/c/alice/club/", status: 403), "status 403"),
    (Script.response("/c/alice/club", status: 503), "status 503"),
    (
      "<d:response><d:href>/c/alice/club/</d:href><d:propstat><d:prop><d:resourcetype/></d:prop>"
        + "<d:status>HTTP/1.1 500 x</d:status></d:propstat></d:response>", "status 500"
    ),
  ]

  @Test(arguments: gaps) func `A calendar that is not shown hides no other, and is named`(
    _ member: String, _ reason: String
  ) async throws {
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(Self.own + member + Self.work))
    let list = try await Self.account(transport).list()
    #expect(list.collections.map(\.id.folder) == ["work"])
    #expect(
      list.gaps == [
        AccountList.Gap(
          place: "https://h/c/alice/club/", id: try Self.id("club"), reason: reason)
      ])
    transport.expectFinished()
  }

  @Test func `A calendar of another server hides no other, and is named`() async throws {
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(
        Self.own + Self.work + Script.response("https://evil.example/c/", Self.type)))
    let list = try await Self.account(transport).list()
    #expect(list.collections.map(\.id.folder) == ["work"])
    #expect(list.gaps.map(\.place) == ["https://evil.example/c/"])
    transport.expectFinished()
  }

  @Test(arguments: [404, 403, 500])
  func `A set of calendars that is not listed hides no other, and is named`(
    _ status: Int
  ) async throws {
    let list = DiscoveryTests.ask("/c/alice/", depth: 1, .multiStatus(Self.own + Self.work))
    let gap = DiscoveryTests.ask("/c/one/", depth: 1, .status(status))
    let transport = ScriptedTransport([
      DiscoveryTests.toHomes[0], DiscoveryTests.twoHomes, gap, list,
    ])
    let found = try await Self.account(transport).list()
    #expect(found.collections.map(\.id.folder) == ["work"])
    #expect(found.gaps.map(\.place) == ["https://h/c/one/"])
    #expect(found.gaps.map(\.id) == [nil])
    // A set that exists may hold calendars that nobody has seen.
    #expect(found.gaps.map(\.mayHoldMore) == [status != 404])
    transport.expectFinished()
  }

  @Test func `Subscriptions are no calendars, and are named`() async throws {
    let type =
      "<d:resourcetype><d:collection/><s:subscribed xmlns:s=\"http://calendarserver.org/ns/\"/>"
      + "</d:resourcetype>"
    let source =
      "<s:source xmlns:s=\"http://calendarserver.org/ns/\"><d:href>webcal://example.org/h.ics"
      + "</d:href></s:source>"
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(
        Self.own + Self.work
          + Script.response(
            "/c/alice/hols/", type + source + "<d:displayname>Holidays</d:displayname>")
          + Script.response("/c/alice/other/", type)))
    let account = try Self.account(transport)
    // The calendars and the subscriptions are in one list.
    #expect(try await account.collections().map(\.id.folder) == ["work"])
    let subscriptions = try await account.subscriptions()
    #expect(subscriptions.map(\.title) == ["Holidays", "other"])
    #expect(subscriptions.map(\.feed) == ["http://example.org/h.ics", nil])
    transport.expectFinished()
  }

  @Test func `A calendar that is stored at another address is found there`() async throws {
    let moved = Script.response(
      "/c/alice/x-1/", Self.type + "<d:displayname>Club</d:displayname>")
    let transport = ScriptedTransport(
      CalendarCollectionsTests.search(Self.own + Self.work) + [
        CalendarCollectionsTests.make(.mkcalendar, "/c/alice/club/", .status(201)),
        DiscoveryTests.ask("/c/alice/club/", .status(404)),
      ] + CalendarCollectionsTests.search(Self.own + Self.work + moved))
    let made = try await Self.account(transport).create(
      try Self.id("club"), title: "Club", for: nil)
    #expect(made.place == "https://h/c/alice/x-1/")
    transport.expectFinished()
  }

  @Test func `A calendar is created at the segment of its name, and one that is there is taken`()
    async throws
  {
    let place = "/c/alice/a%2Fb/"
    for answer in [ScriptedTransport.Answer.status(201), CalendarCollectionsTests.taken] {
      let transport = ScriptedTransport(
        CalendarCollectionsTests.search(Self.own) + [
          CalendarCollectionsTests.make(.mkcalendar, place, answer),
          CalendarCollectionsTests.made(place),
        ])
      let made = try await Self.account(transport).create(
        try Self.id("a%2Fb"), title: "A & B", for: ["VEVENT"])
      #expect(made.place == "https://h\(place)")
      transport.expectFinished()
      let body = String(decoding: transport.log[3].body ?? [], as: UTF8.self)
      #expect(body.contains("<d:displayname>A &amp; B</d:displayname>"))
      #expect(body.contains("<c:comp name=\"VEVENT\"/>"))
    }
  }

  @Test func `A calendar with items is deleted only with them`() async throws {
    let work = AccountCollection(try Self.id("work"), at: "https://h/c/alice/work/")
    let own = Script.response("/c/alice/work/", Self.type)
    let listing = { (items: String) in
      DiscoveryTests.ask("/c/alice/work/", depth: 1, .multiStatus(own + items))
    }
    let delete = CalendarCollectionsTests.make(.delete, "/c/alice/work/", .status(204))
    for (exchanges, withItems, count) in [
      ([listing(Script.member("/c/alice/work/a.ics"))], false, 1),
      ([listing(""), delete], false, 0), ([delete], true, 0),
    ] {
      let transport = ScriptedTransport(exchanges)
      #expect(
        try await Self.account(transport).remove(work, withItems: withItems) == count)
      transport.expectFinished()
    }
    // Cyrus answers 404 to a DELETE that it carries out; what a later request says counts.
    let notFound = CalendarCollectionsTests.make(.delete, "/c/alice/work/", .status(404))
    let gone = ScriptedTransport([notFound, DiscoveryTests.ask("/c/alice/work/", .status(404))])
    #expect(try await Self.account(gone).remove(work, withItems: true) == 0)
    gone.expectFinished()
    let kept = ScriptedTransport([
      notFound, DiscoveryTests.ask("/c/alice/work/", .multiStatus(own)),
    ])
    let error = await #expect(throws: RemoteError.self) {
      try await Self.account(kept).remove(work, withItems: true)
    }
    #expect(error?.code == .refused)
    kept.expectFinished()
    let foreign = AccountCollection(work.id, at: "https://evil.example/c/")
    let transport = ScriptedTransport([])
    await #expect(throws: RemoteError.self) {
      try await Self.account(transport).remove(foreign, withItems: true)
    }
    transport.expectFinished()
  }
}
