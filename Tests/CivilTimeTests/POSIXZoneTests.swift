// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct POSIXZoneTests {
  /// A footer and the changes it makes in a year, or the error in it.
  struct Case: CustomTestStringConvertible {
    let footer: String
    let year: String
    let changes: [String]

    init(_ footer: String, in year: String, _ changes: String...) {
      (self.footer, self.year, self.changes) = (footer, year, changes)
    }

    var testDescription: String { "\(footer) in \(year)" }
  }

  static let cases = [
    Case("UTC0", in: "2026"),
    Case("<+0530>-5:30", in: "2026"),
    Case(
      "CET-1CEST,M3.5.0,M10.5.0/3", in: "2026", "20260329T010000Z +0200", "20261025T010000Z +0100"),
    Case(
      "EST5EDT,M3.2.0,M11.1.0", in: "2026", "20260308T070000Z -0400", "20261101T060000Z -0500"),
    Case(
      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", in: "2026",
      "20260404T150000Z +1030", "20261003T153000Z +1100"),
    Case(
      "IST-1GMT0,M10.5.0,M3.5.0/1", in: "2026", "20260329T010000Z +0100", "20261025T010000Z +0000"),
    Case(
      "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", in: "2026",
      "20260329T010000Z -0100", "20261025T010000Z -0200"),
    Case(
      "EET-2EEST,M4.5.5/0,M10.5.4/24", in: "2026",
      "20260423T220000Z +0300", "20261029T210000Z +0200"),
    Case(
      "EET-2EEST,M3.4.4/50,M10.4.4/50", in: "2026",
      "20260328T000000Z +0300", "20261023T230000Z +0200"),
    Case(
      "AAA3BBB,J60/0,J365/0", in: "2024", "20240301T030000Z -0200", "20241231T020000Z -0300"),
    Case(
      "AAA3BBB,59/0,365/0", in: "2024", "20240101T020000Z -0300", "20240229T030000Z -0200",
      "20241231T020000Z -0300"),
    // A change that is a week away from its day, in another year than it (RFC 9636 §3.3.1).
    Case(
      "AAA0BBB,J1/-167,J180/0", in: "2026", "20260628T230000Z +0000", "20261225T010000Z +0100"),
    // Daylight saving time all year long, as RFC 9636 §3.3.1 shows it.
    Case("XXX3EDT4,0/0,J365/23", in: "2026"),
  ]

  @Test("Changes the clocks as the footer says", arguments: cases)
  func changes(_ example: Case) throws {
    let rules = try ZoneRules(tzif: TZifFile(footer: example.footer).bytes.span, name: "Test/Zone")
    let start = Instant(utc: try CivilDateTime(parsing: "\(example.year)0101T000000"))
    let end = Instant(utc: try CivilDateTime(parsing: "\(example.year)1231T235959"))
    let changes = rules.transitions(from: start, to: end)
    #expect(changes.map { "\($0.instant) \($0.after.offset)" } == example.changes)
  }

  @Test("Daylight saving time can last all year")
  func allYear() throws {
    let file = TZifFile(footer: "XXX3EDT4,0/0,J365/23")
    let rules = try ZoneRules(tzif: file.bytes.span, name: "Test/Zone")
    for text in ["20260101T000000", "20260701T000000", "20261231T235959", "20270101T030000"] {
      let type = rules.localTimeType(at: Instant(utc: try CivilDateTime(parsing: text)))
      #expect(type.abbreviation == "EDT" && type.isDaylight)
    }
  }

  @Test(
    "Refuses what is no footer and says where",
    arguments: [
      ("CE-1", "byte 111: expected a zone's name of three letters or more, found \"-\""),
      ("CET", "byte 112: expected an hour from 0 through 24, found the end of the value"),
      ("CET25", "byte 112: expected an hour from 0 through 24, found \"25\""),
      ("<+03-3", "byte 115: expected \">\", found the end of the value"),
      ("CET-1CEST", "byte 118: expected \",\" and a day of change, found the end of the value"),
      ("CET-1CEST,M13.1.0,M1.1.0", "byte 120: expected a month from 1 through 12, found \"13\""),
      ("CET-1CEST,M3.6.0,M1.1.0", "byte 122: expected a week from 1 through 5, found \"6\""),
      ("CET-1CEST,M3.5.7,M1.1.0", "byte 124: expected a weekday from 0 through 6, found \"7\""),
      ("CET-1CEST,M3-5", "byte 121: expected \".\", found \"-\""),
      ("CET-1CEST,J0,J1", "byte 120: expected a day from 1 through 365, found \"0\""),
      ("CET-1CEST,366,1", "byte 119: expected a day from 0 through 365, found \"366\""),
      (
        "CET-1CEST,M3.5.0/168,1",
        "byte 126: expected an hour from 0 through 167, found \"168\""
      ),
      ("CET-1CEST,1,2,3", "byte 122: expected the end of the value, found \",3\""),
    ])
  func malformed(footer: String, message: String) {
    let file = TZifFile(footer: footer)
    let error = #expect(throws: ZoneError.self) {
      try ZoneRules(tzif: file.bytes.span, name: "Test/Zone")
    }
    #expect(error?.code == .malformedFile)
    #expect(error?.message == message)
  }
}
