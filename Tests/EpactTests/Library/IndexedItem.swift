// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import TestSupport

/// Items of many forms, around the same time.
enum IndexedItem {
  /// The first of January 2026.
  static let start: Int64 = 1_767_225_600

  static func random(_ number: Int, _ random: inout SeededGenerator) -> CalendarItem {
    let kind: ItemKind = Int.random(in: 0..<4, using: &random) == 0 ? .reminder : .event
    let form = Int.random(in: 0..<5, using: &random)
    let day = Int.random(in: 0..<700, using: &random)
    var lines = ["DTSTART" + time(day, form, &random)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let later = day + Int.random(in: 0...30, using: &random)
      lines.append((kind == .event ? "DTEND" : "DUE") + time(later, form, &random))
    case 1: lines.append("DURATION:P\(Int.random(in: 1...60, using: &random))D")
    default: break
    }
    var overrides: [[String]] = []
    if Bool.random(using: &random) {
      lines.append("RRULE:" + rule(day, form, &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        let range = Bool.random(using: &random) ? ";RANGE=THISANDFUTURE" : ""
        let start = lines[0].dropFirst("DTSTART".count)
        overrides.append([
          "RECURRENCE-ID\(range)\(start)",
          "DTSTART" + time(day + Int.random(in: -90...90, using: &random), form, &random),
        ])
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      lines.append("RDATE" + time(day + Int.random(in: -200...900, using: &random), form, &random))
    }
    // A reminder may have only a due time.
    if kind == .reminder, lines.count == 1, Bool.random(using: &random) {
      lines[0] = "DUE" + lines[0].dropFirst("DTSTART".count)
    }
    let parts = ([lines] + overrides).enumerated().flatMap { place, lines in
      [
        "BEGIN:\(kind.rawValue)", "UID:item-\(number)", "DTSTAMP:20260101T000000Z",
        "SUMMARY:\(place == 0 ? "Item" : "Changed") \(number)",
      ] + lines + ["END:\(kind.rawValue)"]
    }
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"] + parts
      + ["END:VCALENDAR"]
    return TestItem.parse(text.map { $0 + "\r\n" }.joined())
  }

  private static func rule(
    _ day: Int, _ form: Int, _ random: inout SeededGenerator
  ) -> String {
    let frequency =
      ["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY"].randomElement(using: &random) ?? "DAILY"
    var rule = "FREQ=\(frequency);INTERVAL=\(Int.random(in: 1...13, using: &random))"
    if Int.random(in: 0..<3, using: &random) == 0 {
      rule +=
        [";BYDAY=MO,SU", ";BYMONTHDAY=31", ";BYMONTH=2;BYMONTHDAY=29", ";BYSETPOS=1;BYDAY=FR"]
        .randomElement(using: &random) ?? ""
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: rule += ";COUNT=\(Int.random(in: 1...12, using: &random))"
    case 1:
      let until = time(day + Int.random(in: -10...900, using: &random), form == 0 ? 0 : 1, &random)
      rule += ";UNTIL=" + (until.split(separator: ":").last ?? "")
    default: break
    }
    return rule
  }

  private static func time(_ day: Int, _ form: Int, _ random: inout SeededGenerator) -> String {
    let instant = Instant(secondsSinceEpoch: start + Int64(day) * 86_400)
    let date = instant.civil().map { "\($0.date)" } ?? ""
    let hour = Int.random(in: 0...23, using: &random)
    let time = "\(date)T\(hour < 10 ? "0" : "")\(hour)0000"
    switch form {
    case 0: return ";VALUE=DATE:\(date)"
    case 1: return ":\(time)Z"
    case 2: return ":\(time)"
    case 3: return ";TZID=Pacific/Kiritimati:\(time)"
    default: return ";TZID=America/Los_Angeles:\(time)"
    }
  }
}
