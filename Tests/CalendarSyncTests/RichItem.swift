// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import TestSupport

/// An event with every kind of part that servers do not store.
enum RichItem {
  private static let zone = [
    "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0317", "TZOFFSETTO:+0317", "END:STANDARD", "END:VTIMEZONE",
  ]
  private static let main = [
    "DTSTART;TZID=Own:20260302T090000", "DTEND;TZID=Own:20260302T100000",
    "RRULE:FREQ=DAILY;COUNT=10", "EXDATE;TZID=Own:20260304T090000,20260305T090000",
    "SUMMARY:Lunch at the old mill", "LOCATION:hall", "DESCRIPTION;LANGUAGE=en:Bring the papers",
    "CATEGORIES:food,family", "COMMENT:one", "COMMENT:two", "ATTACH:https://example.org/map",
    "ATTENDEE;CN=Oma;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION:mailto:oma@example.org",
    "URL:https://example.org/", "X-NOTE:kept here", "SEQUENCE:0",
  ]
  private static let alarm = [
    "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:Go", "DURATION:PT1M",
    "REPEAT:2", "END:VALARM",
  ]
  private static let override = [
    "RECURRENCE-ID;TZID=Own:20260303T090000", "DTSTART;TZID=Own:20260303T110000",
    "DTEND;TZID=Own:20260303T120000", "SUMMARY:Lunch in the garden", "SEQUENCE:0",
  ]

  /// The text of the event.
  static func text(uid: String = "a") -> String {
    let head = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z"]
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"] + zone + head + main
      + alarm + ["END:VEVENT"] + head + override + ["END:VEVENT", "END:VCALENDAR"]
    return lines.map { $0 + "\r\n" }.joined()
  }

  /// The event.
  static func make(uid: String = "a") -> CalendarItem { TestItem.parse(text(uid: uid)) }

  /// The main component of an item with another value of a property, added if it has none.
  static func setting(_ name: String, to value: String?, in item: CalendarItem) -> CalendarItem {
    var lines = unfolded(item)
    guard let end = lines.firstIndex(where: { $0 == "BEGIN:VALARM" || $0 == "END:VEVENT" }),
      let start = lines.firstIndex(of: "BEGIN:VEVENT")
    else { return item }
    let line = value.map { "\(name):\($0)" }
    if let place = lines[start..<end].firstIndex(where: { $0.prefix { !":;".contains($0) } == name }
    ) {
      if let line { lines[place] = line } else { lines.remove(at: place) }
    } else if let line {
      lines.insert(line, at: end)
    }
    return TestItem.parse(lines.map { $0 + "\r\n" }.joined())
  }

  /// The content lines of an item.
  static func unfolded(_ item: CalendarItem) -> [String] {
    String(decoding: item.serialized(), as: UTF8.self).replacing("\r\n ", with: "")
      .split(separator: "\r\n").map(String.init)
  }
}
