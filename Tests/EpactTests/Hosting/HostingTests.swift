// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarStore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Epact

/// The host of many accounts: its settings, and what the configuration of an account cannot have.
struct HostingTests {
  private let folder: TemporaryFolder
  private let host: AccountHost

  init() throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.homeFolder = folder.path
    machine.environment = ["XDG_STATE_HOME": folder.path + "/state"]
    var configuration = Configuration()
    configuration.hosting = HostingSettings(
      folder: "/data/calendars", passwordCommand: ["vault", "{account}/{remote}"],
      accountsPerServer: 2)
    host = try AccountHost(configuration, machine: machine)
  }

  private func load(_ text: String) throws -> Configuration {
    let account = HostedAccount(
      name: "ana", configuration: text, interval: 60, dueAt: Instant(secondsSinceEpoch: 0))
    return try ConfigurationFile(machine: host.machine(for: account)).load()
  }

  private static let sync = """
    [calendar.mine]
    path = "~/cal"
    [remote.dav]
    kind = "caldav"
    url = "https://dav.example.org/"
    username = "ana"

    """

  @Test("The account's folder is its home, and the host's command prints its passwords")
  func paths() throws {
    let read = try load(Self.sync)
    #expect(read.calendars["mine"]?.path == "/data/calendars/ana/cal")
    #expect(read.remotes["dav"]?.server?.password == .command(["vault", "ana/dav"]))
    let own = try load(Self.sync + "password-file = \"~/secret\"\n")
    #expect(own.remotes["dav"]?.server?.password == .file("/data/calendars/ana/secret"))
    let credential = try load(Self.sync + "password-credential = \"ana.dav\"\n")
    #expect(credential.remotes["dav"]?.server?.password == .systemd("ana.dav"))
    let database = try load("[calendar.mine]\nkind = \"database\"\n")
    #expect(database.calendars["mine"]?.isInDatabase == true)
  }

  @Test(
    "Programs, secrets, and paths of the host and of others are refused",
    arguments: [
      ("password-command = [\"id\"]", "\"password-command\" of [remote.dav] runs a program"),
      ("password = \"x\"", "\"password\" of [remote.dav] would be readable"),
      ("password-env = \"PGPASSWORD\"", "is a variable of the host"),
      ("password-credential = \"ben.dav\"", "does not begin with \"ana.\""),
      ("password-credential = \"anatol.dav\"", "does not begin with \"ana.\""),
      ("password-file = \"/etc/shadow\"", "the path /etc/shadow of [remote.dav] is outside"),
      ("password-file = \"~/../ben/secret\"", "is outside of the account's folder"),
      ("password-netrc = \"/etc/netrc\"", "the path /etc/netrc of [remote.dav] is outside"),
      ("token-command = [\"id\"]", "\"token-command\" of [remote.dav] runs a program"),
      ("client-certificate = \"/etc/x.pem\"", "the path /etc/x.pem of [remote.dav] is outside"),
      ("[calendar.other]\npath = \"/data/calendars/ben/cal\"", "of [calendar.other] is outside"),
      ("[calendar.other]\npath = \"~/../ben\"", "of [calendar.other] is outside"),
      ("[calendar.other]\npath = \"~\"", "of [calendar.other] is outside"),
      ("[remote.disk]\nkind = \"folder\"\npath = \"/etc\"", "the path /etc of [remote.disk]"),
      ("[remote.b]\nkind = \"birthdays\"\npath = \"/home\"", "the path /home of [remote.b]"),
    ])
  func refused(_ line: String, _ message: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try load(Self.sync + line + "\n") }
    #expect(error?.path == "ana.toml")
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "none")")
  }

  @Test(
    "What only the host's own configuration has is refused",
    arguments: [
      "on-change = [\"id\"]", "on-failure = [\"id\"]", "sendmail-command = [\"id\"]",
      "metrics = \"~/epact.prom\"", "accounts-folder = \"/data\"",
      "ledger = \"postgresql:///x\"\nledger-account = \"host\"",
    ])
  func ofTheHost(_ line: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try load(line + "\n" + Self.sync) }
    let key = line.prefix { $0 != " " }
    #expect(error?.description.contains("\"\(key)\"") == true, "\(error?.description ?? "none")")
  }

  @Test(
    "Names are safe in paths and in names of tenants",
    arguments: [
      ("ana", true), ("ana@example.org", true), ("a-b_c.d+e", true), ("", false), (".", false),
      ("..", false), (".ana", false), ("-ana", false), ("a/b", false), ("a b", false),
      ("ä", false), ("a\0b", false), (String(repeating: "a", count: 128), true),
      (String(repeating: "a", count: 129), false),
    ])
  func names(_ name: String, _ isValid: Bool) {
    #expect((HostedAccount.problem(ofName: name) == nil) == isValid)
  }

  @Test("A host says where its accounts are")
  func settings() throws {
    func read(_ text: String) throws -> Configuration {
      try Configuration(
        parsing: text, path: "c.toml", paths: PathResolver(home: "/home/ada", base: "/etc"),
        isPrivate: true)
    }
    #expect(try read("accounts-folder = \"~/x\"").hosting?.folder == "/home/ada/x")
    #expect(try read("").hosting == nil)
    for (text, message) in [
      ("accounts-per-server = 3", "there is no \"accounts-folder\""),
      ("accounts-folder = \"/x\"\naccounts-per-server = 0", "to be 1 or more"),
      ("[calendar.a]\nkind = \"sqlite\"", "expected kind = \"database\""),
      ("[calendar.a]\nkind = \"database\"\npath = \"~/x\"", "has no \"path\""),
    ] {
      let error = #expect(throws: ConfigurationError.self) { try read(text) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "none")")
    }
    #expect(throws: EpactError.self) { try AccountHost(Configuration(), machine: .live()) }
  }

  @Test(
    "The next run keeps its time of the day; what may pass is tried again sooner",
    arguments: [
      // The due time, the current time, the outcome, the failures before, and the expectation.
      (0, 5, SyncOutcome.done, 0, 3600), (0, 3600, .done, 0, 7200), (0, 9000, .failed, 3, 10_800),
      (100, 50, .done, 0, 100), (0, 5, .unavailable, 0, 305), (0, 5, .unavailable, 1, 605),
      (0, 5, .unavailable, 9, 3600), (0, 3500, .unavailable, 0, 3600),
      (0, 5, .conflicts, 0, 3600), (0, 5, .noAccess, 1, 3600),
    ])
  func dueTimes(
    _ due: Int64, _ now: Int64, _ outcome: SyncOutcome, _ failures: Int, _ expected: Int64
  ) {
    var account = HostedAccount(
      name: "ana", configuration: "", interval: 3600, dueAt: Instant(secondsSinceEpoch: due))
    account.failures = failures
    let next = HostedSync.dueTime(
      of: account, after: outcome, at: Instant(secondsSinceEpoch: now))
    #expect(next.secondsSinceEpoch == expected)
  }
}
