// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import TestSupport
import Testing

/// The arrangement of a week.
@Suite("Weeks") struct WeekDaysTests {
  private func week(_ events: [(String, String)]) throws -> WeekDays {
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//A//B//EN\r\n"
    for (number, event) in events.enumerated() {
      let lines = [
        "BEGIN:VEVENT", "UID:\(number)", "DTSTAMP:20260101T000000Z", "DTSTART:\(event.0)",
        "DTEND:\(event.1)", "SUMMARY:\(number)", "END:VEVENT",
      ]
      text += lines.map { "\($0)\r\n" }.joined()
    }
    text += "END:VCALENDAR\r\n"
    let folder = try TemporaryFolder()
    let file = try folder.write(text.utf8, to: "week.ics")
    let berlin = try Machine.live().viewerZone("Europe/Berlin")
    let monday = try CivilDate(parsing: "20261123")
    let range = WeekDays.range(from: monday, in: berlin)
    let view = try OccurrenceView(
      ViewRequest([CalendarLocation(path: file)], in: range, viewer: berlin)
    ) { _ in }
    return WeekDays(view.days(), from: monday)
  }

  private func lanes(_ week: WeekDays, day: Int) -> [String] {
    week.days[day].blocks.map {
      "\($0.entry.occurrence.title) \($0.start)-\($0.end) \($0.lane)/\($0.laneCount)"
    }
  }

  @Test("Overlapping events share lanes, and the others have the whole width")
  func lanes() throws {
    let week = try week([
      ("20261123T090000", "20261123T110000"), ("20261123T100000", "20261123T120000"),
      ("20261123T110000", "20261123T113000"), ("20261123T120000", "20261123T130000"),
      ("20261124T090000", "20261124T090000"), ("20261124T090000", "20261124T093000"),
    ])
    #expect(
      lanes(week, day: 0) == ["0 540-660 0/2", "1 600-720 1/2", "2 660-690 0/2", "3 720-780 0/1"])
    #expect(lanes(week, day: 1) == ["5 540-570 0/2", "4 540-540 1/2"])
    #expect(week.days.map(\.date.day) == [23, 24, 25, 26, 27, 28, 29])
  }

  @Test("An event over midnight fills the end of one day and the start of the next")
  func midnight() throws {
    let week = try week([
      ("20261125T220000", "20261126T020000"), ("20261127T220000", "20261128T000000"),
    ])
    #expect(lanes(week, day: 2) == ["0 1320-1440 0/1"])
    #expect(lanes(week, day: 3) == ["0 0-120 0/1"])
    #expect(lanes(week, day: 4) == ["1 1320-1440 0/1"])
    #expect(week.days[5].blocks.isEmpty)
  }

  @Test("Random events never overlap within a lane")
  func randomEvents() throws {
    var random = SeededGenerator(seed: 1)
    let events = (0..<60).map { _ in
      let start = Int.random(in: 0..<1300, using: &random)
      let end = start + Int.random(in: 0..<120, using: &random)
      func text(_ minute: Int) -> String {
        let time = TimeOfDay(secondOfDay: min(minute, 1439) * 60) ?? .midnight
        return "20261126T\(time)"
      }
      return (text(start), text(end))
    }
    let blocks = try week(events).days[3].blocks
    #expect(blocks.count == 60)
    for (index, block) in blocks.enumerated() {
      #expect(block.lane < block.laneCount)
      for other in blocks[(index + 1)...] where other.lane == block.lane {
        #expect(other.start >= block.end)
      }
    }
  }
}
