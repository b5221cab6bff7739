// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct ZoneDifferenceTests {
  private let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)

  private func differences(_ one: String, _ other: String, _ start: String, _ end: String) throws
    -> [String]
  {
    try database.rules(named: one).differences(
      from: database.rules(named: other),
      between: Instant(utc: CivilDateTime(parsing: start)),
      and: Instant(utc: CivilDateTime(parsing: end))
    ).map { "\($0.start) \($0.end) \($0.offset) \($0.otherOffset)" }
  }

  @Test("Finds each stretch in which two zones do not show the same")
  func stretches() throws {
    #expect(
      try differences("Europe/London", "UTC", "20250101T000000", "20270101T000000") == [
        "20250330T010000Z 20251026T010000Z +0100 +0000",
        "20260329T010000Z 20261025T010000Z +0100 +0000",
      ])
    // The change of the one does not end a stretch in which both are as far apart as before.
    #expect(
      try differences("Europe/Berlin", "Europe/Paris", "20250101T000000", "99990101T000000") == [])
    #expect(
      try differences("Asia/Tokyo", "UTC", "20250101T000000", "20260101T000000") == [
        "20250101T000000Z 20260101T000000Z +0900 +0000"
      ])
    #expect(
      try differences("America/New_York", "Europe/London", "20260301T000000", "20260401T000000")
        == [
          "20260301T000000Z 20260308T070000Z -0500 +0000",
          "20260308T070000Z 20260329T010000Z -0400 +0000",
          "20260329T010000Z 20260401T000000Z -0400 +0100",
        ])
  }

  @Test("Changes of the name alone make no stretch")
  func joined() throws {
    // Algiers went from CET to WET and back; a fixed zone beside it differs in one stretch each time.
    let zones = try database.names.map { try database.rules(named: $0) }
    let utc = try database.rules(named: "UTC")
    let start = Instant(secondsSinceEpoch: -4_000_000_000)
    let end = Instant(secondsSinceEpoch: 4_000_000_000)
    for zone in zones {
      let found = zone.differences(from: utc, between: start, and: end)
      let isJoined = zip(found, found.dropFirst()).allSatisfy {
        $0.end < $1.start || $0.offset != $1.offset
      }
      #expect(isJoined, "\(zone.name)")
      for stretch in found {
        #expect(zone.offset(at: stretch.start) == stretch.offset)
        #expect(stretch.offset != stretch.otherOffset)
      }
    }
  }

  @Test("An empty range has no differences")
  func empty() throws {
    #expect(try differences("Asia/Tokyo", "UTC", "20260101T000000", "20260101T000000") == [])
    #expect(try differences("Asia/Tokyo", "UTC", "20260101T000000", "20250101T000000") == [])
  }
}
