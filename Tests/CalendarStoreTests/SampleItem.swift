// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Testing

/// Texts of items for tests.
enum SampleItem {
  /// An event as the lines of a VEVENT.
  static func event(
    _ uid: String, _ summary: String = "Lunch", extra: [String] = []
  ) -> [String] {
    ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z", "DTSTART:20260301T120000Z"]
      + ["SUMMARY:\(summary)"] + extra + ["END:VEVENT"]
  }

  /// A calendar around components.
  static func calendar(_ components: [String]..., properties: [String] = []) -> [String] {
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"] + properties
      + components.flatMap { $0 } + ["END:VCALENDAR"]
  }

  /// The definition of a time zone.
  static func zone(_ name: String, offset: String = "+0100") -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:19700101T000000"]
      + ["TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE"]
  }

  /// An event that starts at noon in a time zone.
  static func event(_ uid: String, in zone: String) -> [String] {
    [
      "BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z",
      "DTSTART;TZID=\(zone):20260301T120000",
      "END:VEVENT",
    ]
  }

  static func bytes(_ lines: [String]) -> [UInt8] {
    Array(lines.map { $0 + "\r\n" }.joined().utf8)
  }

  static func item(_ components: [String]...) throws -> CalendarItem {
    try CalendarItem(parsing: bytes(calendar(components.flatMap { $0 })))
  }
}

extension LocalListing {
  /// The UIDs of the items, in order.
  var uids: [String] { entries.map(\.item.uid.rawValue) }

  /// The item of a UID, which must be there.
  func entry(_ uid: String) throws -> LocalEntry {
    try #require(entries.first { $0.item.uid.rawValue == uid })
  }
}

extension LocalOutcome {
  /// The revision that a change led to, or nil if it was not made or was a deletion.
  var revision: Revision? {
    if case .done(_, let revision) = self { revision } else { nil }
  }

  /// Whether the change was made.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}
