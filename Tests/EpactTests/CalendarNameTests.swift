// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

struct CalendarNameTests {
  private static let names = ["home/work", "home/club", "other/club", "work/x", "personal"]
  private static let titles = ["home/work": "At work", "personal": "Mine", "other/club": "Mine"]

  @Test(arguments: [
    ("personal", "personal"), ("home/club", "home/club"), ("work", "home/work"), ("x", "work/x"),
    ("At work", "home/work"), ("home", nil), ("ork", nil), ("", nil),
  ])
  func namesAreFoundWithoutTheAccountAndByTitle(text: String, name: String?) throws {
    #expect(try CalendarName.find(text, among: Self.names, titles: Self.titles) == name)
  }

  @Test(arguments: [("club", "home/club, other/club"), ("Mine", "other/club, personal")])
  func aNameOfSeveralCalendarsIsRejected(text: String, names: String) throws {
    let error = #expect(throws: EpactError.self) {
      try CalendarName.find(text, among: Self.names, titles: Self.titles)
    }
    #expect(error?.message == "\"\(text)\" denotes several calendars: \(names)")
  }
}
