// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Testing

@Suite struct ICUZonesTests {
  private let database = ZoneDatabase(folders: ["/nonexistent"], fallback: ICUZones())

  @Test("Zones come from ICU if there is no folder, and the database says so")
  func fallsBack() throws {
    #expect(database.isFallback)
    #expect(database.source == "ICU \(ICU.version)")
    #expect(database.version == ICU.zoneVersion)
    #expect(database.names.count > 400)
    #expect(database.names.contains("Europe/Berlin") && !database.names.contains("IST"))
    let berlin = try database.rules(named: "europe/berlin")
    #expect(berlin.name == "Europe/Berlin")
    for (time, offset) in [
      ("18000101T000000", "+005328"), ("19450701T000000", "+0300"), ("20260115T000000", "+0100"),
      ("20260715T000000", "+0200"), ("99990701T000000", "+0200"), ("99991231T000000", "+0100"),
    ] {
      let instant = Instant(utc: try CivilDateTime(parsing: time))
      #expect(berlin.offset(at: instant).description == offset, "\(time)")
      #expect(berlin.abbreviation(at: instant) == offset)
    }
    #expect(try database.rules(named: "UTC").offset(at: Instant(secondsSinceEpoch: 0)) == .zero)
    #expect(throws: ZoneError.self) { try database.rules(named: "Mars/Olympus_Mons") }
    #expect(throws: ZoneError.self) { try database.rules(named: "IST") }
    #expect(database.canonicalName(of: "asia/tokyo") == "Asia/Tokyo")
  }

  @Test("A folder that is there is taken, and ICU is not asked")
  func folderWins() {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders, fallback: ICUZones())
    #expect(!database.isFallback)
    #expect(database.source?.hasPrefix("/") == true)
  }

  @Test("Where laws have not changed of late, ICU and the system agree on every moment since 1970")
  func agrees() throws {
    let system = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let start = Instant(secondsSinceEpoch: 0)
    let end = Instant(utc: try CivilDateTime(parsing: "22000101T000000"))
    for name in [
      "America/New_York", "Asia/Kathmandu", "Asia/Tokyo", "Australia/Lord_Howe", "Europe/Dublin",
      "Europe/London", "Pacific/Apia", "Pacific/Auckland", "America/Argentina/Buenos_Aires",
    ] {
      let rules = try database.rules(named: name)
      let found = rules.differences(
        from: try system.rules(named: name), between: start, and: end)
      #expect(found.isEmpty, "\(name): \(found.first.map { "\($0)" } ?? "")")
    }
  }
}
