// SPDX-License-Identifier: Apache-2.0

import CivilTime
import TestSupport
import Testing

/// The example of the landing page, which is compared with the article.
@Suite("Examples of CivilTime's documentation") struct DocumentationExamples {
  @Test("The articles contain the examples that are compiled here")
  func articles() throws {
    try CatalogueExamples(of: "CivilTime", in: #filePath).check()
  }

  @Test("A day and 24 hours differ where the clocks change")
  func landing() throws {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    // example: CivilTime
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let berlin = try database.rules(named: "Europe/Berlin")
    let start = try CivilDateTime(parsing: "20260328T100000")
    let day = try CivilDuration(parsing: "P1D")
    let hours = try CivilDuration(parsing: "PT24H")
    for duration in [day, hours] {
      let end = berlin.instant(of: start, adding: duration).flatMap(berlin.civil(at:))
      print(duration, end?.description ?? "after the year 9999")
    }
    // P1D 20260329T100000
    // PT24H 20260329T110000, because the clocks skip an hour in that night
    // end
    #expect(lines == ["P1D 20260329T100000", "PT24H 20260329T110000"])
  }
}
