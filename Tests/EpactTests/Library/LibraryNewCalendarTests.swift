// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// Changes of calendars as a whole.
struct LibraryNewCalendarTests {
  @Test func aNewCalendarIsAddedToTheConfiguration() throws {
    let scene = try LibraryScene()
    var new = try scene.library.newCalendar(titled: "Bücher & Musik")
    #expect((new.name, new.title) == ("bücher-musik", "Bücher & Musik"))
    #expect(new.path == scene.folder.path(of: "calendars/bücher-musik"))
    new.color = "#00FF7F"
    new.kinds = [.reminder]
    var edit = LibraryEdit()
    edit.calendars = [.create(new)]
    edit.items = [
      .init(in: new.id, uid: "a", from: nil, to: TestItem.make(uid: "a", kind: .reminder))
    ]
    #expect(!scene.exists("calendars/bücher-musik"))
    try scene.library.commit(edit)
    #expect(
      try scene.configurationText == LibraryScene.configuration
        + "\n[calendar.\"bücher-musik\"]\npath = \"~/calendars/bücher-musik\"\n"
        + "components = [\"VTODO\"]\n")
    let calendar = try scene.calendar("bücher-musik")
    #expect(calendar.id == new.id)
    #expect(calendar.title == "Bücher & Musik")
    #expect(calendar.color == "#00ff7f")
    #expect((calendar.kinds, calendar.source) == ([.reminder], .local))
    #expect(try scene.library.contents(of: calendar).entries.count == 1)
    // The name is taken now, also by another one of the same edit.
    let second = try scene.library.newCalendar(titled: "bücher musik")
    #expect(second.name == "bücher-musik-2")
    var other = LibraryEdit()
    other.calendars = [.create(second)]
    #expect(
      try scene.library.newCalendar(titled: "bücher musik", beside: other).name
        == "bücher-musik-3")
  }

  @Test func theFirstCalendarMakesTheConfiguration() throws {
    let scene = try LibraryScene()
    try FileManager.default.removeItem(atPath: scene.folder.path(of: ".config"))
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "calendars"))
    let new = try scene.library.newCalendar(titled: "Home")
    #expect(new.path == scene.folder.path(of: "calendars/home"))
    var edit = LibraryEdit()
    edit.calendars = [.create(new)]
    try scene.library.commit(edit)
    #expect(
      try scene.configurationText == "[calendar.home]\npath = \"~/calendars/home\"\n")
    #expect(try scene.library.defaultCalendar(for: .event)?.id == new.id)
  }

  @Test func titleAndColorChangeWithoutTheConfiguration() throws {
    let scene = try LibraryScene()
    try scene.folder.write("#000000".utf8, to: "synced/work/color")
    let work = try scene.calendar("work")
    var edit = LibraryEdit()
    edit.calendars = [.update(id: work.id, title: "Office ", color: "#102030", kinds: nil)]
    try scene.library.commit(edit)
    let after = try scene.calendar("work")
    #expect((after.title, after.color, after.id) == ("Office", "#102030", work.id))
    #expect(try scene.folder.bytes(of: "synced/work/displayname") == Array("Office".utf8))
    #expect(try scene.configurationText == LibraryScene.configuration)
  }

  @Test func kindsChangeInPlace() throws {
    let scene = try LibraryScene()
    let (tasks, home) = (try scene.calendar("tasks"), try scene.calendar("private"))
    var edit = LibraryEdit()
    edit.calendars = [
      .update(id: tasks.id, title: nil, color: nil, kinds: [.event, .reminder]),
      .update(id: home.id, title: "Home", color: nil, kinds: [.event]),
    ]
    try scene.library.commit(edit)
    let expected = LibraryScene.configuration
      .replacing(
        "[\n  \"VTODO\", # no events\n]", with: "[\"VEVENT\", \"VTODO\"]"
      )
      .replacing("# a folder\n", with: "# a folder\ncomponents = [\"VEVENT\"]\n")
    #expect(try scene.configurationText == expected)
    #expect(try scene.calendar("private").title == "Home")
  }

  @Test func aCalendarIsRemovedWithItsItems() throws {
    let scene = try LibraryScene()
    let text = LibraryScene.configuration.replacing("default-calendar = \"private\"", with: "")
    try scene.write(text)
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    try scene.folder.write("Home".utf8, to: "calendars/private/displayname")
    let home = try scene.calendar("private")
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: home.id)]
    try scene.library.commit(edit)
    #expect(!scene.exists("calendars/private"))
    #expect(
      try scene.configurationText
        == text.replacing(
          "[calendar.private]\npath = \"~/calendars/private\"  # a folder\n\n", with: ""))
    #expect(try !scene.library.calendars().contains { $0.id == home.id })
  }

  @Test("The copy of a feed is removed with its sync and its remote, and nothing else")
  func removedFeed() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/holidays/a.ics")
    #expect(try scene.library.removeCalendar("holidays", withItems: false) == 0)
    #expect(!scene.exists("calendars/holidays"))
    var text = LibraryScene.configuration
    for table in [
      "[calendar.holidays]\npath = \"~/calendars/holidays\"\n\n",
      "[remote.holidays]\nkind = \"webcal\"\nurl = \"webcal://cal.example.org/holidays.ics\"\n\n",
      "[[sync]]\nname = \"holidays\"\ncalendar = \"holidays\"\nremote = \"holidays\"\n\n",
    ] {
      #expect(text.contains(table))
      text = text.replacing(table, with: "")
    }
    #expect(try scene.configurationText == text)
    // A calendar with another sync is not removed, and the reason is not its items.
    #expect(throws: (any Error).self) {
      try scene.library.removeCalendar("tasks", withItems: false)
    }
    #expect(try scene.configurationText == text)
  }

  @Test("A feed with tables of its own, and one that another calendar uses")
  func removedFeedWithTables() throws {
    func text(_ parts: [String]) -> String { parts.joined() }
    let feed = "[remote.f]\nkind = \"webcal\"\nurl = \"webcal://example.org/f.ics\"\n"
    let home = "[calendar.private]\npath = \"~/calendars/private\"\n"
    let other = "[[sync]]\nname = \"p\"\ncalendar = \"private\"\nremote = \"f\"\n"
    let own =
      "[[sync]]\nname = \"h\"\ncalendar = \"holidays\"\nremote = \"f\"\n"
      + "[sync.on-conflict-in]\nSUMMARY = \"local\"\n"
    let holidays = "[calendar.holidays]\npath = \"~/calendars/holidays\"\n"
    let scene = try LibraryScene(text([holidays, home, feed, own, other]))
    #expect(try scene.library.removeCalendar("holidays", withItems: false) == 0)
    #expect(try scene.configurationText == text([home, feed, other]))
  }

  @Test func aFileThatIsNoItemStaysInARemovedCalendar() throws {
    let scene = try LibraryScene()
    try scene.write(LibraryScene.configuration.replacing("= \"private\"", with: "= \"one\""))
    try scene.folder.write("no calendar".utf8, to: "calendars/private/strange.ics")
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: try scene.calendar("private").id)]
    try scene.library.commit(edit)
    #expect(scene.exists("calendars/private/strange.ics"))
    #expect(!scene.exists("calendars/private/a.ics"))
    #expect(try scene.library.calendars().map(\.name) == ["holidays", "one", "tasks", "work"])
  }

  @Test func removalKeepsItemsThatMoveAway() throws {
    let scene = try LibraryScene()
    try scene.write(LibraryScene.configuration.replacing("= \"private\"", with: "= \"one\""))
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    let (home, work) = (try scene.calendar("private"), try scene.calendar("work"))
    let entry = try #require(try scene.contents("private").entries["a"])
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: home.id)]
    edit.items = [
      .init(in: home.id, uid: "a", from: entry, to: nil),
      .init(in: work.id, uid: "a", from: nil, to: entry.item),
    ]
    try scene.write(TestItem.make(uid: "a", summary: "Theirs"), to: "calendars/private/a.ics")
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect(error.code == .changedMeanwhile)
    #expect(scene.exists("calendars/private/a.ics"))
    try scene.write(entry.item, to: "calendars/private/a.ics")
    try scene.library.commit(edit)
    #expect(scene.exists("synced/work/a.ics"))
    #expect(!scene.exists("calendars/private"))
  }

  struct Refusal: CustomTestStringConvertible {
    let calendar: String
    let change: @Sendable (String) -> LibraryEdit.Calendar
    let code: LibraryError.Code
    let message: String
    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      calendar: "work", change: { .remove(id: $0) }, code: .unsupported,
      message: "is used by the sync \"work\""),
    Refusal(calendar: "one", change: { .remove(id: $0) }, code: .unsupported, message: "one file"),
    Refusal(
      calendar: "one", change: { .update(id: $0, title: "One", color: nil, kinds: nil) },
      code: .unsupported, message: "has no place for a title"),
    Refusal(
      calendar: "private", change: { .update(id: $0, title: nil, color: "red", kinds: nil) },
      code: .invalid, message: "expected a color of the form #RRGGBB, found \"red\""),
    Refusal(
      calendar: "private", change: { .update(id: $0, title: " ", color: nil, kinds: nil) },
      code: .invalid, message: "needs a title"),
    Refusal(
      calendar: "private", change: { .update(id: $0, title: nil, color: nil, kinds: [.reminder]) },
      code: .configuration,
      message: "the \"components\" of [calendar.private] do not contain \"VEVENT\""),
  ]

  @Test(arguments: refusals) func changesAreRefused(_ refusal: Refusal) throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    var edit = LibraryEdit()
    edit.calendars = [refusal.change(try scene.calendar(refusal.calendar).id)]
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect(error.code == refusal.code)
    #expect(error.message.contains(refusal.message), "\(error.message)")
    #expect(try scene.configurationText == LibraryScene.configuration)
    #expect(scene.exists("calendars/private/a.ics"))
  }

  @Test("With the default calendar, the key that names it is removed")
  func defaultCalendar() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: try scene.calendar("private").id)]
    try scene.library.commit(edit)
    let text = try scene.configurationText
    #expect(!text.contains("[calendar.private]") && !text.contains("default-calendar"))
    #expect(text.contains("[calendar.work]"))
    #expect(!scene.exists("calendars/private/a.ics"))
  }

  @Test func aLinkIsNotReplaced() throws {
    let scene = try LibraryScene()
    let path = ".config/epact/config.toml"
    try scene.folder.write(LibraryScene.configuration.utf8, to: "dotfiles.toml")
    try FileManager.default.removeItem(atPath: scene.folder.path(of: path))
    try scene.folder.link(path, to: scene.folder.path(of: "dotfiles.toml"))
    var edit = LibraryEdit()
    edit.calendars = [.create(try scene.library.newCalendar(titled: "Home"))]
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect(error.code == .configuration)
    #expect(error.message.contains("is a link"))
    #expect(!scene.exists("calendars/home"))
    // Titles need no change of the configuration.
    edit.calendars = [
      .update(id: try scene.calendar("private").id, title: "Home", color: nil, kinds: nil)
    ]
    try scene.library.commit(edit)
  }

  @Test func aTableInAnotherFormIsNotEdited() throws {
    let scene = try LibraryScene()
    try scene.write("calendar.private.path = \"~/calendars/private\"\n")
    var edit = LibraryEdit()
    edit.calendars = [.remove(id: try scene.calendar("private").id)]
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect(error.code == .configuration)
    #expect(error.message.contains("has no table [calendar.private] that can be edited"))
    #expect(try scene.library.calendars().count == 1)
  }

  @Test func onlyThisComputerHasNewCalendars() throws {
    let scene = try LibraryScene()
    let account = try #require(try scene.library.sources().last)
    let error = try #require(throws: LibraryError.self) {
      try scene.library.newCalendar(titled: "Home", in: account)
    }
    #expect((error.code, error.subject) == (.unsupported, account.id))
  }

  /// The file is as before, whatever its last line is.
  @Test(arguments: ["", "# a comment\n", "history-days = 3\n\n", "[calendar.a]\npath = \"a\"\n"])
  func creationAndRemovalLeaveNothing(_ text: String) throws {
    let scene = try LibraryScene(text)
    let new = try scene.library.newCalendar(titled: "Home")
    var edit = LibraryEdit()
    edit.calendars = [.create(new)]
    try scene.library.commit(edit)
    #expect(try scene.configurationText != text)
    edit.calendars = [.remove(id: new.id)]
    try scene.library.commit(edit)
    #expect(try scene.configurationText == text)
  }
}
