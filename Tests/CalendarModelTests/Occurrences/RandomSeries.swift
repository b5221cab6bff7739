// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport

/// Content lines of events that recur in all kinds of ways, around the changes of the clocks in 2026.
struct RandomSeries {
  private static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3;COUNT=40", "FREQ=WEEKLY;BYDAY=MO,SU",
    "FREQ=HOURLY;INTERVAL=7",
    "FREQ=MONTHLY;BYDAY=-1SU", "FREQ=MONTHLY;BYMONTHDAY=29,30,31", "FREQ=YEARLY",
    "FREQ=DAILY;UNTIL=20260401T000000Z", "FREQ=MINUTELY;INTERVAL=30;COUNT=200",
    "FREQ=WEEKLY;COUNT=12;WKST=SU;INTERVAL=2",
  ]
  private static let forms = [
    ":", ";TZID=Europe/Berlin:", ";TZID=America/New_York:", ";TZID=Asia/Tokyo:", ";VALUE=DATE:",
    "UTC",
  ]
  private static let lengths = ["PT1H", "P1D", "PT36H", "P3D", "PT0S", "P1DT2H"]

  /// The components of an item.
  static func components(uid: String, _ random: inout TestSupport.SeededGenerator) -> [String] {
    let form = forms.randomElement(using: &random) ?? ":"
    let isDate = form.contains("DATE")
    let start = moment(in: 0..<200, &random)
    var lines = ["BEGIN:VEVENT", "UID:\(uid)", property("DTSTART", form, start), "SUMMARY:main"]
    lines += length(from: start, form, &random)
    let isRecurring = Int.random(in: 0..<5, using: &random) > 0
    if isRecurring {
      var rule = rules.randomElement(using: &random) ?? ""
      if isDate, rule.contains("HOURLY") || rule.contains("MINUTELY") { rule = "FREQ=DAILY" }
      lines.append("RRULE:\(rule)")
      for name in ["RDATE", "EXDATE"] where Bool.random(using: &random) {
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          // About every other one is a moment of a daily rule.
          let day = start.adding(days: Int.random(in: 0..<60, using: &random)) ?? start
          let other = moment(in: 0..<200, &random)
          lines.append(property(name, form, Bool.random(using: &random) ? day : other))
        }
      }
    }
    lines.append("END:VEVENT")
    guard isRecurring else { return lines }
    var named: Set<CivilDateTime> = []
    for number in 0..<Int.random(in: 0..<4, using: &random) {
      guard let original = start.adding(days: Int.random(in: 0..<40, using: &random)),
        named.insert(original).inserted
      else { continue }
      let isFuture = Int.random(in: 0..<3, using: &random) == 0
      let newForm = !isDate && Bool.random(using: &random) ? ";TZID=Asia/Tokyo:" : form
      let moved = original.adding(seconds: Int64.random(in: -50...50, using: &random) * 5400)
      lines += [
        "BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:override \(number)",
        property("RECURRENCE-ID\(isFuture ? ";RANGE=THISANDFUTURE" : "")", form, original),
        property("DTSTART", newForm, moved ?? original),
      ]
      lines += length(from: moved ?? original, newForm, &random)
      if Int.random(in: 0..<6, using: &random) == 0 { lines.append("STATUS:CANCELLED") }
      lines.append("END:VEVENT")
    }
    return lines
  }

  private static func moment(
    in days: Range<Int>, _ random: inout TestSupport.SeededGenerator
  ) -> CivilDateTime {
    let hour = Int.random(in: 0..<48, using: &random)
    let base = CivilDateTime(year: 2026, month: 1, day: 1, hour: 0, minute: 0)
    let seconds = Int64(days.randomElement(using: &random) ?? 0) * 86_400 + Int64(hour) * 1800
    return base?.adding(seconds: seconds) ?? CivilDateTime(.first, .midnight)
  }

  private static func length(
    from start: CivilDateTime, _ form: String, _ random: inout TestSupport.SeededGenerator
  ) -> [String] {
    let length = lengths.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return []
    case 1:
      return form.contains("DATE")
        ? ["DURATION:P\(Int.random(in: 1..<4, using: &random))D"] : ["DURATION:\(length)"]
    default:
      let seconds = Int64.random(in: 1..<200, using: &random) * 1800
      guard let end = start.adding(seconds: form.contains("DATE") ? seconds + 86_400 : seconds)
      else { return [] }
      return [property("DTEND", form, end)]
    }
  }

  private static func property(_ name: String, _ form: String, _ wall: CivilDateTime) -> String {
    if form == "UTC" { return "\(name):\(wall)Z" }
    return "\(name)\(form)\(form.contains("DATE") ? wall.date.description : wall.description)"
  }
}
