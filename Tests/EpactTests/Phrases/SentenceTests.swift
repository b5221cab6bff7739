// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

/// The tables `Fixtures/phrases/sentences-*.tsv`: words of a command line with what they mean.
@Suite("Sentences of a title and a date") struct SentenceTests {
  /// Thursday 2026-11-26 14:00 in Berlin.
  static let now = Instant(secondsSinceEpoch: 1_795_698_000)

  /// What words mean; nil if they are rejected.
  struct Meaning: Equatable {
    var title: String
    var span: DateSpan
    var rule: String
    var zone: String
  }

  @Test(
    "A duration is read in the words of the language",
    arguments: [
      ("de_DE", "2 Stunden", "2h"), ("de_DE", "zwei Stunden", "2h"), ("de_DE", "45 Minuten", "45m"),
      ("fr_FR", "2 heures", "2h"), ("en_GB", "1h30m", "1h30m"), ("en_GB", "an hour", "1h"),
      ("en_GB", "3 days", "3d"), ("de_DE", "2 Katzen", nil), ("en_GB", "2h tomorrow", nil),
    ])
  func durations(locale: String, text: String, expected: String?) throws {
    var machine = Machine.live()
    machine.environment = ["LC_ALL": locale]
    let dates = try DateReading(machine: machine, viewer: machine.viewerZone("Europe/Berlin"))
    let length = dates.duration(text).map { Int($0.nominalDays) * 86_400 + Int($0.exactSeconds) }
    let wanted = expected.flatMap { DurationText.duration($0) }.map {
      Int($0.nominalDays) * 86_400 + Int($0.exactSeconds)
    }
    #expect(length == wanted)
  }

  /// Sunday 2026-11-29 20:00 in Berlin.
  static let sunday = Instant(secondsSinceEpoch: 1_795_978_800)

  static func phrases(_ locale: String, _ now: Instant = now) throws -> DatePhrases {
    let machine = Machine.live()
    return DatePhrases(
      now: now, zone: try machine.viewerZone("Europe/Berlin"),
      language: try DateLanguage(locale: locale), zones: PhraseZones(machine.zoneResolver))
  }

  static func rows(_ name: String) throws -> [[String]] {
    let text = String(decoding: try Fixture("phrases/\(name).tsv").bytes, as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The meaning of words; nil if they are rejected, or have no title or no date.
  static func meaning(_ words: [String], _ phrases: DatePhrases) -> Meaning? {
    var command = CommandWords(words)
    if let start = command.start {
      let title = command.words.joined(separator: " ")
      return (try? phrases.span(start)).map { Meaning(title: title, span: $0, rule: "", zone: "") }
    }
    guard let options = command.options(phrases),
      let split = try? phrases.split(command.words, options),
      !split.title.isEmpty, let span = split.span
    else { return nil }
    var rule = ""
    if let repetition = split.repetition {
      let day = EventTime.date(span.start.day(in: phrases.zone))
      guard
        let parsed = try? repetition.rule(
          for: day, [], instant: { $0.instant(in: phrases.zone) })
      else { return nil }
      rule = "\(parsed)"
    }
    return Meaning(
      title: split.title.joined(separator: " "), span: span, rule: rule, zone: split.zone ?? "")
  }

  @Test("Each form of the grammar has its reading in each language")
  func grammar() throws {
    let rows = try Self.rows("sentences-grammar")
    #expect(rows.count >= 170)
    var known: [String: DatePhrases] = [:]
    for row in rows {
      let phrases = try known[row[0]] ?? Self.phrases(row[0])
      known[row[0]] = phrases
      let found = Self.meaning(CommandWords.shell(row[1]), phrases)
      let fields = row + Array(repeating: "", count: max(0, 6 - row.count))
      guard row[2] != "refused" else {
        #expect(found == nil, "\(row[0]) \(row[1])")
        continue
      }
      #expect(found?.title == fields[2], "\(row[0]) \(row[1])")
      #expect(found?.span.reading == fields[3], "\(row[0]) \(row[1])")
      #expect(found?.rule == fields[4], "\(row[0]) \(row[1])")
      #expect(found?.zone == fields[5], "\(row[0]) \(row[1])")
    }
  }

  @Test(
    "Sentences have one of their right readings, or are rejected where that is right",
    arguments: [("sentences-everyday", 750), ("sentences-words", 780)])
  func everyday(table: String, size: Int) throws {
    let rows = try Self.rows(table)
    #expect(rows.count >= size)
    var known: [String: DatePhrases] = [:]
    for row in rows {
      let phrases = try known[row[1]] ?? Self.phrases(row[1])
      known[row[1]] = phrases
      let found = Self.meaning(CommandWords.shell(row[2]), phrases)
      let isRight = row[3].components(separatedBy: " | ").contains { reading in
        EverydayReading(reading).fits(found, phrases.zone)
      }
      #expect(isRight, "\(row[0]) \(row[2]): \(found.map { "\($0)" } ?? "refused")")
    }
  }

  @Test("Words of time of everyday language are read or rejected, and titles stay")
  func undatedTable() throws {
    let rows = try Self.rows("undated")
    #expect(rows.count >= 480)
    #expect(rows.count { $0.count > 4 } <= 25)
    var known: [String: DatePhrases] = [:]
    for row in rows where row.count == 4 {
      let phrases = try known[row[1]] ?? Self.phrases(row[1], Self.sunday)
      known[row[1]] = phrases
      let words = CommandWords.shell(row[2])
      var options = SentenceOptions()
      options.isDue = true
      guard let split = try? phrases.split(words, options) else {
        #expect(row[3] != "title", "\(row[0]) \(row[2])")
        continue
      }
      let expected = row[3].split(separator: " ").map(String.init)
      guard expected[0] != "title" else {
        #expect(split.title == words && split.span == nil, "\(row[0]) \(row[2])")
        continue
      }
      let reading = try #require(split.span?.reading, "\(row[0]) \(row[2])")
      #expect(split.title != words, "\(row[0]) \(row[2])")
      guard expected[0] == "due" else { continue }
      let days = reading.matches(of: /\d{4}-\d\d-\d\d/).map { String($0.output) }
      #expect(days.last == expected[1], "\(row[0]) \(row[2]): \(reading)")
      if expected.count > 2 { #expect(reading.hasSuffix(expected[2]), "\(row[0]): \(reading)") }
    }
  }

  @Test(
    "A short weekday at an end of a sentence may be a day",
    arguments: [
      ("de_DE", "Wäsche Sa", true), ("de_DE", "Arzt anrufen Mo 10", true),
      ("de_DE", "Wäsche Mi abend", true), ("de_DE", "Mo Müll raus", true),
      ("de_DE", "So ein Buch kaufen", false), ("de_DE", "Do it yourself", false),
      ("fr_FR", "Lessive sam", true), ("fr_FR", "Balade en bord de mer", false),
      ("fr_FR", "Acheter un jeu", false), ("it_IT", "Chiamare la banca mar", true),
      ("en_GB", "Vitamin D", false),
    ])
  func shortDay(locale: String, text: String, isRefused: Bool) throws {
    var options = SentenceOptions()
    options.isDue = true
    let split = try? Self.phrases(locale, Self.sunday).split(CommandWords.shell(text), options)
    #expect((split == nil) == isRefused)
    if !isRefused { #expect(split?.span == nil) }
  }

  @Test(
    "A time zone may be meant for the end alone if it follows the end of a range",
    arguments: [
      ("Call tomorrow 9:00 - 10:00 America/New_York", "10:00 America/New_York"),
      ("Call tomorrow America/New_York 9:00 - 10:00", nil),
      ("America/New_York tomorrow 9:00 - 10:00 Call", nil),
      ("Call tomorrow 9:00 America/New_York", nil),
    ])
  func zoneOfEnd(text: String, expected: String?) throws {
    let split = try Self.phrases("en_GB", Self.sunday).split(
      CommandWords.shell(text), SentenceOptions())
    #expect(split.zone == "America/New_York")
    #expect(split.zonedEnd == expected)
  }

  @Test(
    "Without a date, words of time are no part of a title either",
    arguments: [
      ("en_GB", "Buy milk tomorow"), ("en_GB", "Buy milk fridya"), ("en_GB", "Pay within 3 days"),
      ("en_GB", "Pay within a fortnight"), ("en_GB", "Pay end of week"), ("en_GB", "Renew in 2027"),
      ("en_GB", "Wrap gifts by christmas"), ("en_GB", "Wrap gifts christmas"),
      ("de_DE", "Steuer bis Ende der Woche"), ("en_GB", "Pay last working day of the month"),
      ("de_DE", "Steuer Feitag"), ("fr_FR", "Ménage vendrdi"),
      ("es_ES", "Limpiar el fin de semana"), ("it_IT", "Pulire venedrì"),
      ("nl_NL", "Poetsen vrjidag"), ("pt_PT", "Limpar amnahã"), ("pl_PL", "Sprzątanie piatke"),
      ("en_GB", "Renew passport in march"), ("en_GB", "Plan trip next march"),
      ("en_GB", "Pay 15th of the month"), ("en_GB", "Pay first of the month"),
      ("en_GB", "Essay 15th to 20th"), ("en_GB", "Plan week 50"), ("fr_FR", "Loyer en mars"),
      ("fr_FR", "Payer le loyer tous les 5 du mois"), ("es_ES", "Pagar cada 5 del mes"),
      ("de_DE", "Lohn zum 1."), ("de_DE", "Lohn am Monatsletzten"), ("pl_PL", "Czynsz do 5."),
    ])
  func undated(locale: String, text: String) throws {
    var options = SentenceOptions()
    options.isDue = true
    let phrases = try Self.phrases(locale)
    #expect(throws: DatePhraseError.self) {
      try phrases.split(CommandWords.shell(text), options)
    }
    // The same words in quotation marks are a title.
    #expect(try phrases.split([text], options).title == [text])
  }

  @Test(
    "Titles without a date keep words that only look like time",
    arguments: [
      ("en_GB", "Buy christmas presents"), ("en_GB", "Read chapter 9-10"), ("en_GB", "Call Marie"),
      ("en_GB", "Buy an all day pass"), ("en_GB", "Last working day checklist"),
      ("en_GB", "Summer school 2027 brochure"),
      ("de_DE", "Weihnachten planen mit Anna"), ("fr_FR", "Aller au marché"),
      ("es_ES", "Comprar regalos de navidad para Ana"),
    ])
  func titles(locale: String, text: String) throws {
    var options = SentenceOptions()
    options.isDue = true
    let split = try Self.phrases(locale).split(CommandWords.shell(text), options)
    #expect(split.title.joined(separator: " ") == text)
    #expect(split.span == nil)
  }

  @Test("A reminder is due on the first day of a period, or on the last one of a period that began")
  func periods() throws {
    var options = SentenceOptions()
    options.isDue = true
    let phrases = try Self.phrases("en_GB")
    for (text, reading) in [
      ("Buy milk this week", "Sun 2026-11-29"), ("Buy milk this month", "Mon 2026-11-30"),
      ("Buy milk this year", "Thu 2026-12-31"), ("Buy milk this weekend", "Sat 2026-11-28"),
      ("Renew next month", "Tue 2026-12-01"),
    ] {
      let span = try phrases.split(CommandWords.shell(text), options).span
      #expect(span?.reading.hasPrefix(reading) == true, "\(text): \(span?.reading ?? "")")
    }
  }

  @Test("A word of time that is left over is an error with the reading of the others")
  func leftovers() throws {
    let phrases = try Self.phrases("en_GB")
    for (words, word) in [
      ("Lunch tomorrow 12", "12"), ("Visit tomorrow morning", "morning"),
      ("Write weekly report friday", "weekly"), ("Call fri 9:00 EST", "EST"),
    ] {
      do throws(DatePhraseError) {
        let split = try phrases.split(CommandWords.shell(words))
        Issue.record("\(words): \(split)")
      } catch {
        #expect(error.code == .unread)
        #expect(error.message.contains("\"\(word)\""), "\(error.message)")
        for reading in error.readings {
          #expect(throws: Never.self) { try phrases.split(["x", reading]) }
        }
      }
    }
  }

  @Test(
    "Rejected words of time are named with the reason, and with readings that are phrases",
    arguments: [
      ("en_GB", "Film tonight", "\"tonight\" names no time of day", 0),
      ("en_GB", "Film tomorrow night", "\"night\" names no time of day", 1),
      ("de_DE", "Film heute Abend", "\"abend\" names no time of day", 1),
      ("fr_FR", "Film ce soir", "\"ce soir\" names no time of day", 0),
      ("es_ES", "Cine esta noche", "\"esta noche\" names no time of day", 0),
      ("it_IT", "Film stasera", "\"stasera\" names no time of day", 0),
      ("nl_NL", "Film vanavond", "\"vanavond\" names no time of day", 0),
      ("pt_PT", "Filme esta noite", "\"esta noite\" names no time of day", 0),
      ("pl_PL", "Film dziś wieczorem", "\"wieczorem\" names no time of day", 1),
      ("de_DE", "Kino Dienstagabend", "\"Dienstagabend\" names no time of day", 1),
      ("nl_NL", "Koor elke dinsdagavond", "\"dinsdagavond\" names no time of day", 1),
      ("en_GB", "Call tomorow 10:00", "did you mean \"tomorrow\"?", 1),
      ("en_GB", "Call tmrw 10:00", "did you mean \"tomorrow\"?", 1),
      ("de_DE", "Anruf Donerstag 10 Uhr", "did you mean \"donnerstag\"?", 1),
      ("fr_FR", "Appel mecredi 10h", "did you mean \"mercredi\"?", 1),
      ("en_GB", "Gym Tu Th 10:00", "may be days of a repetition", 1),
      ("en_GB", "Gym M W F 8:00", "may be days of a repetition", 1),
      ("de_DE", "Sport Mo Mi 18:00", "may be days of a repetition", 1),
      ("en_GB", "Call tuesday week 9:00", "write \"a week from tuesday\"", 1),
      ("en_GB", "Call friday week", "write \"a week from friday\"", 1),
      ("en_GB", "Club every 2nd tuesday 19:00", "\"every\" is ambiguous", 2),
      ("de_DE", "Chor jeden 2. Freitag 19:00", "\"every\" is ambiguous", 2),
      ("fr_FR", "Poubelles tous les quinze jours 7h", "15 days may be two weeks", 2),
      ("en_GB", "Pills daily 8:00 and 20:00", "expected one time of day", 2),
      ("de_DE", "Pillen täglich 8:00, 12:00 und 20:00", "expected one time of day", 3),
      ("en_GB", "X tomorrow 8:00 and 20:00", "expected one time of day", 2),
      ("en_GB", "Fair 7-9 dec 9:00-17:00", "one event or one on each day", 2),
      ("en_GB", "Fair mon-wed 9:00-17:00", "one event or one on each day", 2),
      ("de_DE", "Messe 7.-9. Dez 9:00-17:00", "one event or one on each day", 2),
      ("en_GB", "Review friday week 50 10:00", "\"week 50\" is not read as a date", 1),
      ("de_DE", "Reise KW 50", "\"kw 50\" is not read as a date", 1),
      ("de_DE", "Bericht KW 50 Freitag", "\"kw 50\" is not read as a date", 1),
      ("fr_FR", "Voyage vendredi semaine 50", "\"semaine 50\" is not read as a date", 1),
    ])
  func rejections(locale: String, sentence: String, message: String, readings: Int) throws {
    let phrases = try Self.phrases(locale)
    do throws(DatePhraseError) {
      let split = try phrases.split(CommandWords.shell(sentence))
      Issue.record("\(sentence): \(split)")
    } catch {
      #expect(error.message.contains(message), "\(error.message)")
      #expect(error.readings.count == readings, "\(error.readings)")
      var meanings: [Meaning] = []
      for reading in error.readings {
        let words = ["x"] + CommandWords.shell(reading)
        meanings.append(try #require(Self.meaning(words, phrases), "\(reading)"))
      }
      for (place, meaning) in meanings.enumerated() {
        #expect(!meanings[..<place].contains(meaning), "\(error.readings)")
      }
    }
  }

  @Test("An hour that may be before noon is rejected with both readings")
  func hours() throws {
    let phrases = try Self.phrases("en_GB")
    for words in ["Call next tue at 3", "Dinner fri 6-8", "Meet fri 9-5"] {
      do throws(DatePhraseError) {
        let split = try phrases.split(CommandWords.shell(words))
        Issue.record("\(words): \(split)")
      } catch {
        #expect(error.code == .ambiguous)
        #expect(error.readings.count == 2)
        for reading in error.readings { #expect(throws: Never.self) { try phrases.span(reading) } }
      }
    }
  }

  @Test("Words that contradict an option are an error")
  func conflicts() throws {
    let phrases = try Self.phrases("en_GB")
    for words in [
      "Gym fri 9:00 weekly --repeat daily", "Gym fri 9:00 weekly --repeat never",
      "Gym fri 9:00 weekly 3 times --times 4", "Call fri 9:00 UTC --zone Europe/Paris",
      "Call fri 9:00-10:00 --for 2h", "Call fri 9:00 for 1h --for 2h", "Trip fri --for 2h",
      "Gym sat 9:00 --repeat weekdays", "Gym mon 9:00 --repeat weekly --until 2026-11-27",
    ] {
      #expect(Self.meaning(CommandWords.shell(words), phrases) == nil, "\(words)")
    }
    for words in [
      "Gym fri 9:00 weekly --repeat weekly", "Gym every fri 9:00 --times 4",
      "Call fri 9:00 Europe/Paris --zone Europe/Paris", "Trip fri --for 2d",
    ] {
      #expect(Self.meaning(CommandWords.shell(words), phrases) != nil, "\(words)")
    }
  }

  @Test(
    "The words of a reminder may have its last day",
    arguments: [
      ("en_GB", "Taxes by friday", "Fri 2026-11-27"),
      ("en_GB", "Taxes until friday", "Fri 2026-11-27"),
      ("de_DE", "Steuer bis Freitag", "Fri 2026-11-27"),
      ("de_DE", "Steuer bis zum 31.12.", "Thu 2026-12-31"),
      ("de_DE", "Steuer bis Freitag 18 Uhr", "Fri 2026-11-27 18:00"),
      ("fr_FR", "Impôts pour vendredi", "Fri 2026-11-27"),
      ("es_ES", "Impuestos para el viernes", "Fri 2026-11-27"),
      ("it_IT", "Tasse entro venerdì", "Fri 2026-11-27"),
      ("nl_NL", "Belasting uiterlijk vrijdag", "Fri 2026-11-27"),
      ("pt_BR", "Imposto até sexta", "Fri 2026-11-27"),
      ("pl_PL", "Podatki do piątku", "Fri 2026-11-27"),
    ])
  func dueDates(locale: String, sentence: String, reading: String) throws {
    let phrases = try Self.phrases(locale)
    let words = CommandWords.shell(sentence)
    var options = SentenceOptions()
    options.isDue = true
    let split = try phrases.split(words, options)
    #expect(split.title == Array(words.prefix(1)))
    #expect(split.span?.reading == reading)
    // An event cannot end without a start.
    let event = try? phrases.split(words)
    #expect(event == nil || sentence.contains(" by ") || event?.title == split.title)
  }

  @Test("A distance from now is the same instant in each time zone of an option")
  func distances() throws {
    let phrases = try Self.phrases("en_GB")
    let tokyo = try Machine.live().viewerZone("Asia/Tokyo")
    var options = SentenceOptions()
    options.zone = "Asia/Tokyo"
    let span = try phrases.split(["Call", "in", "2", "hours"], options).span
    let instant = span?.start.instant(in: tokyo)
    #expect(instant?.secondsSinceEpoch == Self.now.secondsSinceEpoch + 7200)
  }

  @Test("The reading of a repetition is a phrase for the same one")
  func repetitions() throws {
    let phrases = try Self.phrases("de_DE")
    for text in [
      "daily", "weekly", "monthly", "yearly", "weekdays", "biweekly", "every 3 days",
      "every other month", "every monday", "every mon, wed and fri", "every 2 weeks on tue and thu",
      "every weekend", "every last friday of the month", "every month on the 31st",
      "every 2 months on the first monday", "every first monday of december", "jeden Montag",
      "alle 2 Wochen am Dienstag", "jeden letzten Freitag im Monat", "werktags",
    ] {
      let repetition = try phrases.repetition(text)
      #expect(try phrases.repetition(repetition.text) == repetition, "\(text)")
      #expect(throws: Never.self, "\(text)") {
        try repetition.rule(for: .date(.first), [], instant: { $0.instant(in: phrases.zone) })
      }
    }
    let ending = try phrases.repetition("every monday until 2026-12-18")
    #expect(ending.until == (try Moment(parsing: "20261218")))
    #expect(try phrases.repetition("daily 10 times").count == 10)
    #expect(throws: DatePhraseError.self) {
      try phrases.repetition("daily 10 times", count: 5)
    }
  }

  @Test("The article on everyday work has all words of repetitions, ranges and hours")
  func documentation() throws {
    let article = try documentation(named: "EverydayWork.md")
    let concepts: [PhraseConcept] = [
      .from, .to, .until, .between, .at, .on, .for, .within, .every, .adverb, .plural, .times,
      .part,
      .tonight, .noon, .midnight, .mark, .near, .monthEnd, .length, .halves, .andHalf,
    ]
    for code in ["de", "fr", "es", "it", "nl", "pt", "pl"] {
      for concept in concepts {
        for word in PhraseVocabulary.words(of: concept, in: code) {
          #expect(article.contains("`\(word.text)`"), "\(code): \(word.text)")
        }
      }
    }
  }

  private func documentation(named name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Epact/Epact.docc")
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}
