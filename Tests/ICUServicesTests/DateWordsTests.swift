// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Testing

@Suite("Words for dates") struct DateWordsTests {
  /// A locale with some of its words.
  static let rows: [(locale: String, words: [DateWords])] = [
    (
      "de_DE",
      [
        DateWords(.day(1), "morgen"), DateWords(.day(2), "übermorgen"), DateWords(.now, "jetzt"),
        DateWords(.weekday(.friday), "Freitag"), DateWords(.weekday(.friday), "Fr"),
        DateWords(.month(3), "März"), DateWords(.period(.week, 1), "nächste Woche"),
        DateWords(.nearWeekday(.monday, -1), "letzten Montag"), DateWords(.hour, "15 Uhr"),
        DateWords(.distance(.hour, 2), "in 2 Stunden"),
        DateWords(.distance(.day, -5), "vor 5 Tagen"),
      ]
    ),
    (
      "fr_FR",
      [
        DateWords(.day(-1), "hier"), DateWords(.day(2), "après-demain"),
        DateWords(.weekday(.tuesday), "mar."), DateWords(.month(12), "déc."),
        DateWords(.period(.month, -1), "le mois dernier"), DateWords(.hour, "15 h"),
      ]
    ),
    (
      "en_US",
      [
        DateWords(.half(isAfternoon: true), "PM"), DateWords(.weekday(.sunday), "Sunday"),
        DateWords(.period(.year, 0), "this year"), DateWords(.distance(.week, -1), "1 week ago"),
      ]
    ),
    // The digits are those of ASCII in every language.
    ("ar_EG", [DateWords(.day(0), "اليوم"), DateWords(.distance(.day, 11), "خلال 11 يومًا")]),
  ]

  @Test("Each language has its words")
  func words() throws {
    for row in Self.rows {
      let all = try DateWords.all(locale: row.locale)
      for word in row.words { #expect(all.contains(word), "\(row.locale): \(word)") }
    }
  }

  @Test("An unknown locale has the words of a known one")
  func unknown() throws {
    #expect(try DateWords.all(locale: "nonsense").contains(DateWords(.weekday(.monday), "Monday")))
  }
}
