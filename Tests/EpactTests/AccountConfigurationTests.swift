// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// Accounts in the configuration, and their calendars as ordinary ones.
struct AccountConfigurationTests {
  private static let account = """
    [account.ours]
    kind = "caldav"
    url = "https://dav.example.org/"
    username = "ada"
    password-command = ["pass", "show", "dav"]

    """

  private static func sync(_ lines: String) -> String {
    account + "[[sync]]\nname = \"home\"\naccount = \"ours\"\nfolder = \"~/cals\"\n" + lines + "\n"
  }

  @Test(
    "The selected calendars",
    arguments: [
      ("", CollectionSelection.all), ("collections = \"all\"", .all),
      ("collections = \"from here\"", .fromHere), ("collections = \"from there\"", .fromThere),
    ])
  func selection(_ line: String, _ expected: CollectionSelection) throws {
    let read = try ConfigurationTests.read(Self.sync(line))
    #expect(read.accountSyncs.map(\.selection) == [expected])
    #expect(read.accountSyncs.map(\.folder) == ["/home/alice/cals"])
    #expect(read.syncs == [] && read.remotes.isEmpty && read.hasSyncs)
  }

  @Test func `Names are those of folders, and type is taken for kind`() throws {
    let text = Self.sync("collections = [\"work\", \"a%2Fb\"]").replacing("kind =", with: "type =")
    let read = try ConfigurationTests.read(text)
    let names = [CollectionID(segment: "work"), CollectionID(segment: "a%2Fb")].compactMap(\.self)
    #expect(read.accountSyncs.map(\.selection) == [.named(Set(names))])
  }

  @Test(
    "The calendars of a vendor's account are calendars at the vendor",
    arguments: ["google", "graph"])
  func vendors(_ kind: String) throws {
    let account = """
      [account.ours]
      kind = "\(kind)"
      username = "ada"
      client-id = "x"

      """
    let text = Self.sync("").replacing(Self.account, with: account)
    var read = try ConfigurationTests.read(text)
    let pair = KnownCollection(
      try #require(CollectionID(segment: "At work")), folder: "At work", location: "c_1@x/2")
    read.expand(read.accountSyncs[0], to: [pair])
    let remote = try #require(read.remotes["home/At work"])
    guard case .vendor(let settings) = remote.kind else {
      Issue.record("\(remote)")
      return
    }
    #expect(settings.vendor.rawValue == kind && settings.calendar == "c_1@x/2")
    // Access is granted to the account, which has another identity than each of its calendars.
    let whole = try #require(read.accounts["ours"])
    let remotes = Remotes(machine: try SyncScene(local: [], remote: []).machine)
    let identity = try remotes.identity(of: whole)
    #expect(try remotes.grantIdentity(of: remote) == identity)
    #expect(try remotes.identity(of: remote) != identity)
    #expect(remote.grantName == "ours" && identity.user == "ada")
    // An account has no calendar of its own.
    #expect(throws: ConfigurationError.self) {
      try ConfigurationTests.read(
        text.replacing("client-id", with: "calendar = \"primary\"\nclient-id"))
    }
  }

  @Test("The direction is that of the sync of each calendar")
  func direction() throws {
    var read = try ConfigurationTests.read(Self.sync("direction = \"pull\""))
    let sync = try #require(read.accountSyncs.first)
    #expect(sync.settings.direction == .pull)
    let pair = KnownCollection(
      try #require(CollectionID(segment: "work")), folder: "work",
      location: "https://dav.example.org/ada/work/")
    read.expand(sync, to: [pair])
    #expect(read.syncs.map(\.direction) == [.pull])
  }

  @Test(
    "Errors, with their lines",
    arguments: [
      (
        "collections = \"some\"",
        "expected \"collections\" to be \"all\", \"from here\", \"from there\" or an array of names, found \"some\""
      ),
      (
        "collections = []",
        "expected \"collections\" to be \"all\", \"from here\", \"from there\" or an array of names, found an empty array"
      ),
      ("collections = [\".git\"]", "expected the name of a calendar's folder, found \".git\""),
      (
        "access = \"write-only\"",
        "the sync of an account needs full access, because it lists the calendars there"
      ),
      (
        "remote = \"x\"",
        "a sync has either \"calendar\" and \"remote\", or \"account\" and \"folder\""
      ),
      ("colections = \"all\"", "unknown key \"colections\"; did you mean \"collections\"?"),
    ])
  func errors(_ line: String, _ message: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try ConfigurationTests.read(Self.sync(line))
    }
    #expect(error.lines == ["config.toml:10: \(message)"])
  }

  @Test(
    "Errors of names and tables",
    arguments: [
      (
        sync("[remote.ours]\nkind = \"folder\"\npath = \"/x\""),
        "there are a remote and an account with the name \"ours\""
      ),
      (
        sync("").replacing("account = \"ours\"", with: "account = \"our\""),
        "there is no [account.our]; did you mean \"ours\"?"
      ),
      (
        sync("").replacing("\"home\"", with: "\"a/b\""),
        "\"a/b\" cannot be a name: it is empty or looks like a path"
      ),
      (
        account.replacing("\"caldav\"", with: "\"webcal\""),
        "expected an account of the kind \"caldav\", \"google\" or \"graph\", found \"webcal\""
      ),
      (
        account.replacing("url", with: "collection = \"x\"\nurl"),
        "unknown key \"collection\"; did you mean \"connections\"?"
      ),
      (
        sync("") + "[[sync]]\nname = \"b\"\naccount = \"ours\"\nfolder = \"~/cals\"",
        "the sync \"home\" has the same folder; each account needs its own"
      ),
      (
        sync("") + "[[sync]]\nname = \"home\"\naccount = \"ours\"\nfolder = \"~/c\"",
        "there are two syncs with the name \"home\""
      ),
      (
        sync("")
          + "[calendar.c]\npath = \"/c\"\n[remote.r]\nkind = \"folder\"\npath = \"/x\"\n[[sync]]\nname = \"home/c\"\ncalendar = \"c\"\nremote = \"r\"",
        "the names \"home/c\" and \"home\" are ambiguous: an account's calendars have such names"
      ),
      (sync("").replacing("folder = \"~/cals\"\n", with: ""), "[[sync]] has no \"folder\""),
    ])
  func tables(_ text: String, _ message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try ConfigurationTests.read(text) }
    #expect(error.problems.map(\.message) == [message])
  }

  @Test func `A default calendar may be one of an account`() throws {
    #expect(
      try ConfigurationTests.read("default-calendar = \"home/work\"\n" + Self.sync(""))
        .defaultCalendar == "home/work")
    for name in ["home", "other/work"] {
      #expect(throws: ConfigurationError.self) {
        try ConfigurationTests.read("default-calendar = \"\(name)\"\n" + Self.sync(""))
      }
    }
  }

  // MARK: Expansion

  private static func known(
    _ folder: String, at location: String? = nil, _ components: Set<String>? = nil
  ) throws -> KnownCollection {
    KnownCollection(
      try #require(CollectionID(folder: folder)), folder: folder,
      location: location ?? "https://dav.example.org/c/\(folder)/", components: components)
  }

  @Test func `Known calendars are ordinary ones with the settings of the account`() throws {
    var read = try ConfigurationTests.read(Self.sync("max-delete = 7\non-conflict = \"newest\""))
    let written = read
    read.expand(
      read.accountSyncs[0],
      to: [
        try Self.known("work", ["VEVENT"]), try Self.known("tasks", ["VTODO"]),
        try Self.known("evil", at: "https://evil.example/c/"),
      ])
    #expect(read.syncs.map(\.name) == ["home/tasks", "home/work"])
    #expect(read.syncs.map(\.maxDelete) == [.items(7), .items(7)])
    #expect(read.syncs.map(\.policies.standard) == [.newest, .newest])
    #expect(read.calendars["home/work"]?.path == "/home/alice/cals/work")
    #expect(read.calendars["home/work"]?.kinds == [.event])
    #expect(read.calendars["home/tasks"]?.kinds == [.reminder])
    #expect(read.remotes["home/work"]?.server == read.accounts["ours"]?.server)
    #expect(read.grantNames == ["ours"])
    #expect(read.grantee("home/work")?.name == "ours")
    #expect(try read.syncs(named: ["home"]).count == 2)
    #expect(try read.syncs(named: ["home", "home/work"]).count == 2)
    #expect(try read.syncs(named: ["home/work"]).map(\.name) == ["home/work"])
    #expect(throws: EpactError.self) { try read.syncs(named: ["home/club"]) }
    #expect(read.withoutFoundCalendars == written)
    #expect(read.calendars.values.allSatisfy { !$0.isReadOnly })
    // The server allows no components: the user may only read it.
    read.expand(read.accountSyncs[0], to: [try Self.known("team", [])])
    #expect(read.calendars["home/team"]?.isReadOnly == true)
    #expect(read.calendars["home/team"]?.kinds == CalendarInfo.standardKinds)
    // The next expansion replaces it.
    read.expand(read.accountSyncs[0], to: [try Self.known("work")])
    #expect(read.calendars.keys.sorted() == ["home/work"])
  }

  @Test func `A new folder of an account is an edit for a watch`() async throws {
    let scene = try SyncScene(local: [], remote: [])
    let read = try Configuration(
      parsing: Self.sync(""), path: "config.toml",
      paths: PathResolver(home: scene.folder.path, base: "/"), isPrivate: true)
    func edits() async throws -> LocalEdits {
      try await LocalEdits(of: [], read.accountSyncs, in: read, machine: scene.machine)
    }
    try scene.folder.makeFolder("cals/work")
    let before = try await edits()
    #expect(try await !edits().hasNew(since: before))
    try scene.folder.makeFolder("cals/club")
    #expect(try await edits().hasNew(since: before))
  }
}
