// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Series whose main component has no start from which anything could be reckoned.
@Suite("Merging a series without a start")
struct MergeStartTests {
  /// A reminder of two days, given what is due on them.
  private static func reminder(_ first: String, _ second: String) -> CalendarItem {
    func component(_ lines: String...) -> [String] {
      ["BEGIN:VTODO", "UID:a", "DTSTAMP:20260102T030405Z"] + lines + ["END:VTODO"]
    }
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"]
      + component("DUE:20260301T\(first)Z")
      + component("RECURRENCE-ID:20260302T120000Z", "DUE:20260302T\(second)Z") + ["END:VCALENDAR"]
    return TestItem.parse(lines.map { $0 + "\r\n" }.joined())
  }

  @Test("What waits of the main component does not keep the time of an override waiting")
  func overrideGoesOn() {
    let base = Self.reminder("120000", "130000")
    let result = MergeTrio.merge().merge(
      localBase: base, remoteBase: base, local: Self.reminder("140000", "130000"),
      remote: Self.reminder("150000", "170000"))
    #expect(result.conflicts.map(\.component) == ["VTODO"])
    #expect(
      result.item.components.compactMap { $0["DUE"]?.rawValue }
        == ["20260301T140000Z", "20260302T170000Z"])
  }
}
