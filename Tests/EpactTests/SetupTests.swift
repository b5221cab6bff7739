// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import CivilTime
import Epact
import Synchronization
import TestSupport
import Testing

/// Answers the questions about a new configuration with a folder.
private struct ScriptedSetup: SetupPrompt {
  let path: String
  var service: String?
  var wantsAccount = false
  var access = AccessTier.full
  var canAsk: Bool { false }
  var name: String? { nil }
  var knownUser: String? { nil }
  var knownClient: String? { nil }
  var hasPassword: Bool { false }
  var readsFeeds: Bool { false }
  var asksForPassword: Bool { false }

  func location(isRetry: Bool) throws -> SetupLocation {
    try service.map { try SetupLocation($0, paths: PathResolver(home: path, base: path)) }
      ?? .path(path)
  }
  func tier() -> AccessTier { access }
  func purpose(of access: AccessTier) throws -> Purpose { try Purpose(SyncScene.purpose) }
  func userName(suggested: String?) -> String { "ada" }
  func client(for server: String) -> String { "client" }
  func client(of vendor: VendorSettings.Vendor) -> String { "client" }
  func introduce(service: String, _ words: String) {}
  func password(for user: String, keepingIn stores: PasswordStores) -> SetupPlan.Password { .none }
  func newPassword(for user: String) -> Secret { Secret("") }
  func agree(to address: String) -> Bool { false }
  func choose(from calendars: [CalendarSearch.Found], isAccount: Bool) -> SetupChoice {
    .calendars(calendars)
  }
  func show(_ error: any Error) {}
}

struct SetupTests {
  private func setUp(_ scene: SyncScene, identity: NetworkIdentity = .init()) async throws
    -> (SetupPlan, ConfigurationFile)
  {
    let file = ConfigurationFile(machine: scene.machine)
    let planner = try SetupPlanner(
      asking: ScriptedSetup(path: scene.folder.path(of: "remote")), addingTo: file,
      folder: scene.folder.path(of: "calendars"), identity: identity, machine: scene.machine)
    return (try await planner.plan(), file)
  }

  static let vendors = [("google", "google", "google"), ("outlook", "graph", "outlook")]

  @Test(arguments: vendors)
  func aVendorsAccountIsAddedAsAWhole(
    _ service: String, _ kind: String, _ name: String
  ) async throws {
    let scene = try SyncScene(local: [], remote: [])
    var prompt = ScriptedSetup(path: scene.folder.path(of: "remote"))
    (prompt.service, prompt.wantsAccount) = (service, true)
    let file = ConfigurationFile(machine: scene.machine)
    let planner = try SetupPlanner(
      asking: prompt, addingTo: file, folder: scene.folder.path(of: "calendars"),
      identity: .init(), machine: scene.machine)
    let writer = SetupWriter(
      file, machine: scene.machine, prompt: ScriptedPrompt(canAsk: false)
    ) { _ in }
    _ = try await writer.carryOut(try await planner.plan())
    let configuration = try file.load()
    let account = try #require(configuration.accounts[name])
    guard case .vendor(let settings) = account.kind else {
      Issue.record("\(account)")
      return
    }
    #expect(settings.vendor.rawValue == kind && settings.calendar == nil)
    #expect(configuration.accountSyncs.map(\.account) == [name])
    #expect(configuration.accountSyncs.first?.settings.filter.kinds == [.event])
    let identity = try Remotes(machine: scene.machine).identity(of: account)
    #expect(identity.kind == kind && !identity.location.contains("#"))
  }

  @Test func aFolderBecomesACalendarThatSyncs() async throws {
    let scene = try SyncScene(local: [], remote: ["Concert"])
    let (plan, file) = try await setUp(scene)
    let steps = Mutex<[String]>([])
    let writer = SetupWriter(
      file, machine: scene.machine, prompt: ScriptedPrompt(canAsk: false)
    ) { event in
      switch event {
      case .written(_, let isNew): steps.withLock { $0.append("written \(isNew)") }
      case .added(let entry): steps.withLock { $0.append("added \(entry.name)") }
      case .alreadySynced(let name, _, _): steps.withLock { $0.append("known \(name)") }
      default: steps.withLock { $0.append("other") }
      }
    }
    #expect(try await writer.carryOut(plan).entries.map(\.name) == ["remote"])
    // Paths in the home folder stay relative to it.
    let text = String(
      decoding: try scene.folder.bytes(of: ".config/epact/config.toml"), as: UTF8.self)
    for path in ["~/calendars/remote", "~/remote"] {
      #expect(text.contains("path = \"\(path)\"\n"))
    }
    #expect(!text.contains(scene.folder.path))
    let set = try SyncSet(try file.load(), machine: scene.machine)
    #expect(try await set.run().syncs.map(\.outcome) == [.done])
    #expect(try scene.text("Concert", in: "calendars/remote").contains("SUMMARY:Concert"))
    // The same folder is not added again.
    #expect(try await writer.carryOut(plan).entries.isEmpty)
    #expect(steps.withLock { $0 } == ["written true", "added remote", "known remote"])
  }

  @Test func aFolderIsNeverSynchronizedWithItself() async throws {
    let scene = try SyncScene(local: [], remote: ["Concert"])
    func plan(_ path: String, into folder: String?) async throws -> SetupPlan {
      try await SetupPlanner(
        asking: ScriptedSetup(path: scene.folder.path(of: path)),
        addingTo: ConfigurationFile(machine: scene.machine),
        folder: folder.map { scene.folder.path(of: $0) } ?? scene.folder.path, identity: .init(),
        machine: scene.machine
      ).plan()
    }
    let error = try await #require(throws: EpactError.self) {
      try await plan("remote", into: nil)
    }
    #expect(error.message.contains("would be synchronized with itself"))
    // Nor by another name, nor as one of the folders in it.
    try scene.folder.makeFolder("group")
    try await #require(throws: EpactError.self) { try await plan("./group/../remote", into: nil) }
    // A calendar of the configuration is no remote of another one.
    try scene.folder.makeFolder(".config/epact")
    try scene.folder.write(
      "[calendar.mine]\npath = \"\(scene.folder.path(of: "remote"))\"\n".utf8,
      to: ".config/epact/config.toml")
    let known = try await #require(throws: EpactError.self) {
      try await plan("remote", into: "calendars")
    }
    #expect(known.message.contains("is the calendar \"mine\" of the configuration already"))
  }

  @Test func aFolderOfContactsBecomesTheirBirthdays() async throws {
    let scene = try SyncScene(local: [], remote: ["Concert"])
    func entry(_ path: String) async throws -> SetupPlan.Entry? {
      try await SetupPlanner(
        asking: ScriptedSetup(path: scene.folder.path(of: path)),
        addingTo: ConfigurationFile(machine: scene.machine),
        folder: scene.folder.path(of: "calendars"), identity: .init(), machine: scene.machine
      ).plan().entries.first
    }
    try scene.folder.makeFolder("contacts/inner")
    try scene.folder.write("".utf8, to: "contacts/.hidden.vcf")
    #expect(try await entry("contacts")?.kind == "folder")
    try scene.folder.write("".utf8, to: "contacts/a.VCF")
    let contacts = try #require(try await entry("contacts"))
    #expect(contacts.kind == "birthdays")
    #expect(contacts.name == "birthdays")
    #expect(contacts.isReadOnly)
    // A calendar stays one, whatever else is in its folder.
    try scene.folder.write("".utf8, to: "remote/a.vcf")
    #expect(try await entry("remote")?.kind == "folder")
  }

  @Test func aNameWithoutASlashCanBeAPath() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("shared")
    try folder.write("".utf8, to: "booking.ics")
    let paths = PathResolver(home: folder.path, base: folder.path)
    func kind(_ text: String) throws -> String {
      switch try SetupLocation(text, paths: paths) {
      case .path(let path): path.replacing(folder.path, with: "")
      case .feed: "feed"
      case .account: "account"
      case .vendor: "vendor"
      }
    }
    #expect(try kind("booking.ics") == "/booking.ics")
    try folder.write("".utf8, to: "contacts.vcf")
    #expect(try kind("contacts.vcf") == "/contacts.vcf")
    #expect(try kind("shared") == "/shared")
    #expect(try kind("dav.example.org") == "account")
    #expect(try kind("ada@example.org") == "account")
    #expect(try kind("localhost") == "account")
    #expect(try kind("https://example.org/a.ics") == "feed")
    #expect(throws: EpactError.self) { try kind("missing.ics") }
  }

  @Test(arguments: [
    ("/home/ada", "/home/ada/calendars/home", "~/calendars/home"),
    ("/home/ada", "/home/ada/.config/epact/dav.password", "~/.config/epact/dav.password"),
    ("/home/ada/", "/home/ada/x", "~/x"), ("/home//ada/.", "/home/ada/x", "~/x"),
    ("/home/ada", "/home/adam/x", "/home/adam/x"), ("/home/ada", "/data/x", "/data/x"),
    ("/home/ada", "/home/ada", "/home/ada"), ("/", "/data/x", "/data/x"),
    ("", "/data/x", "/data/x"),
    ("/home/ada", "/home/ada/~/x", "~/~/x"),
    // The composed and the decomposed form of a letter are two folders.
    ("/home/\u{E9}", "/home/e\u{301}/x", "/home/e\u{301}/x"),
  ])
  func aPathIsWrittenWithTheHomeFolder(home: String, path: String, written: String) {
    let paths = PathResolver(home: home, base: "/elsewhere")
    #expect(paths.written(path).utf8.elementsEqual(written.utf8))
    #expect(paths.absolute(paths.written(path)).utf8.elementsEqual(path.utf8))
  }

  @Test func aFolderHasNoCertificates() async throws {
    let scene = try SyncScene()
    let error = try await #require(throws: EpactError.self) {
      try await setUp(scene, identity: NetworkIdentity(caFile: "/ca.pem"))
    }
    #expect(error.code == .argument)
  }

  @Test(arguments: [
    ("3:15", "03:15"), ("03:5", "03:05"), ("23:59", "23:59"), ("24:00", nil), ("3", nil),
    ("3:60", nil), ("-1:10", nil), ("003:15", nil),
  ])
  func timesOfDayAreParsed(text: String, time: String?) {
    #expect(ScheduleTime(parsing: text)?.description == time)
  }

  @Test func aScheduledJobRunsTheProgramQuietly() {
    let job = ScheduledJob(
      times: .daily(ScheduleTime(hour: 3, minute: 15)), delay: 20, names: ["50% off"],
      config: "/home/ada/my calendars.toml", executable: "/usr/bin/epact")
    var machine = Machine.live()
    (machine.environment, machine.homeFolder) = ([:], "/home/ada")
    #expect(
      CronTable(machine: machine).text(of: job).split(separator: "\n").last
        == "15 3 * * * sleep $(( $(od -An -N4 -tu4 /dev/urandom) \\% 1200 )); /usr/bin/epact sync --quiet --config '/home/ada/my calendars.toml' '50\\% off'"
    )
    let service = SystemdTimer(machine: machine).files(for: job).map(\.text).joined()
    #expect(
      service.contains(
        "ExecStart=/usr/bin/epact sync --quiet --config \"/home/ada/my calendars.toml\" \"50%% off\"\n"
      ))
    #expect(service.contains("OnCalendar=*-*-* 03:15:00\nRandomizedDelaySec=20min\n"))
  }

  @Test("systemd and cron start the program in the folders of the shell that installed it")
  func foldersOfTheShell() {
    let job = ScheduledJob(
      times: .daily(.usual), delay: 0, names: [], config: nil, executable: "/usr/bin/epact")
    var machine = Machine.live()
    (machine.environment, machine.homeFolder) = ([:], "/home/ada")
    machine.environment = [
      "XDG_CONFIG_HOME": "/home/ada/.config", "XDG_STATE_HOME": "/my $50%/state",
      "XDG_CACHE_HOME": "relative",
    ]
    let service = SystemdTimer(machine: machine).files(for: job).map(\.text).joined()
    #expect(
      service.contains(
        "ExecStart=/usr/bin/env \"XDG_STATE_HOME=/my $$50%%/state\" /usr/bin/epact sync --quiet\n"))
    #expect(
      CronTable(machine: machine).text(of: job).hasSuffix(
        "\n15 3 * * * /usr/bin/env 'XDG_STATE_HOME=/my $50\\%/state' /usr/bin/epact sync --quiet"))
  }
}
