// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Epact
import Synchronization
import TestSupport
import Testing

/// Feeds that are added in one step, from a server on this machine.
struct SubscriptionTests {
  private static func feed(_ titles: [String], name: String? = "Ferien Bayern") -> String {
    let items = titles.map { title in
      "BEGIN:VEVENT\r\nUID:\(title)\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261124T090000Z\r\n"
        + "SUMMARY:\(title)\r\nEND:VEVENT\r\n"
    }
    let line = name.map { "X-WR-CALNAME:\($0)\r\n" } ?? ""
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\n\(line)"
      + items.joined() + "END:VCALENDAR\r\n"
  }

  private func server(_ body: String, status: String = "200 OK") throws -> LoopbackServer {
    try LoopbackServer { _ in
      [.answer(status, fields: ["Content-Type: text/calendar"], body: body)]
    }
  }

  private func plan(
    _ scene: SyncScene, _ server: LoopbackServer, name: String? = nil, isConfirmed: Bool = false,
    _ prompt: ScriptedPrompt
  ) async throws -> SetupPlan {
    try await Subscription(
      to: "http://127.0.0.1:\(server.port)/ferien.ics?key=s3cret", name: name,
      purpose: try Purpose(Subscription.usualPurpose), isConfirmed: isConfirmed
    ).plan(
      addingTo: ConfigurationFile(machine: scene.machine),
      folder: scene.folder.path(of: "calendars"), machine: scene.machine, asking: prompt)
  }

  private func carryOut(_ plan: SetupPlan, _ scene: SyncScene) async throws -> SetupPlan {
    try await SetupWriter(
      ConfigurationFile(machine: scene.machine), machine: scene.machine,
      prompt: ScriptedPrompt(canAsk: false)
    ) { _ in }.carryOut(plan)
  }

  @Test func aFeedIsReadShownAndAdded() async throws {
    let scene = try SyncScene(local: [])
    let server = try server(Self.feed(["Winter", "Easter"]))
    let prompt = ScriptedPrompt(tier: .full)
    let plan = try await plan(scene, server, prompt)
    // Write-only access to a feed would permit nothing.
    #expect(prompt.questions.map(\.tiers) == [[.full, .none]])
    let entry = try #require(plan.entries.first)
    let contents = try #require(entry.contents)
    #expect(
      (contents.name, contents.itemCount, contents.unreadableCount) == ("Ferien Bayern", 2, 0))
    #expect(entry.name == "ferien-bayern")
    #expect(!(try scene.folder.names().contains(".config/epact/config.toml")))
    #expect(try await carryOut(plan, scene).entries.count == 1)
    let file = ConfigurationFile(machine: scene.machine)
    let text = String(
      decoding: try scene.folder.bytes(of: ".config/epact/config.toml"), as: UTF8.self)
    #expect(text.contains("path = \"~/calendars/ferien-bayern\"\n"))
    #expect(text.contains("kind = \"webcal\"\n"))
    let access = try await RemoteAccess(
      to: "ferien-bayern", in: try file.load(), machine: scene.machine)
    #expect(access.grant?.tier == .full)
    #expect(access.grant?.purpose == Subscription.usualPurpose)
    // The requests before the grant are in its log.
    let log = try await LoggedRequests(to: nil, in: try file.load(), machine: scene.machine).log
    let counts = log.sections.flatMap(\.entries).map(\.count)
    #expect(counts.reduce(0, +) == server.requests.count)
    let result = try await SyncSet(try file.load(), machine: scene.machine).run()
    #expect(result.syncs.map(\.outcome) == [.done])
    #expect(try scene.text("Winter", in: "calendars/ferien-bayern").contains("SUMMARY:Winter"))
    // The same feed is not added again, and the user is not asked again.
    let again = ScriptedPrompt(canAsk: false)
    #expect(try await carryOut(try await self.plan(scene, server, again), scene).entries.isEmpty)
  }

  @Test func theNameIsTheGivenOneOrThatOfTheServer() async throws {
    let server = try server(Self.feed(["Winter"], name: nil))
    for (name, expected) in [("Ferien", "ferien"), (nil, "127-0-0-1-\(server.port)")] {
      let scene = try SyncScene(local: [])
      let plan = try await plan(
        scene, server, name: name, isConfirmed: true, ScriptedPrompt(canAsk: false))
      #expect(plan.entries.map(\.name) == [expected])
      #expect(plan.entries.first?.contents?.name == nil)
    }
  }

  @Test func aTitleOfOnesOwnStaysWhenTheFeedGetsAnotherOne() async throws {
    let scene = try SyncScene(local: [])
    let title = Mutex("Feed A")
    let server = try LoopbackServer { _ in
      let body = Self.feed(["Winter"], name: title.withLock { $0 })
      return [.answer("200 OK", fields: ["Content-Type: text/calendar"], body: body)]
    }
    let plan = try await carryOut(
      try await plan(scene, server, isConfirmed: true, ScriptedPrompt(canAsk: false)), scene)
    let name = try #require(plan.entries.first?.name)
    let path = "calendars/\(name)/displayname"
    func sync() async throws -> String {
      var options = SyncSet.Options()
      options.isVerifying = true
      let file = ConfigurationFile(machine: scene.machine)
      var set = try SyncSet(try file.load(), machine: scene.machine)
      set.options = options
      let result = try await set.run()
      #expect(result.syncs.map(\.outcome) == [.done])
      return String(decoding: try scene.folder.bytes(of: path), as: UTF8.self)
    }
    #expect(try await sync() == "Feed A")
    // The title of the feed is followed until the calendar has one of its own.
    title.withLock { $0 = "Feed B" }
    #expect(try await sync() == "Feed B")
    try scene.folder.write("Mine".utf8, to: path)
    #expect(try await sync() == "Mine")
    title.withLock { $0 = "Feed C" }
    #expect(try await sync() == "Mine")
    #expect(try await sync() == "Mine")
  }

  @Test func withoutAccessNothingIsSent() async throws {
    let scene = try SyncScene(local: [])
    let server = try server(Self.feed(["Winter"]))
    for prompt in [ScriptedPrompt(tier: AccessTier.none), ScriptedPrompt(canAsk: false)] {
      let error = try await #require(throws: EpactError.self) {
        try await plan(scene, server, prompt)
      }
      #expect(error.code == .noAccess)
      #expect(error.remedy == (prompt.canAsk ? nil : .grantWithoutQuestion))
    }
    let policy = try scene.folder.write(
      lines: ["decided-by = \"the IT department\"", "max-tier = \"write-only\""],
      to: "policy.toml")
    var restricted = scene.machine
    restricted.policyPaths = [policy]
    let machine = restricted
    let feed = try Subscription(
      to: "http://127.0.0.1:\(server.port)/a.ics", purpose: try Purpose("Shows the holidays."),
      isConfirmed: true)
    let error = try await #require(throws: EpactError.self) {
      try await feed.plan(
        addingTo: ConfigurationFile(machine: machine), folder: "/tmp", machine: machine,
        asking: ScriptedPrompt(tier: .full))
    }
    #expect(error.message.contains("restricted to write-only by the IT department"))
    #expect(server.requests.isEmpty)
  }

  @Test func anEarlierRefusalIsRaisedByOneQuestion() async throws {
    let scene = try SyncScene(local: [])
    let server = try server(Self.feed(["Winter"]))
    let plan = try await plan(scene, server, isConfirmed: true, ScriptedPrompt(canAsk: false))
    _ = try await carryOut(plan, scene)
    let file = ConfigurationFile(machine: scene.machine)
    var access = try await RemoteAccess(
      to: "ferien-bayern", in: try file.load(), machine: scene.machine)
    try await access.store(.none, purpose: RemoteAccess.purposeOfNone)
    try scene.folder.write("".utf8, to: ".config/epact/config.toml")
    let before = server.requests.count
    let refusing = ScriptedPrompt(confirms: false)
    try await #require(throws: EpactError.self) { try await self.plan(scene, server, refusing) }
    #expect(server.requests.count == before)
    let confirming = ScriptedPrompt(confirms: true)
    _ = try await carryOut(try await self.plan(scene, server, confirming), scene)
    #expect(confirming.questions.count == 1)
    access = try await RemoteAccess(
      to: "ferien-bayern", in: try file.load(), machine: scene.machine)
    #expect(access.grant?.tier == .full)
  }

  @Test(arguments: [
    ("200 OK", "<!DOCTYPE html><html>Log in</html>", RemoteError.Code.notCalendar),
    ("404 Not Found", "", .notFound), ("401 Unauthorized", "", .credentials),
  ])
  func whatIsNoFeedIsNotAdded(status: String, body: String, code: RemoteError.Code) async throws {
    let scene = try SyncScene(local: [])
    let server = try server(body, status: status)
    let error = try await #require(throws: RemoteError.self) {
      try await plan(scene, server, isConfirmed: true, ScriptedPrompt(canAsk: false))
    }
    #expect(error.code == code)
    #expect(!"\(error)".contains("s3cret"))
    #expect(!(try scene.folder.names().contains(".config/epact/config.toml")))
  }

  @Test(arguments: ["ferien.ics", "", "ftp://example.org/a.ics", "~/a.ics", "https://"])
  func whatIsNoAddressIsRejected(text: String) throws {
    #expect(throws: RemoteError.self) {
      try Subscription(to: text, purpose: try Purpose("Shows the holidays."))
    }
  }
}
