// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import TestSupport
import Testing

/// The example of the landing page, which is compared with the article.
@Suite("Examples of ICUServices' documentation") struct DocumentationExamples {
  @Test("The articles contain the examples that are compiled here")
  func articles() throws {
    try CatalogueExamples(of: "ICUServices", in: #filePath).check()
  }

  @Test("A charset, a Windows zone and a date in German")
  func landing() throws {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    // example: ICUServices
    let latin = Array("SUMMARY:Caf".utf8) + [0xE9]
    let charset = Charset(of: latin.span, declared: "iso-8859-1")
    var text: [UInt8] = []
    var converter = try CharsetConverter(from: charset.name)
    try converter.convert(latin.span, into: &text)
    try converter.finish(into: &text)
    print(charset.name, String(decoding: text, as: UTF8.self))  // ISO-8859-1 SUMMARY:Café

    let zones = try WindowsZones()
    let vienna = zones.zone(for: "W. Europe Standard Time", territory: "AT")
    print(vienna ?? "unknown")  // Europe/Vienna

    var dates = try LocalizedDates(locale: "de_DE")
    let day = try CivilDate(parsing: "20260401")
    print(try dates.text(day, .weekdayAndDate))  // Mittwoch, 1. April 2026
    // end
    #expect(
      lines == ["ISO-8859-1 SUMMARY:Café", "Europe/Vienna", "Mittwoch, 1. April 2026"])
  }
}
