// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import Foundation
import TestSupport
import Testing

/// The table `Fixtures/phrases/meanings.tsv`: words whose parts belong together, with what they mean.
@Suite("Ranges and repetitions in words") struct SentenceMeaningTests {
  /// Tuesday 2026-12-01 05:22 in Berlin.
  static let now = Instant(secondsSinceEpoch: 1_796_098_920)

  static func phrases(_ locale: String, in zone: String = "Europe/Berlin") throws -> DatePhrases {
    DatePhrases(
      now: now, zone: try LanguageScene.zones.rules(of: LanguageScene.zones.resolve(zone)),
      language: try DateLanguage(locale: locale), zones: PhraseZones(LanguageScene.zones))
  }

  /// The title and the reading of words, or `refused` and the readings of the error.
  static func meaning(_ form: String, _ text: String, _ phrases: DatePhrases) -> [String] {
    do throws(DatePhraseError) {
      switch form {
      case "date": return ["", try phrases.span(text).reading]
      case "repeat":
        let rule = try phrases.repetition(text)
        return ["", rule.text ?? ""]
      case "new", "todo":
        var options = SentenceOptions()
        options.isDue = form == "todo"
        let split = try phrases.split(text.split(separator: " ").map(String.init), options)
        return [split.title.joined(separator: " "), split.reading]
      default:
        let stored = try? Moment(parsing: form)
        return ["", try phrases.timePhrase(text).span(from: stored, in: phrases.zone).reading]
      }
    } catch {
      return ["refused", error.readings.joined(separator: " | ")]
    }
  }

  @Test("Words have their meaning, or are rejected with their readings")
  func table() throws {
    let text = String(decoding: try Fixture("phrases/meanings.tsv").bytes, as: UTF8.self)
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(rows.count >= 60)
    var known: [String: DatePhrases] = [:]
    for row in rows {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 5, "\(row)")
      let phrases = try known[cells[0]] ?? Self.phrases(cells[0])
      known[cells[0]] = phrases
      let found = Self.meaning(cells[1], cells[2], phrases)
      #expect(found[0] == cells[3], "\(cells[2]): \(found[1])")
      // The readings of a rejection are compared where the table states them.
      let isStated = cells[3] != "refused" || !cells[4].isEmpty
      if isStated { #expect(found[1] == cells[4], "\(cells[2])") }
    }
  }

  @Test("A time in another zone is not over there, whatever the date of the viewer")
  func otherZones() throws {
    let phrases = try Self.phrases("en_US", in: "America/Los_Angeles")
    let words = ["Call", "10:00", "Asia/Tokyo"]
    #expect(try phrases.split(words).reading == "Wed 2026-12-02 10:00 Asia/Tokyo")
    #expect(try phrases.split(["Call", "21:00"]).reading == "Mon 2026-11-30 21:00")
  }

  @Test(
    "A word before the start alone names the start of a reminder",
    arguments: [
      ("en_US", "Taxes from friday", true), ("en_US", "Taxes starting friday", true),
      ("en_US", "Taxes friday", false), ("en_US", "Taxes by friday", false),
      ("en_US", "Taxes from friday to sunday", false), ("en_US", "Taxes daily from friday", false),
      ("de_DE", "Steuer ab Freitag", true), ("fr_FR", "Impôts à partir de vendredi", true),
      ("es_ES", "Impuestos desde el viernes", true), ("it_IT", "Tasse a partire da venerdì", true),
      ("nl_NL", "Belasting vanaf vrijdag", true), ("pl_PL", "Podatki od piątku", true),
      ("pt_PT", "Imposto a partir de sexta-feira", true),
    ])
  func starts(locale: String, text: String, isStart: Bool) throws {
    var options = SentenceOptions()
    options.isDue = true
    let words = text.split(separator: " ").map(String.init)
    let split = try Self.phrases(locale).split(words, options)
    #expect(split.isStart == isStart)
    #expect(split.title == Array(words.prefix(1)))
  }

  @Test("The end of a rule is not stated beside it again")
  func endOfRule() throws {
    let phrases = try Self.phrases("en_US")
    for rule in ["FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;UNTIL=20261224"] {
      #expect(throws: DatePhraseError.self) {
        try phrases.repetition(rule, until: Moment(parsing: "20261231"))
      }
      #expect(throws: DatePhraseError.self) { try phrases.repetition(rule, count: 4) }
      #expect(try phrases.repetition(rule).text == rule)
    }
    #expect(try phrases.repetition("FREQ=DAILY", count: 4).count == 4)
  }

  @Test("The readings of a rejection are phrases with different meanings")
  func readings() throws {
    let text = String(decoding: try Fixture("phrases/meanings.tsv").bytes, as: UTF8.self)
    for row in text.split(separator: "\n") where !row.hasPrefix("#") {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 5, cells[3] == "refused", !cells[4].isEmpty else { continue }
      let phrases = try Self.phrases(cells[0])
      var meanings: Set<[String]> = []
      let readings = cells[4].components(separatedBy: " | ")
      for reading in readings {
        let found = Self.meaning("new", "x \(reading)", phrases)
        #expect(found[0] == "x", "\(cells[2]): \(reading) \(found)")
        meanings.insert(found)
      }
      #expect(meanings.count == readings.count, "\(cells[2])")
    }
  }
}
