// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Foundation
import TestSupport
import Testing

struct LibraryCalendarsTests {
  @Test func calendarsBelongToTheirSources() throws {
    let scene = try LibraryScene()
    let calendars = try scene.library.calendars()
    #expect(calendars.map(\.name) == ["holidays", "one", "private", "tasks", "work"])
    #expect(
      calendars.map(\.source.kind) == [.subscribed, .local, .local, .local, .calDAV])
    #expect(calendars.map(\.isReadOnly) == [true, false, false, false, false])
    #expect(calendars.map(\.isSubscribed) == [true, false, false, false, false])
    #expect(calendars.map(\.isImmutable) == [false, true, false, false, false])
    #expect(calendars.map(\.kinds)[2...3] == [[.event, .reminder], [.reminder]])
    #expect(calendars[2].location.path == scene.folder.path(of: "calendars/private"))
    let sources = try scene.library.sources()
    #expect(sources.map(\.kind) == [.local, .subscribed, .calDAV])
    #expect(
      sources.map(\.title) == [
        "On This Computer", "Subscribed Calendars", "ada@dav.example.org",
      ])
    // Both remotes are in one account.
    #expect(calendars[4].source == sources[2])
  }

  @Test func identifiersAreThoseOfTheCanonicalPath() throws {
    let scene = try LibraryScene()
    let before = try scene.calendar("private")
    #expect(UUID(uuidString: before.id)?.uuidString == before.id)
    try scene.folder.link("link", to: "calendars/private")
    try scene.write("[calendar.renamed]\npath = \"~/link\"\n")
    let after = try scene.calendar("renamed")
    #expect(after.id == before.id)
    #expect(after.source == before.source)
    #expect(Set(try scene.library.calendars().map(\.id)).count == 1)
  }

  @Test func titleAndColorAreThoseOfTheFolder() throws {
    let scene = try LibraryScene()
    try scene.folder.write("Zuhause\n".utf8, to: "calendars/private/displayname")
    try scene.folder.write("#FF8000FF\n".utf8, to: "calendars/private/color")
    try scene.folder.write("orange".utf8, to: "calendars/tasks/color")
    let calendar = try scene.calendar("private")
    #expect((calendar.title, calendar.color) == ("Zuhause", "#ff8000"))
    let other = try scene.calendar("tasks")
    #expect((other.title, other.color) == ("tasks", nil))
  }

  @Test func aMissingFolderIsNoCalendar() throws {
    let scene = try LibraryScene()
    let calendar = try scene.calendar("private")
    try FileManager.default.removeItem(atPath: calendar.location.path)
    #expect(try scene.library.calendars().map(\.name) == ["holidays", "one", "tasks", "work"])
    // The configured calendar is not replaced by another one.
    #expect(try scene.library.defaultCalendar(for: .event) == nil)
    let error = try #require(throws: LibraryError.self) {
      try scene.library.contents(of: calendar)
    }
    #expect(error.code == .noCalendar)
  }

  @Test func whatMayOnlyBeReadGetsNoNewItems() throws {
    let scene = try LibraryScene(
      """
      [calendar.a]
      path = "~/calendars/holidays"
      read-only = true
      [calendar.b]
      path = "~/calendars/private"
      read-only = false
      components = ["VEVENT"]
      [calendar.c]
      path = "~/calendars/new"
      components = ["VTODO"]

      """)
    #expect(try scene.library.calendars().map(\.isReadOnly) == [true, false])
    #expect(try scene.library.defaultCalendar(for: .event)?.name == "b")
    let calendar = try #require(try scene.library.calendars().first)
    try #require(throws: LibraryError.self) {
      try scene.library.addableKinds(
        at: CalendarLocation(path: scene.folder.path(of: "calendars/./holidays")))
    }
    func kinds(_ name: String) throws -> Set<ItemKind>? {
      try scene.library.addableKinds(at: CalendarLocation(path: scene.folder.path(of: name)))
    }
    #expect(try kinds("calendars/private") == [.event])
    #expect(try kinds("calendars/new") == [.reminder])
    #expect(try kinds("elsewhere") == nil)
    let error = try #require(throws: LibraryError.self) {
      try scene.library.append(TestItem.make(uid: "x"), to: calendar)
    }
    #expect(error.code == .readOnly)
  }

  @Test("A calendar whose sync only adds takes events alone")
  func onlyEventsAreAdded() throws {
    let scene = try LibraryScene(
      """
      [calendar.private]
      path = "~/calendars/private"
      [remote.disk]
      kind = "folder"
      path = "~/disk"
      [[sync]]
      name = "disk"
      calendar = "private"
      remote = "disk"
      access = "write-only"

      """)
    #expect(try scene.library.calendars().first?.kinds == [.event])
    #expect(try scene.library.defaultCalendar(for: .reminder) == nil)
  }

  @Test("A calendar that a mirror fills gets no new items unless it is the configured one")
  func copiesGetNoNewItems() throws {
    let text = """
      [calendar.copies]
      path = "~/calendars/holidays"
      [calendar.own]
      path = "~/calendars/private"
      [[mirror]]
      name = "busy"
      from = ["own"]
      to = "copies"
      show = "busy"

      """
    let scene = try LibraryScene(text)
    #expect(try scene.library.defaultCalendar(for: .event)?.name == "own")
    #expect(try scene.library.defaultCalendar(for: .reminder)?.name == "own")
    try scene.write("default-calendar = \"copies\"\n" + text)
    #expect(try scene.library.defaultCalendar(for: .event)?.name == "copies")
  }

  @Test func defaultCalendars() throws {
    let scene = try LibraryScene()
    #expect(try scene.library.defaultCalendar(for: .event)?.name == "private")
    // It accepts reminders, too.
    #expect(try scene.library.defaultCalendar(for: .reminder)?.name == "private")
    try scene.write(
      LibraryScene.configuration.replacing("default-calendar = \"private\"", with: "")
        .replacing("# My calendars.", with: "default-reminders = \"tasks\""))
    #expect(try scene.library.defaultCalendar(for: .event)?.name == "one")
    #expect(try scene.library.defaultCalendar(for: .reminder)?.name == "tasks")
    #expect(try scene.library.defaultCalendar(for: .journal) == nil)
    try scene.write(LibraryScene.configuration.replacing("= \"private\"", with: "= \"holidays\""))
    #expect(try scene.library.defaultCalendar(for: .event) == nil)
  }

  @Test func anInvalidConfigurationIsAnError() throws {
    let scene = try LibraryScene()
    #expect(try scene.library.calendars().count == 5)
    try scene.write("[calender.x]\n")
    let error = try #require(throws: LibraryError.self) { try scene.library.calendars() }
    #expect(error.code == .configuration)
    #expect(error.message.contains("config.toml:1: unknown key \"calender\""))
  }

  @Test func withoutAConfigurationThereIsOnlyThisComputer() throws {
    let scene = try LibraryScene()
    try FileManager.default.removeItem(atPath: scene.folder.path(of: ".config/epact/config.toml"))
    #expect(try scene.library.calendars().isEmpty)
    #expect(try scene.library.sources() == [.local])
    #expect(try scene.library.defaultCalendar(for: .event) == nil)
  }
}
