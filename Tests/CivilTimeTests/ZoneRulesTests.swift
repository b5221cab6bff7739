// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct ZoneRulesTests {
  private let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)

  /// A time on the wall clock of a zone and the offsets it can have.
  struct Case: CustomTestStringConvertible {
    let zone: String
    let wall: String
    let kind: String
    let offsets: [String]

    init(_ zone: String, _ wall: String, _ kind: String, _ offsets: String...) {
      (self.zone, self.wall, self.kind, self.offsets) = (zone, wall, kind, offsets)
    }

    var testDescription: String { "\(zone) at \(wall)" }
  }

  static let cases = [
    Case("Europe/Berlin", "20260115T120000", "unique", "+0100"),
    Case("Europe/Berlin", "20260715T120000", "unique", "+0200"),
    Case("Europe/Berlin", "20260329T015959", "unique", "+0100"),
    Case("Europe/Berlin", "20260329T020000", "gap", "+0100", "+0200"),
    Case("Europe/Berlin", "20260329T025959", "gap", "+0100", "+0200"),
    Case("Europe/Berlin", "20260329T030000", "unique", "+0200"),
    Case("Europe/Berlin", "20261025T015959", "unique", "+0200"),
    Case("Europe/Berlin", "20261025T020000", "fold", "+0200", "+0100"),
    Case("Europe/Berlin", "20261025T025959", "fold", "+0200", "+0100"),
    Case("Europe/Berlin", "20261025T030000", "unique", "+0100"),
    Case("Europe/Berlin", "18930101T000000", "unique", "+005328"),
    Case("Europe/Berlin", "00010101T000000", "unique", "+005328"),
    Case("Europe/Berlin", "25000328T023000", "gap", "+0100", "+0200"),
    Case("Europe/Berlin", "99990701T000000", "unique", "+0200"),
    Case("Europe/Berlin", "99991231T235959", "unique", "+0100"),
    Case("America/New_York", "20260308T023000", "gap", "-0500", "-0400"),
    Case("America/New_York", "20261101T013000", "fold", "-0400", "-0500"),
    Case("America/New_York", "19970902T090000", "unique", "-0400"),
    Case("Pacific/Apia", "20111229T235959", "unique", "-1000"),
    Case("Pacific/Apia", "20111230T000000", "gap", "-1000", "+1400"),
    Case("Pacific/Apia", "20111230T120000", "gap", "-1000", "+1400"),
    Case("Pacific/Apia", "20111230T235959", "gap", "-1000", "+1400"),
    Case("Pacific/Apia", "20111231T000000", "unique", "+1400"),
    Case("Africa/Casablanca", "20250223T023000", "fold", "+0100", "+0000"),
    Case("Africa/Casablanca", "20250406T023000", "gap", "+0000", "+0100"),
    Case("Europe/Dublin", "20260115T120000", "unique", "+0000"),
    Case("Europe/Dublin", "20260715T120000", "unique", "+0100"),
    Case("Europe/Dublin", "20261025T013000", "fold", "+0100", "+0000"),
    Case("Australia/Lord_Howe", "20260405T014500", "fold", "+1100", "+1030"),
    Case("Australia/Lord_Howe", "20261004T021500", "gap", "+1030", "+1100"),
    Case("Australia/Lord_Howe", "20261004T023000", "unique", "+1100"),
    Case("Antarctica/Troll", "20260329T020000", "gap", "+0000", "+0200"),
    Case("Asia/Kathmandu", "19851231T235959", "unique", "+0530"),
    Case("Asia/Kathmandu", "19860101T000000", "gap", "+0530", "+0545"),
    Case("UTC", "20260329T023000", "unique", "+0000"),
    Case("Etc/GMT+5", "20260329T023000", "unique", "-0500"),
  ]

  @Test("Tells which offsets a wall clock's time can have", arguments: cases)
  func resolution(_ example: Case) throws {
    let rules = try database.rules(named: example.zone)
    let wall = try CivilDateTime(parsing: example.wall)
    let offsets = try example.offsets.map(UTCOffset.init(parsing:))
    let expected: LocalTimeResolution =
      switch example.kind {
      case "gap": .gap(before: offsets[0], after: offsets[1])
      case "fold": .fold(first: offsets[0], second: offsets[1])
      default: .unique(offsets[0])
      }
    #expect(rules.resolve(wall) == expected)
    #expect(rules.instant(of: wall) == wall.instant(at: offsets[0]))
  }

  @Test("A time that does not exist is moved by the length of the gap")
  func gapIsPassed() throws {
    let berlin = try database.rules(named: "Europe/Berlin")
    let instant = berlin.instant(of: try CivilDateTime(parsing: "20260329T023000"))
    #expect(instant.description == "20260329T013000Z")
    #expect(berlin.civil(at: instant)?.description == "20260329T033000")
  }

  @Test("Names, offsets and daylight follow the law of the zone")
  func types() throws {
    let dublin = try database.rules(named: "Europe/Dublin")
    let winter = Instant(utc: try CivilDateTime(parsing: "20260115T120000"))
    let summer = Instant(utc: try CivilDateTime(parsing: "20260715T120000"))
    // Irish law has standard time in summer and goes back in winter.
    #expect(dublin.isDaylight(at: winter) && !dublin.isDaylight(at: summer))
    #expect(dublin.abbreviation(at: winter) == "GMT" && dublin.abbreviation(at: summer) == "IST")
    let berlin = try database.rules(named: "Europe/Berlin")
    #expect(!berlin.isDaylight(at: winter) && berlin.isDaylight(at: summer))
    #expect(berlin.abbreviation(at: summer) == "CEST")
    let far = Instant(utc: try CivilDateTime(parsing: "90000715T120000"))
    #expect(berlin.localTimeType(at: far) == berlin.localTimeType(at: summer))
    #expect(berlin.offset(at: Instant(secondsSinceEpoch: .max)).description == "+0100")
    #expect(berlin.offset(at: Instant(secondsSinceEpoch: .min)).description == "+005328")
  }

  @Test("Days are added on the calendar and hours exactly")
  func durations() throws {
    let newYork = try database.rules(named: "America/New_York")
    let start = try CivilDateTime(parsing: "20260307T120000")
    for (duration, end) in [
      ("P1D", "20260308T160000Z"), ("PT24H", "20260308T170000Z"), ("P1DT1H", "20260308T170000Z"),
      ("-P1D", "20260306T170000Z"), ("P1W", "20260314T160000Z"),
    ] {
      let result = newYork.instant(of: start, adding: try CivilDuration(parsing: duration))
      #expect(result?.description == end, "\(duration)")
    }
    #expect(newYork.instant(of: start, adding: try CivilDuration(parsing: "P9999999D")) == nil)
  }

  @Test("Lists the changes of a zone, beyond the end of its table too")
  func transitions() throws {
    let berlin = try database.rules(named: "Europe/Berlin")
    for year in ["2026", "2037", "2038", "5000"] {
      let start = Instant(utc: try CivilDateTime(parsing: "\(year)0101T000000"))
      let end = Instant(utc: try CivilDateTime(parsing: "\(year)1231T000000"))
      let changes = Array(berlin.transitions(from: start, to: end))
      #expect(changes.map(\.after.abbreviation) == ["CEST", "CET"])
      #expect(changes.map(\.before.abbreviation) == ["CET", "CEST"])
      #expect(changes.first?.wallTimeBefore?.time.description == "020000")
      #expect(changes.last?.wallTimeBefore?.time.description == "030000")
    }
    let all = Array(berlin.transitions(from: Instant(secondsSinceEpoch: .min)))
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.instant < $1.instant })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.after == $1.before })
    #expect(all.count > 2 * 7900)
    let utc = try database.rules(named: "UTC")
    #expect(Array(utc.transitions(from: Instant(secondsSinceEpoch: .min))).isEmpty)
  }

  @Test("A range of changes has its start and not its end")
  func transitionRange() throws {
    let berlin = try database.rules(named: "Europe/Berlin")
    let change = Instant(utc: try CivilDateTime(parsing: "20260329T010000"))
    let next = try #require(change.adding(seconds: 1))
    #expect(Array(berlin.transitions(from: change, to: next)).map(\.instant) == [change])
    #expect(Array(berlin.transitions(from: change, to: change)).isEmpty)
    #expect(Array(berlin.transitions(from: next, to: next)).isEmpty)
  }

  @Test("Around every change of every zone, wall clocks and instants agree")
  func roundTrip() throws {
    for name in database.names {
      let rules = try database.rules(named: name)
      let end = Instant(utc: try CivilDateTime(parsing: "20500101T000000"))
      for change in rules.transitions(from: Instant(secondsSinceEpoch: .min), to: end) {
        for step in [-90_000, -1, 0, 1, 90_000] as [Int64] {
          guard let instant = change.instant.adding(seconds: step),
            let wall = rules.civil(at: instant)
          else { continue }
          let offset = rules.offset(at: instant)
          let isFound =
            switch rules.resolve(wall) {
            case .unique(let only): only == offset
            case .fold(let first, let second): first == offset || second == offset
            case .gap: false
            }
          #expect(isFound, "\(name) at \(instant): \(wall) is \(rules.resolve(wall))")
        }
      }
    }
  }

  @Test("A zone can be made of one offset")
  func fixed() throws {
    let offset = try UTCOffset(parsing: "+0530")
    let rules = ZoneRules(
      fixed: LocalTimeType(offset: offset, isDaylight: false, abbreviation: "+0530"),
      name: "+0530")
    #expect(rules.resolve(try CivilDateTime(parsing: "20260329T023000")) == .unique(offset))
    #expect(rules.finalRule == nil)
  }
}
