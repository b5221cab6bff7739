// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import TestSupport
import Testing

/// What the tests of this library share.
enum LanguageScene {
  /// The time zones of the system.
  static let zones = ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
}

/// The example of the landing page, which is compared with the article.
@Suite("Examples of CalendarLanguage's documentation") struct DocumentationExamples {
  @Test("The articles contain the examples that are compiled here")
  func articles() throws {
    try CatalogueExamples(of: "CalendarLanguage", in: #filePath).check()
  }

  @Test("A date, a sentence and a query")
  func landing() throws {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    // example: CalendarLanguage
    let zones = ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
    let berlin = try zones.rules(of: zones.resolve("Europe/Berlin"))
    let wednesday = try CivilDateTime(parsing: "20261125T143000")
    let phrases = DatePhrases(now: berlin.instant(of: wednesday), zone: berlin)
    print(try phrases.span("fri 9-10:30").reading)  // Fri 2026-11-27 09:00-10:30

    let split = try phrases.split(["Lunch", "tomorrow", "12:30", "for", "1h"])
    print(split.title)  // ["Lunch"]

    let query = try ItemQuery(parsing: "lunch and start>=mon", phrases: phrases)
    print(query)  // lunch and start>="Mon 2026-11-30"
    // end
    #expect(
      lines == [
        "Fri 2026-11-27 09:00-10:30", "[\"Lunch\"]", "lunch and start>=\"Mon 2026-11-30\"",
      ])
  }
}
