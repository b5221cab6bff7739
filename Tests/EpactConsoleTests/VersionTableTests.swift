// SPDX-License-Identifier: Apache-2.0

import Testing
import EpactConsole

/// Versions side by side, or one below the other, within the columns of a terminal.
@Suite struct VersionTableTests {
  private static func lines(_ rows: [VersionTable.Row], columns: Int?) -> [String] {
    VersionTable(heads: ["agreed on", "here", "there"], rows: rows, columns: columns)
      .lines.map(\.plain)
  }

  private static let summary = VersionTable.Row(
    isMarked: true, title: "VEVENT: SUMMARY",
    cells: [["Dentist"], ["Dentist, with Oma and the little one"], ["Dentist (moved to Friday)"]])
  private static let location = VersionTable.Row(
    isMarked: false, title: "VEVENT: LOCATION", cells: [[], ["12 Mill Lane"], []])

  @Test func `What fits is in columns that are as wide as what stands in them`() {
    #expect(
      Self.lines([Self.summary, Self.location], columns: 120) == [
        "                    agreed on  here                                  there",
        "! VEVENT: SUMMARY   Dentist    Dentist, with Oma and the little one  Dentist (moved to Friday)",
        "  VEVENT: LOCATION  –          12 Mill Lane                          –",
      ])
  }

  @Test func `What nearly fits is broken at spaces`() {
    #expect(
      Self.lines([Self.summary, Self.location], columns: 80) == [
        "                    agreed on  here                   there",
        "! VEVENT: SUMMARY   Dentist    Dentist, with Oma and  Dentist (moved to",
        "                               the little one         Friday)",
        "  VEVENT: LOCATION  –          12 Mill Lane           –",
      ])
  }

  @Test func `Where there is no room the versions are one below the other`() {
    #expect(
      Self.lines([Self.summary, Self.location], columns: 60) == [
        "! VEVENT: SUMMARY",
        "    agreed on  Dentist",
        "    here       Dentist, with Oma and the little one",
        "    there      Dentist (moved to Friday)",
        "  VEVENT: LOCATION",
        "    agreed on  –",
        "    here       12 Mill Lane",
        "    there      –",
      ])
  }

  @Test(arguments: [20, 40, 60, 61, 79, 80, 81, 100, 120, 200])
  func `No line is wider than the terminal, if that is as wide as a word`(_ columns: Int) {
    let long = String(repeating: "käthe 🦊 ", count: 40)
    let word = String(repeating: "x", count: 300)
    let row = VersionTable.Row(
      isMarked: true, title: "VEVENT: X", cells: [[long, "b"], [word], ["\u{1B}[31m"]])
    let lines = VersionTable(heads: ["agreed on", "here", "there"], rows: [row], columns: columns)
      .lines
    for line in lines where columns >= 36 {
      #expect(DisplayWidth.of(line.plain) <= columns, "\(line.plain)")
    }
    #expect(!lines.contains { $0.plain.contains("\u{1B}") })
    let said = lines.map(\.plain).joined()
    #expect(said.count { $0 == "x" } == 300, "nothing is left out")
  }
}
