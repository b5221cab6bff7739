// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import Foundation
import TestSupport
import Testing

/// The tables in `Fixtures/phrases`, their readings, and random texts.
@Suite("Dates as people write them") struct DatePhraseTests {
  /// A line of a table: a phrase with its reading, or with its error after `!`.
  struct Row {
    let phrase: String
    let expected: String
  }

  static let locales = ["en_US", "de_DE", "fr_FR"]

  /// Wednesday 2026-11-25 14:37:20 in Berlin.
  static let now = Instant(secondsSinceEpoch: 1_795_613_840)

  static func phrases(_ locale: String?, now: Instant = now) throws -> DatePhrases {
    let zone = try LanguageScene.zones.rules(of: LanguageScene.zones.resolve("Europe/Berlin"))
    let language = try locale.map { try DateLanguage(locale: $0) } ?? .english
    return DatePhrases(now: now, zone: zone, language: language)
  }

  static func rows(_ locale: String) throws -> [Row] {
    let text = String(decoding: try Fixture("phrases/\(locale).txt").bytes, as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      guard let arrow = line.firstRange(of: " => ") else { return nil }
      return Row(
        phrase: line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces),
        expected: String(line[arrow.upperBound...]))
    }
  }

  @Test("Each phrase has its reading, or its error", arguments: locales)
  func readings(locale: String) throws {
    let phrases = try Self.phrases(locale)
    for row in try Self.rows(locale) {
      var found = ""
      do throws(DatePhraseError) {
        found = try phrases.span(row.phrase).reading
      } catch {
        found = "!\(Self.name(of: error.code)) \(error.column) \(error.message)"
      }
      #expect(found == row.expected, "\(row.phrase)")
    }
  }

  @Test("The tables have at least 300 phrases")
  func size() throws {
    let counts = try Self.locales.map { try Self.rows($0).count }
    #expect(counts.reduce(0, +) >= 300)
  }

  @Test("A reading is a phrase with the same meaning, at any time and in any language")
  func readingsParse() throws {
    let later = Instant(secondsSinceEpoch: Self.now.secondsSinceEpoch + 12_345_678)
    let others = [try Self.phrases("fr_FR"), try Self.phrases(nil, now: later)]
    for locale in Self.locales {
      let phrases = try Self.phrases(locale)
      for row in try Self.rows(locale) where !row.expected.hasPrefix("!") {
        let span = try phrases.span(row.phrase)
        for other in others { #expect(try other.span(span.reading) == span, "\(row.phrase)") }
        #expect(try others[0].moment(phrases.reading(of: span.start)) == span.start)
      }
    }
  }

  @Test("A moment is the start of a phrase without an end of its own")
  func moments() throws {
    let phrases = try Self.phrases(nil)
    #expect(phrases.reading(of: try phrases.moment("next week")) == "Mon 2026-11-30")
    #expect(try phrases.moment("20261201T090000Z") == Moment(parsing: "20261201T090000Z"))
    #expect(try phrases.moment("2026-12-01") == Moment(parsing: "2026-12-01"))
    for (text, column) in [("fri 9-10:30", 7), ("fri 9:00 for 1h", 14), ("mon..fri", 6)] {
      do throws(DatePhraseError) {
        let moment = try phrases.moment(text)
        Issue.record("\(text): \(moment)")
      } catch {
        #expect(error.code == .notSingle)
        #expect(error.column == column, "\(text)")
      }
    }
  }

  @Test("An ambiguous date has its readings, which are phrases")
  func ambiguity() throws {
    let phrases = try Self.phrases("fr_FR")
    for text in ["11/12", "11/12/2026", "11.12", "mar"] {
      do throws(DatePhraseError) {
        _ = try phrases.span(text)
        Issue.record("\(text) is accepted")
      } catch {
        #expect(error.readings.count == 2)
        let spans = Set(error.readings.compactMap { try? phrases.span($0) })
        #expect(spans.count == 2, "\(error.readings)")
      }
    }
  }

  @Test("A span has its instants in the viewer's zone")
  func ranges() throws {
    let phrases = try Self.phrases(nil)
    let day = try phrases.span("28.3.2027")
    #expect(day.isAllDay)
    let range = day.range(in: phrases.zone)
    // The clocks skip an hour on that day.
    let length = range.upperBound.secondsSinceEpoch - range.lowerBound.secondsSinceEpoch
    #expect(length == 23 * 3600)
    #expect(try phrases.span("15:00").range(in: phrases.zone).isEmpty)
  }

  @Test("Texts beyond the limit are rejected, and long ones are parsed in no time")
  func limits() throws {
    let phrases = try Self.phrases("de_DE")
    let long = String(repeating: "mon ", count: 1000)
    #expect(throws: DatePhraseError.self) { try phrases.span(long) }
    #expect(throws: DatePhraseError.self) { try phrases.moment(long) }
    let words = Array(repeating: "tomorrow", count: 400)
    #expect(throws: DatePhraseError.self) { try phrases.split(words) }
    let title = Array(repeating: "title", count: 4000)
    #expect(try phrases.split(title + ["tomorrow"]).title == title)
  }

  @Test("Now is a whole minute in the words of an item, and exact elsewhere")
  func wholeMinute() throws {
    let now = Instant(secondsSinceEpoch: 1_796_100_697)  // 2026-12-01 05:51:37 in Berlin
    let phrases = try Self.phrases(nil, now: now)
    #expect(
      try phrases.split(["Call", "now"]).span?.start.instant(in: phrases.zone).secondsSinceEpoch
        == 1_796_100_660)
    #expect(try phrases.moment("now").instant(in: phrases.zone) == now)
  }

  @Test("Random texts never trap, and what they mean survives its reading")
  func randomTexts() throws {
    let parts = [
      "today", "fri", "next", "last", "week", "dec", "december", "in", "ago", "for", "at", "on",
      "to",
      "noon", "now", "a", "the", "h", "m", "d", "w", "mo", "y", "pm", "am", "p", "t", "z", "uhr",
      "morgen", "vor", "Stunden", "la", "prochaine", "1", "2", "9", "11", "12", "24", "30", "31",
      "59", "60", "100", "2026", "9999", "0000", "20261211", "999999999", "1000000000000", "+", "-",
      ".", "..", "/", ":", ",", "@", "…", "–", " ", "  ", "年", "月", "日", "\u{301}", "\"", "é",
    ]
    let all = try Self.locales.map { try Self.phrases($0) }
    forAll(4000) { random in
      let count = Int.random(in: 1...10, using: &random)
      let isSpaced = Bool.random(using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined(separator: isSpaced ? " " : "")
      let phrases = all.randomElement(using: &random) ?? all[0]
      guard let span = try? phrases.span(text) else { return }
      let again = try phrases.span(span.reading)
      guard again == span else { throw Failure(text: text, reading: span.reading) }
    }
  }

  private struct Failure: Error {
    let text: String
    let reading: String
  }

  private static func name(of code: DatePhraseError.Code) -> String {
    switch code {
    case .syntax: "syntax"
    case .ambiguous: "ambiguous"
    case .invalid: "invalid"
    case .notSingle: "notSingle"
    case .unread: "unread"
    default: "tooLong"
    }
  }
}

/// Titles with a date among the words.
@Suite("Words with a date phrase") struct PhraseSplitTests {
  /// The words, the title, and the reading of the date; nil without one.
  static let rows: [(String, String, String?)] = [
    ("Lunch|tomorrow|12:30", "Lunch", "Thu 2026-11-26 12:30"),
    ("Lunch with Ana|tomorrow|12:30|for|1h", "Lunch with Ana", "Thu 2026-11-26 12:30-13:30"),
    ("tomorrow 12:30|Lunch", "Lunch", "Thu 2026-11-26 12:30"),
    ("Call|Ben|in|2|hours", "Call|Ben", "Wed 2026-11-25 16:37"),
    ("Call|Ben|on|friday|at|9", "Call|Ben", "Fri 2026-11-27 09:00"),
    ("Holiday|mon..fri", "Holiday", "Mon 2026-11-30..Fri 2026-12-04"),
    ("Lunch", "Lunch", nil), ("Read|may", "Read|may", nil), ("Chapter|9-10", "Chapter|9-10", nil),
    ("Release|3.4", "Release|3.4", nil), ("", "", nil),
    ("Buy sun cream|fri", "Buy sun cream", "Fri 2026-11-27"),
    ("2030-08-05..2030-08-09|In Lisbon", "In Lisbon", "Mon 2030-08-05..Fri 2030-08-09"),
    ("2030-08-05|Lisbon", "Lisbon", "Mon 2030-08-05"),
    ("Plan next week|tomorrow|9:00", "Plan next week", "Thu 2026-11-26 09:00"),
  ]

  @Test("The longest runs of words are the date, and the rest is the title")
  func rows() throws {
    let phrases = try DatePhraseTests.phrases("en_US")
    for (words, title, reading) in Self.rows {
      let split = try phrases.split(words.split(separator: "|").map(String.init))
      #expect(split.title.joined(separator: "|") == title)
      #expect(split.span?.reading == reading)
    }
  }

  @Test("A date that is ambiguous or does not exist is no part of the title")
  func errors() throws {
    let phrases = try DatePhraseTests.phrases("en_US")
    for words in [
      "Plan|next|week|tomorrow|9:00", "Lunch|11/12", "Lunch|fri|11/12|9:00", "Lunch|31.2.|9:00",
      "Lunch|25:00", "2026-02-30|Lunch",
    ] {
      #expect(throws: DatePhraseError.self, "\(words)") {
        try phrases.split(words.split(separator: "|").map(String.init))
      }
    }
  }
}
