// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite struct FolderPropertiesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func store(for purpose: LocalCalendars.Purpose = .writing) throws -> any CollectionPropertyStore {
    try #require(try FolderCalendar(path: folder.path, for: purpose).properties)
  }

  func file(_ name: String) -> String? {
    try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
  }

  @Test func `Properties are files of the folder`() async throws {
    let store = try store()
    #expect(try await store.collectionProperties().isEmpty)
    #expect(try await store.set(.name, to: "Übung") == .done)
    #expect(try await store.set(.color, to: "#FF8800") == .done)
    #expect(try await store.set(.description, to: "One\nTwo") == .done)
    #expect(try await store.set(.order, to: "3") == .done)
    #expect(file("displayname") == "Übung")
    #expect(file("color")?.lowercased() == "#ff8800")
    #expect(file("description") == "One\nTwo")
    #expect(file("order") == "3")
    let read = try await store.collectionProperties()
    #expect(read[.name] == "Übung" && read[.description] == "One\nTwo")
    #expect(try await store.set(.name, to: nil) == .done)
    #expect(file("displayname") == nil)
    #expect(try await store.collectionProperties()[.name] == nil)
  }

  @Test func `A line end that an editor leaves does not count`() async throws {
    try "Home\n".write(toFile: folder.path + "/displayname", atomically: true, encoding: .utf8)
    #expect(try await store().collectionProperties()[.name] == "Home")
  }

  @Test func `What others could not read is refused`() async throws {
    let store = try store()
    for color in ["red", "#12345", "#1234567", "#12345g"] {
      guard case .refused = try await store.set(.color, to: color) else {
        Issue.record("\(color) is taken")
        continue
      }
    }
    guard case .refused = try await store.set(.name, to: String(repeating: "x", count: 5000)) else {
      Issue.record("a very long name is taken")
      return
    }
    #expect(file("color") == nil && file("displayname") == nil)
  }

  @Test func `What cannot be read is not taken for absent`() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/displayname", withDestinationPath: "/etc/hostname")
    await #expect(throws: StoreError.self) { try await store().collectionProperties() }
  }

  @Test func `A folder that is opened for reading is not written to`() async throws {
    await #expect(throws: StoreError.self) {
      try await store(for: .reading).set(.name, to: "Home")
    }
  }
}
