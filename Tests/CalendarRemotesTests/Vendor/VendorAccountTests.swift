// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite("Whole accounts at vendors", .timeLimit(.minutes(60)))
struct VendorAccountTests {
  @Test("They keep the promises of every account", arguments: VendorConformanceTests.kinds)
  func conformance(_ kind: VendorDouble.Kind) async throws {
    let scene = try await VendorScene(kind)
    try await AccountConformance(try scene.calendars()) { collection in
      let calendar = try await scene.remote(calendar: collection.place).openCalendar()
      _ = try await calendar.create(try RemoteConformance.event("x", summary: "X"))
    }.run()
    try await scene.expectNoViolations()
  }

  @Test("The default calendar is listed, and stays", arguments: VendorConformanceTests.kinds)
  func defaultCalendar(_ kind: VendorDouble.Kind) async throws {
    let scene = try await VendorScene(kind)
    let account = try scene.calendars()
    let only = try #require(try await account.collections().first)
    #expect(only.components == ["VEVENT"])
    await #expect(throws: RemoteError.self) {
      try await account.remove(only, withItems: true)
    }
    #expect(try await account.collections().count == 1)
    await #expect(throws: RemoteError.self) {
      try await account.create(only.id, title: nil, for: ["VTODO"])
    }
    #expect(try await account.collections().count == 1)
  }

  @Test(
    "A calendar that an interrupted run created is found again",
    arguments: VendorConformanceTests.kinds)
  func interrupted(_ kind: VendorDouble.Kind) async throws {
    let scene = try await VendorScene(kind)
    let id = try #require(CollectionID(folder: "work"))
    let made = try await scene.calendars().create(id, title: "All of my work", for: nil)
    let list = try await scene.calendars().list()
    let plan = try AccountPlan(
      here: [AccountCollection(id, at: "work", title: "All of my work")], there: list, known: [],
      selection: .all)
    let pair = plan.entries.first { $0.id == id }
    guard case .pair(let known, isNew: true)? = pair?.action else {
      Issue.record("\(String(describing: pair))")
      return
    }
    #expect(known.location == made.place && known.folder == "work")
  }

  @Test("A calendar that can only be read says so")
  func readOnly() async throws {
    let google = try await VendorScene(.google)
    let id = try #require(CollectionID(folder: "shared"))
    for (role, components) in [("reader", []), ("writer", ["VEVENT"])] as [(String, Set<String>)] {
      let made = try await google.calendars().create(id, title: "Shared \(role)", for: nil)
      try await google.double.control(
        "POST", google.account, "calendars", #"{"id": "\#(made.place)", "role": "\#(role)"}"#)
      let listed = try await google.calendars().collections().first { $0.place == made.place }
      #expect(listed?.components == components)
    }
    let made = try await google.calendars().create(id, title: "Busy", for: nil)
    try await google.double.control(
      "POST", google.account, "calendars", #"{"id": "\#(made.place)", "role": "freeBusyReader"}"#)
    #expect(try await !google.calendars().collections().contains { $0.place == made.place })
    let graph = try await VendorScene(.graph)
    try await graph.double.control(
      "POST", graph.account, "quirks", #"{"read-only-calendar": "Birthdays"}"#)
    let birthdays = try await graph.calendars().collections().first { $0.title == "Birthdays" }
    #expect(birthdays?.components == [])
  }

  // MARK: Properties

  private func store(
    _ scene: VendorScene, _ place: String
  ) async throws -> any CollectionPropertyStore {
    try #require(
      try await scene.remote(calendar: place, isForAccount: true).openCalendar().properties)
  }

  @Test("Google holds each name, colour and description exactly")
  func googleProperties() async throws {
    let scene = try await VendorScene(.google)
    let id = try #require(CollectionID(folder: "work"))
    let place = try await scene.calendars().create(id, title: "Work", for: nil).place
    let properties = try await store(scene, place)
    #expect(try await properties.collectionProperties()[.name] == "Work")
    #expect(try await properties.set(.name, to: "Büro") == .done)
    #expect(try await properties.set(.color, to: "#3F7FBF") == .done)
    #expect(try await properties.set(.description, to: "What I do") == .done)
    var now = try await store(scene, place).collectionProperties()
    #expect(now[.name] == "Büro" && now[.color] == "#3f7fbf" && now[.description] == "What I do")
    #expect(try await properties.set(.description, to: nil) == .done)
    for (property, value) in [
      (.name, nil), (.color, nil), (.color, "tomato"), (.order, "1"),
    ] as [(CollectionProperty, String?)] {
      guard case .refused = try await properties.set(property, to: value) else {
        Issue.record("\(property) \(value ?? "")")
        continue
      }
    }
    now = try await store(scene, place).collectionProperties()
    #expect(now[.name] == "Büro" && now[.color] == "#3f7fbf" && now[.description] == nil)
    // The sign-in of a single calendar does not cover the list.
    #expect(try await scene.remote(calendar: place).openCalendar().properties == nil)
    try await scene.expectNoViolations()
  }

  @Test("Microsoft holds the colours of its list, and no other")
  func graphProperties() async throws {
    let scene = try await VendorScene(.graph)
    let id = try #require(CollectionID(folder: "work"))
    let place = try await scene.calendars().create(id, title: "Work", for: nil).place
    let properties = try await store(scene, place)
    #expect(try await properties.collectionProperties()[.color] == nil)
    #expect(try await properties.set(.name, to: "Büro") == .done)
    #expect(try await properties.set(.color, to: "#A6D1F5") == .done)
    var now = try await store(scene, place).collectionProperties()
    #expect(now[.name] == "Büro" && now[.color] == "#a6d1f5")
    for (property, value) in [
      (.color, "#a6d1f6"), (.color, "tomato"), (.name, nil), (.name, "Calendar"),
      (.description, "d"), (.order, "1"),
    ] as [(CollectionProperty, String?)] {
      guard case .refused = try await properties.set(property, to: value) else {
        Issue.record("\(property) \(value ?? "")")
        continue
      }
    }
    now = try await store(scene, place).collectionProperties()
    #expect(now[.name] == "Büro" && now[.color] == "#a6d1f5")
    #expect(try await properties.set(.color, to: nil) == .done)
    #expect(try await properties.collectionProperties()[.color] == nil)
    try await scene.expectNoViolations()
  }

  @Test("A colour that Microsoft answers with another value is put back")
  func otherColor() async throws {
    let scene = try await VendorScene(.graph)
    let id = try #require(CollectionID(folder: "work"))
    let place = try await scene.calendars().create(id, title: "Work", for: nil).place
    let properties = try await store(scene, place)
    #expect(try await properties.set(.color, to: "#87d28e") == .done)
    try await scene.double.control(
      "POST", scene.account, "quirks", ##"{"other-colors": "#010203"}"##)
    guard case .refused = try await properties.set(.color, to: "#a6d1f5") else {
      Issue.record("another colour counts as the wanted one")
      return
    }
    try await scene.double.control("DELETE", scene.account, "quirks")
    #expect(try await properties.collectionProperties()[.color] == "#87d28e")
  }
}
