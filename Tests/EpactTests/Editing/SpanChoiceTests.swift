// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Testing

/// The occurrence that a date chooses, of a series in another zone than the viewer's.
struct SpanChoiceTests {
  private let world: EditScene

  init() throws {
    world = try EditScene()
    let dates = try world.dates
    func add(_ title: String, _ start: String, _ repetition: String) throws {
      var details = ItemDetails()
      details.title = title
      details.start = try dates.newTime(start)
      details.repetition = try dates.repetition(repetition, count: 10, until: nil)
      try world.editor.adding(details, as: .event, to: world.calendar("private")).commit()
    }
    // In Berlin, these are on the evenings before.
    try add("Daily", "2026-12-01 06:00 Asia/Tokyo", "daily")
    try add("Weekly", "2026-12-01 06:00 Asia/Tokyo", "weekly")
    try add("Near", "2026-12-01 10:00 Europe/Lisbon", "daily")
  }

  /// The original start of the chosen occurrence.
  private func chosen(_ title: String, _ date: String) throws -> EventTime? {
    let choice = try world.dates.this(date)
    guard case .occurrence(let time) = try world.editor.span(choice, of: world.item(title)) else {
      return nil
    }
    return time
  }

  private func tokyo(_ text: String) throws -> EventTime {
    .zoned(try CivilDateTime(parsing: text), tzID: "Asia/Tokyo")
  }

  @Test func aDateThatIsTwoOccurrencesInTwoZonesChoosesNone() throws {
    let error = try #require(throws: EpactError.self) { try chosen("Daily", "2026-12-05") }
    let message = "\(error)"
    #expect(message.contains("in Europe/Berlin, and another one in Asia/Tokyo"))
    // The readings are those of the two occurrences.
    #expect(message.contains("write 2026-12-05T22:00:00+01:00 or 2026-12-05T06:00:00+09:00"))
    #expect(try chosen("Daily", "2026-12-05T22:00:00+01:00") == tokyo("20261206T060000"))
    #expect(try chosen("Daily", "2026-12-05T06:00:00+09:00") == tokyo("20261205T060000"))
  }

  @Test func aDateThatIsOneOccurrenceInEitherZoneChoosesIt() throws {
    // Tuesday in Tokyo, as the item is shown, and Monday in Berlin, as in the agenda.
    #expect(try chosen("Weekly", "2026-12-08") == tokyo("20261208T060000"))
    #expect(try chosen("Weekly", "2026-12-07") == tokyo("20261208T060000"))
    #expect(throws: EpactError.self) { try chosen("Weekly", "2026-12-09") }
    #expect(
      try chosen("Near", "2026-12-05")
        == .zoned(CivilDateTime(parsing: "20261205T100000"), tzID: "Europe/Lisbon"))
  }

  @Test func aTimeIsThatOfEitherZone() throws {
    #expect(try chosen("Daily", "2026-12-05 22:00") == tokyo("20261206T060000"))
    #expect(try chosen("Daily", "2026-12-05 06:00") == tokyo("20261205T060000"))
  }
}
