// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import TestSupport
import Testing

/// Grants for all remotes of an account at once.
struct AccountAccessTests {
  private static let purpose = "Keeps my calendars on both sides in step."

  /// Three calendars of ada on a server, one of bob there, one of ada elsewhere, and a folder.
  private static func lines(_ folder: String) -> [String] {
    func remote(_ name: String, _ host: String, _ user: String) -> [String] {
      [
        "[calendar.\(name)]", "path = \"~/\(name)\"", "[remote.\(name)]", "kind = \"caldav\"",
        "url = \"https://\(host)/\(name)/\"", "username = \"\(user)\"",
        "password-command = [\"false\"]", "[[sync]]", "name = \"\(name)\"",
        "calendar = \"\(name)\"", "remote = \"\(name)\"",
      ]
    }
    return remote("work", "dav.example.org", "ada") + remote("home", "dav.example.org", "ada")
      + remote("club", "dav.example.org", "ada")
      + ["access = \"write-only\"", "purpose = \"Tells the club which evenings are taken.\""]
      + remote("bob", "dav.example.org", "bob") + remote("other", "cal.example.net", "ada")
      + [
        "[calendar.disk]", "path = \"~/disk\"", "[remote.disk]", "kind = \"folder\"",
        "path = \"\(folder)/remote\"", "[[sync]]", "name = \"disk\"", "calendar = \"disk\"",
        "remote = \"disk\"",
      ]
  }

  private func setUp() throws -> (SyncScene, Configuration) {
    let scene = try SyncScene(local: [])
    try scene.folder.makeFolder(".config/epact")
    try scene.folder.write(lines: Self.lines(scene.folder.path), to: ".config/epact/config.toml")
    return (scene, try ConfigurationFile(machine: scene.machine).load())
  }

  private func tiers(_ scene: SyncScene, _ configuration: Configuration) async throws
    -> [String: String]
  {
    var tiers: [String: String] = [:]
    for name in configuration.grantNames {
      let access = try await RemoteAccess(to: name, in: configuration, machine: scene.machine)
      tiers[name] = access.status.rawValue
    }
    return tiers
  }

  private static let undecided = [
    "work": "not-determined", "home": "not-determined", "club": "not-determined",
    "bob": "not-determined", "other": "not-determined", "disk": "not-determined",
  ]

  @Test func oneQuestionGrantsEachRemoteWhatItsSyncsNeed() async throws {
    let (scene, configuration) = try setUp()
    let prompt = ScriptedPrompt(tier: .full)
    var access = try await AccountAccess(of: "home", in: configuration, machine: scene.machine)
    #expect(access.members.map(\.name) == ["club", "home", "work"])
    try await access.ask(prompt)
    #expect(prompt.questions.map(\.tiers) == [[.full, .writeOnly, .none]])
    #expect(prompt.questions.first?.remote == "\"club\", \"home\" and \"work\"")
    #expect(prompt.questions.first?.purpose.contains("Tells the club") == true)
    let granted = Self.undecided.merging(["work": "full", "home": "full", "club": "write-only"]) {
      $1
    }
    #expect(try await tiers(scene, configuration) == granted)
    // What is decided is not asked about again.
    try await access.ask(prompt)
    #expect(prompt.questions.count == 1)
  }

  @Test func aRefusalOrNoAnswerGrantsNothing() async throws {
    let (scene, configuration) = try setUp()
    for prompt in [ScriptedPrompt(), ScriptedPrompt(tier: .full, canAsk: false)] {
      var access = try await AccountAccess(of: "home", in: configuration, machine: scene.machine)
      let error = try await #require(throws: EpactError.self) { try await access.ask(prompt) }
      #expect(error.code == .noAccess)
      #expect(try await tiers(scene, configuration) == Self.undecided)
    }
    var access = try await AccountAccess(of: "home", in: configuration, machine: scene.machine)
    try await access.ask(ScriptedPrompt(tier: AccessTier.none))
    #expect(access.members.allSatisfy { $0.status == .denied })
  }

  @Test func aRaiseIsConfirmedOnceForAll() async throws {
    let (scene, configuration) = try setUp()
    var access = try await AccountAccess(of: "work", in: configuration, machine: scene.machine)
    try await access.store(.writeOnly, purpose: Self.purpose)
    for prompt in [ScriptedPrompt(confirms: false), ScriptedPrompt(confirms: true, canAsk: false)] {
      let error = try await #require(throws: EpactError.self) {
        try await access.store(.full, purpose: Self.purpose, confirming: prompt)
      }
      #expect(error.code == .noAccess)
      #expect(try await tiers(scene, configuration)["work"] == "write-only")
    }
    let prompt = ScriptedPrompt(confirms: true)
    try await access.store(.full, purpose: Self.purpose, confirming: prompt)
    #expect(prompt.questions.count == 1)
    let granted = Self.undecided.merging(["work": "full", "home": "full", "club": "full"]) { $1 }
    #expect(try await tiers(scene, configuration) == granted)
    // A sync that asks for write-only access uses no more, and the access says so.
    #expect(access.members.map(\.limitedSyncs) == [["club"], [], []])
    try await access.revoke()
    #expect(try await tiers(scene, configuration) == Self.undecided)
  }

  @Test func aRestrictionOfOneRemoteStoresNothing() async throws {
    let (scene, configuration) = try setUp()
    var machine = scene.machine
    machine.policyPaths = [
      try scene.folder.write(
        lines: ["decided-by = \"the IT department\"", "max-tier = \"write-only\""],
        to: "policy.toml")
    ]
    var access = try await AccountAccess(of: "work", in: configuration, machine: machine)
    let error = try await #require(throws: EpactError.self) {
      try await access.store(.full, purpose: Self.purpose)
    }
    #expect(error.code == .noAccess)
    #expect(try await tiers(scene, configuration) == Self.undecided)
  }

  @Test func aFolderHasNoAccount() async throws {
    let (scene, configuration) = try setUp()
    let error = try await #require(throws: EpactError.self) {
      try await AccountAccess(of: "disk", in: configuration, machine: scene.machine)
    }
    #expect(error.message == "\"disk\" is not a calendar on a server, and belongs to no account")
    #expect(
      try await #require(throws: EpactError.self) {
        try await AccountAccess(of: "wrok", in: configuration, machine: scene.machine)
      }.message.contains("did you mean \"work\"?"))
  }

  @Test func aSyncAsksOnceForAnAccount() async throws {
    let (scene, configuration) = try setUp()
    let prompt = ScriptedPrompt(tier: .full)
    try await SyncSet(configuration, machine: scene.machine).askForAccess(prompt)
    // Once for the three of ada, and once for each of the others.
    #expect(prompt.questions.count == 4)
    #expect(try await tiers(scene, configuration).values.allSatisfy { $0 != "not-determined" })
    #expect(try await tiers(scene, configuration)["club"] == "write-only")
  }
}
