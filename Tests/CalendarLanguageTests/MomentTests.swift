// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CivilTime
import Testing

@Suite("Days and times on the command line") struct MomentTests {
  /// Each text, and the instant it means where clocks are an hour ahead; nil if it means nothing.
  static let rows: [(String, String?)] = [
    ("2026-11-01", "20261031T230000Z"), ("20261101", "20261031T230000Z"),
    ("2026-11-01T09:00:00Z", "20261101T090000Z"), ("20261101T090000Z", "20261101T090000Z"),
    ("2026-11-01t09:00:00z", "20261101T090000Z"), ("2026-11-01 09:00", "20261101T080000Z"),
    ("20261101T090000", "20261101T080000Z"), ("2026-11-01T09:00:00.25Z", "20261101T090000Z"),
    ("2026-11-01T09:00:00+02:00", "20261101T070000Z"),
    ("2026-11-01T09:00:00-0330", "20261101T123000Z"), ("20261101T0900-05:00", "20261101T140000Z"),
    ("", nil), ("today", nil), ("2026-02-30", nil), ("2026-1-1", nil), ("202611-01", nil),
    ("2026-11-01T", nil), ("2026-11-01T9:00", nil), ("2026-11-01T24:00", nil),
    ("2026-11-01T09", nil), ("2026-11-01T09:00+1", nil), ("2026-11-01T09:00+99:00", nil),
    ("2026-11-01T09:00+01:60", nil), ("2026-11-01T09:00:00.Z", nil), ("2026-11-01Z", nil),
    ("2026-11-01T09:00Zz", nil), ("2026-11-01 09:00-10:30", nil), ("20261101 0900-1030", nil),
    ("2026-11-01 09:00+10:30", "20261031T223000Z"), ("2026-11-01T09:00-10:30", "20261101T193000Z"),
    ("2026-11-01 09:00:00-10:30", "20261101T193000Z"), ("٢٠٢٦-11-01", nil),
  ]

  @Test func rows() throws {
    let offset = try #require(UTCOffset(seconds: 3600))
    let zone = ZoneRules(
      fixed: LocalTimeType(offset: offset, isDaylight: false, abbreviation: ""), name: "")
    for (text, expected) in Self.rows {
      let found = (try? Moment(parsing: text))?.instant(in: zone).description
      #expect(found == expected, "\(text)")
    }
  }
}
