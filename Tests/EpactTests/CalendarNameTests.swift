// SPDX-License-Identifier: Apache-2.0

import Epact
import TestSupport
import Testing

struct CalendarNameTests {
  private static let names = ["home/work", "home/club", "other/club", "work/x", "personal"]
  private static let titles = ["home/work": "At work", "personal": "Mine", "other/club": "Mine"]

  @Test(arguments: [
    ("personal", "personal"), ("home/club", "home/club"), ("work", "home/work"), ("x", "work/x"),
    ("At work", "home/work"), ("at WORK", "home/work"), ("Personal", "personal"),
    ("WORK", "home/work"), ("home", nil), ("ork", nil), ("", nil),
  ])
  func namesAreFoundWithoutTheAccountAndByTitle(text: String, name: String?) throws {
    #expect(try CalendarName.find(text, among: Self.names, titles: { Self.titles }) == name)
  }

  @Test(arguments: [
    ("club", "home/club, other/club"), ("Mine", "other/club, personal"),
    ("mine", "other/club, personal"),
    ("CLUB", "home/club, other/club"),
  ])
  func aNameOfSeveralCalendarsIsRejected(text: String, names: String) throws {
    let error = #expect(throws: EpactError.self) {
      try CalendarName.find(text, among: Self.names, titles: { Self.titles })
    }
    #expect(error?.message == "\"\(text)\" denotes several calendars: \(names)")
  }

  @Test func aLocationIsNamedByTitleUnlessAPathHasTheName() throws {
    let scene = try LibraryScene()
    try scene.folder.write("Family\n".utf8, to: "calendars/private/displayname")
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    func name(_ text: String) throws -> String {
      try CalendarLocation(text, configuration: configuration, machine: scene.machine).name
    }
    #expect(try name("Family") == "private")
    #expect(try name("family") == "private")
    #expect(try name("PRIVATE") == "private")
    let error = try #require(throws: EpactError.self) { try name("Familly") }
    #expect(error.message.contains("did you mean \"Family\"?"))
    // A path is meant if it exists, as before.
    let path = scene.folder.path(of: "calendars/private")
    #expect(try name(path) == path)
  }
}
