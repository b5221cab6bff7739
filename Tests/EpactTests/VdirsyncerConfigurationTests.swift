// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import TestSupport
import Testing

/// What a configuration of vdirsyncer says, and what cannot be taken over.
struct VdirsyncerConfigurationTests {
  private let folder: TemporaryFolder
  private let machine: Machine

  init() throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.environment = [:]
    self.machine = machine
  }

  private func migration(_ text: String) throws -> VdirsyncerMigration {
    try VdirsyncerMigration(path: try folder.write(text.utf8, to: "config"), machine: machine)
  }

  /// A pair of two storages, each given by its lines.
  private func pair(_ first: String, _ second: String, _ options: String = "") -> String {
    """
    [general]
    status_path = "status"
    [pair p]
    a = "one"
    b = "two"
    collections = null
    \(options)
    [storage one]
    \(first)
    [storage two]
    \(second)
    """
  }

  private let here = "type = \"filesystem\"\npath = \"~/cal\"\nfileext = \".ics\""
  private let there = "type = \"caldav\"\nurl = \"https://dav.example.org/cal/\""

  @Test(arguments: [
    ("[pair a]\nb 7\n", "2:1: expected a key and a value"),
    ("[general]\nstatus_path = ~/status\n", "2:15: the value of \"status_path\" is not JSON"),
    ("a = 1\n", "1:1: expected a section before the first key"),
    ("[calendar x]\n", "1:2: expected general, pair or storage"),
    ("[general]\n[general]\n", "2:1: there are two sections"),
    ("[general\n", "1:8: expected ]"),
    ("[pair a]\na = \"x\"\nb = \"y\"\n", "1:1: the pair has no storage \"a\""),
  ])
  func errorsHaveTheirPlace(text: String, message: String) throws {
    let error = #expect(throws: EpactError.self) { try migration(text) }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("config:\(message)") == true, "\(error?.message ?? "")")
  }

  @Test func whatCannotBeTakenOverHasAReason() throws {
    let contacts = "type = \"carddav\"\nurl = \"https://dav.example.org/\""
    let google = "type = \"google_calendar\"\ntoken_file = \"~/token\""
    for (second, reason) in [
      (contacts, "contacts"), (google, "Google"), ("type = \"etesync\"", "unknown"),
      (there + "\nread_only = true", "read-only"),
      (there + "\npassword.fetch = [\"prompt\", \"Password\"]", "asked for"),
      (there + "\nusername.fetch = [\"command\", \"whoami\"]", "user name"),
      (there + "\nverify = false", "certificate"),
    ] {
      let left = try migration(pair(here, second)).left
      #expect(left.map(\.subject) == ["pair p"])
      #expect(left.first?.reason.contains(reason) == true, "\(left)")
    }
    #expect(try migration(pair(there, there)).left.first?.reason.contains("neither side") == true)
    let cards = here.replacing(".ics", with: ".vcf")
    #expect(try migration(pair(cards, there)).left.first?.reason.contains(".vcf") == true)
  }

  @Test func whatIsTakenOverOnlyInPartIsListed() throws {
    let left = try migration(
      pair(
        here + "\npost_hook = \"x\"", there + "\nitem_types = [\"VEVENT\"]",
        "conflict_resolution = [\"command\", \"vimdiff\"]\npartial_sync = \"ignore\"")
    ).left
    #expect(left.contains { $0.reason.contains("post_hook") })
    #expect(left.contains { $0.reason.contains("item_types") })
    #expect(left.contains { $0.reason.contains("conflict_resolution") })
    #expect(left.contains { $0.reason.contains("partial_sync") })
  }

  @Test func aPairWithoutDiscoveredCollectionsWaits() throws {
    let text = pair(here, there).replacing("collections = null", with: "collections = [\"x\"]")
    #expect(try migration(text).left.first?.reason.contains("vdirsyncer discover") == true)
    let unused = try migration("[storage spare]\n" + here)
    #expect(unused.left.map(\.subject) == ["storage spare"])
  }
}
