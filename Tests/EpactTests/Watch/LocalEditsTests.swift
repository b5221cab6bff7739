// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

struct LocalEditsTests {
  private let scene: SyncScene

  init() throws {
    scene = try SyncScene(local: ["Dentist"], remote: ["Concert"])
    try scene.folder.write(WatchScene.configuration.utf8, to: "config.toml")
  }

  private func configuration() throws -> Configuration {
    try ConfigurationFile(scene.folder.path(of: "config.toml"), machine: scene.machine).load()
  }

  private func edits() async throws -> LocalEdits {
    let configuration = try configuration()
    return try await LocalEdits(
      of: configuration.syncs, in: configuration, machine: scene.machine)
  }

  /// Runs the sync with access to the remote, and returns its outcome.
  @discardableResult
  private func sync() async throws -> SyncOutcome? {
    let set = try SyncSet(configuration(), machine: scene.machine)
    var access = try await set.access(to: "disk")
    if access.status == .notDetermined {
      try await access.store(.full, purpose: SyncScene.purpose)
    }
    return try await set.run().syncs.first?.outcome
  }

  @Test func whatASyncWroteIsNoEdit() async throws {
    let before = try await edits()
    #expect(try await sync() == .done)
    _ = try scene.text("Concert", in: "local")
    let after = try await edits()
    #expect(!after.hasNew(since: before))
    let again = try await edits()
    #expect(after == again)
  }

  @Test func aNewFolderAndANewNameOfAnAccountAreEdits() async throws {
    try scene.folder.makeFolder("cals/home")
    try scene.folder.write((WatchScene.configuration + WatchScene.account).utf8, to: "config.toml")
    func edits() async throws -> LocalEdits {
      let configuration = try configuration()
      return try await LocalEdits(
        of: configuration.syncs, configuration.accountSyncs, in: configuration,
        machine: scene.machine)
    }
    let first = try await edits()
    try scene.folder.makeFolder("cals/club")
    let second = try await edits()
    #expect(second.hasNew(since: first))
    try scene.folder.write("The club".utf8, to: "cals/club/displayname")
    let third = try await edits()
    #expect(third.hasNew(since: second))
    let again = try await edits()
    #expect(!again.hasNew(since: third))
  }

  @Test func additionsChangesDeletionsAndBrokenFilesAreEdits() async throws {
    try await sync()
    let before = try await edits()
    let changes: [() throws -> Void] = [
      { try scene.write("New", titled: "New", to: "local") },
      { try scene.write("Dentist", titled: "Dentist, upstairs", to: "local") },
      { try FileManager.default.removeItem(atPath: scene.folder.path(of: "local/Concert.ics")) },
      { try scene.folder.write("broken".utf8, to: "local/broken.ics") },
    ]
    var last = before
    for change in changes {
      try change()
      let now = try await edits()
      #expect(now.hasNew(since: last))
      #expect(now.hasNew(since: before))
      let again = try await edits()
      #expect(!again.hasNew(since: now))
      last = now
    }
  }

  @Test func anEditAfterTheSurveyOfARunIsNew() async throws {
    try scene.write("Dentist", titled: "Dentist, upstairs", to: "local")
    let before = try await edits()
    try await sync()
    try scene.write("Dentist", titled: "Dentist, downstairs", to: "local")
    #expect(try await edits().hasNew(since: before))
  }

  @Test func aConflictIsNotNewForEver() async throws {
    try await sync()
    try scene.write("Dentist", titled: "Doctor here", to: "local")
    try scene.write("Dentist", titled: "Doctor there", to: "remote")
    #expect(try await sync() == .conflicts)
    let before = try await edits()
    #expect(try await sync() == .conflicts)
    let after = try await edits()
    #expect(!after.hasNew(since: before))
  }
}
