// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

/// A folder of folders as a side of an account.
@Suite struct FolderAccountTests {
  private let folder: TemporaryFolder
  private let account: FolderAccount

  init() throws {
    folder = try TemporaryFolder()
    account = FolderAccount(path: folder.path)
  }

  private func make(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + path, withIntermediateDirectories: true)
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + path))
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path + "/" + path)
  }

  @Test func `The promises of an account are kept`() async throws {
    try make("other")
    try await AccountConformance(account) { collection in
      try write("BEGIN:VCALENDAR", to: "\(collection.place)/x.ics")
    }.run()
  }

  @Test func `Folders and links to folders are calendars, hidden ones and files are none`() throws {
    for name in ["work", ".git", "a.ics", "zwölf"] { try make(name) }
    try write("x", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/work")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/broken", withDestinationPath: "nowhere")
    try write("The club", to: "work/displayname")
    let found = try account.collections()
    #expect(Set(found.map(\.place)) == ["link", "work", "zwölf"])
    #expect(found.first { $0.place == "work" }?.title == "The club")
  }

  @Test func `A folder that is not there has no list, and nothing is created in it`() async throws {
    let missing = FolderAccount(path: folder.path + "/missing")
    let id = try #require(CollectionID(folder: "work"))
    #expect(throws: StoreError.self) { try missing.collections() }
    #expect(throws: StoreError.self) { try missing.create(id, title: nil, for: nil) }
    #expect(!exists("missing"))
  }

  @Test func `A folder with other files, and a link, are not removed`() throws {
    for name in ["work", "deep/inner"] { try make(name) }
    try write("x", to: "work/notes.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/work")
    for collection in try account.collections() {
      #expect(throws: StoreError.self) { try account.remove(collection, withItems: true) }
      #expect(throws: StoreError.self) { try account.items(of: collection) }
    }
    #expect(exists("work/notes.txt") && exists("deep/inner") && exists("link"))
  }

  @Test func `A calendar with its properties is there at once`() throws {
    let id = try #require(CollectionID(folder: "work"))
    var properties = CollectionProperties()
    properties[.name] = "Work"
    properties[.color] = "#102030"
    try account.create(id, properties)
    #expect(try account.collections().map(\.title) == ["Work"])
    #expect(exists("work/color") && !exists(".new-work"))
    #expect(throws: StoreError.self) { try account.create(id, properties) }
    properties[.color] = "blue"
    let other = try #require(CollectionID(folder: "other"))
    #expect(throws: StoreError.self) { try account.create(other, properties) }
    #expect(!exists("other"))
  }
}
