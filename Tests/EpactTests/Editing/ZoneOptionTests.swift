// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax
import Testing

/// The time zone of an item as an option beside its times.
struct ZoneOptionTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  @Test func aZoneBesideAWholeDayIsRejected() throws {
    let dates = try world.dates
    var details = ItemDetails()
    (details.title, details.zone) = ("Call", "Asia/Tokyo")
    details.start = try dates.newTime("2026-12-10")
    let calendar = try world.calendar("private")
    #expect(throws: EpactError.self) {
      try world.editor.adding(details, as: .event, to: calendar)
    }
    details.start = try dates.newTime("2026-12-10 10:00")
    try world.editor.adding(details, as: .event, to: calendar).commit()
    let start = try world.item("Call").item.main?[.dtStart]
    #expect(start?[.tzID] == "Asia/Tokyo" && start?.rawValue == "20261210T100000")
    var day = ItemDetails()
    (day.start, day.zone) = (try dates.newTime("2026-12-10 all day"), "Asia/Tokyo")
    #expect(throws: EpactError.self) {
      try world.editor.changing(try world.item("Call"), day, .all)
    }
  }
}
