// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import TestSupport
import Testing

/// Random sentences of titles, days, times, durations, repetitions and zones in eight languages.
@Suite("Random sentences") struct SentenceFuzzTests {
  /// The parts of sentences in a language.
  struct Pool {
    let locale: String
    let days: [String]
    let times: [String]
    let durations: [String]
    let repetitions: [String]
    let ends: [String]
    /// Words of time, most of which mean nothing alone, as a length does without a date.
    let stray: [String]
  }

  static let titles = [
    "Oskar", "Kaffee", "Lunch", "Zahnarzt", "Pilates", "Budget", "Kino", "Tennis", "Yoga", "Anna",
    "Projekt", "Review", "Picknick", "Konzert",
  ]

  static let zones = ["America/New_York", "Asia/Tokyo", "UTC", "Europe/Lisbon"]

  static let dates = [
    "2026-12-10", "24.12.", "24.12.2026", "2026-12-21..2026-12-25", "20261224", "2026-12-24T15:00",
    "11/12", "31.2.", "2026-13-01",
  ]

  static let clocks = [
    "9:00", "15:30", "9:00-10:15", "14:00 15:00", "22:00-02:00", "1200", "0930", "12", "7", "25:00",
    "3pm", "9",
  ]

  static let pools = [
    Pool(
      locale: "en_US",
      days: [
        "friday evening", "tomorrow morning", "sat afternoon", "fri", "monday night",
        "december 5th",
        "mon-fri next week", "first monday of the month",
        "a week from friday", "last day of the month", "end of january",
        "tomorrow", "friday", "next tuesday", "in 3 days", "dec 24", "the 15th", "this weekend",
        "first monday of december", "monday next week", "from monday to friday", "yesterday",
      ],
      times: [
        "half past 9", "quarter to ten",
        "at 3", "at 9", "noon", "from 10 to 11", "between 10:00 and 11:30", "tonight", "3 pm",
        "until 13:00", "half past 3", "in the morning", "9 o'clock",
      ],
      durations: [
        "for an hour and a half", "for ninety minutes", "half an hour", "for 1h", "for 45 minutes",
        "for two hours", "for 3 days",
      ],
      repetitions: [
        "every 3 days", "every other tuesday", "every 10 days", "on the 5th of every month",
        "every morning", "every quarter",
        "every last day of the month", "1st and 15th of every month",
        "daily", "weekly", "every monday", "every 2 weeks", "every mon and thu",
        "on fridays", "every last friday of the month", "weekdays", "every other week", "monthly",
      ],
      ends: ["for 8 weeks", "until 2027-02-28", "10 times", "until march 3"],
      stray: [
        "tommorow", "firday",
        "all day", "twice a week", "next 3 weeks", "every", "tonight", "until", "weekly", "noon",
        "tuesday",
        "each",
      ]),
    Pool(
      locale: "de_DE",
      days: [
        "Freitagabend", "morgen früh", "Samstag Nachmittag", "heute Abend", "Mo.", "5. Dez.",
        "Ende Januar", "letzter Tag des Monats", "Freitag in einer Woche",
        "morgen", "Freitag", "nächsten Dienstag", "in 3 Tagen", "24. Dezember", "am 15.",
        "erster Montag im Dezember", "vom 21. bis 31. Dezember", "gestern", "übermorgen",
      ],
      times: [
        "halb neun", "Viertel nach neun", "von 8 bis 9 Uhr",
        "um 3", "um 9", "9 Uhr", "von 10 bis 11", "zwischen 10:00 und 11:30", "um 8 Uhr abends",
        "bis 13:00", "halb 10", "15 Uhr 30", "mittags",
      ],
      durations: [
        "für anderthalb Stunden", "eine halbe Stunde", "für neunzig Minuten", "für 1 Stunde",
        "für 45 Minuten", "für zwei Stunden", "für 3 Tage",
      ],
      repetitions: [
        "alle 3 Tage", "jeden zweiten Dienstag", "alle drei Wochen", "am 5. jedes Monats",
        "alle 14 Tage montags", "am 1. und 15. jeden Monats",
        "täglich", "wöchentlich", "jeden Montag", "alle 2 Wochen", "montags",
        "jeden letzten Freitag im Monat", "werktags", "monatlich",
      ],
      ends: ["bis 2027-02-28", "10 mal"],
      stray: [
        "Feitag", "mogren", "Mo.",
        "ganztägig", "zweimal pro Woche", "die nächsten 3 Wochen", "jeden", "bis", "Dienstag",
        "wöchentlich",
      ]),
    Pool(
      locale: "fr_FR",
      days: [
        "vendredi soir", "demain matin", "samedi après-midi", "lun.", "5 déc.",
        "fin janvier", "dernier jour du mois",
        "demain", "vendredi", "mardi prochain", "dans 3 jours", "le 24 décembre",
        "du 21 au 31 décembre", "hier", "lundi", "premier lundi de décembre",
      ],
      times: [
        "à 9h et demie",
        "à 3", "à 9h", "9h30", "de 10h à 11h", "entre 10:00 et 11:30", "à midi", "ce soir à 20h",
        "jusqu'à 13h", "à 15 h 30", "du matin",
      ],
      durations: [
        "pendant une heure et demie", "une demi-heure", "pendant 1 heure", "pendant 45 minutes",
        "pour 2h", "pendant 3 jours",
      ],
      repetitions: [
        "tous les 3 jours", "un lundi sur deux", "toutes les trois semaines",
        "tous les jours", "chaque lundi", "tous les lundis et jeudis",
        "toutes les 2 semaines", "tous les mois", "hebdomadaire",
      ],
      ends: ["jusqu'au 28 février", "10 fois"],
      stray: [
        "vendrdi", "demian", "lun.", "toute la journée", "deux fois par semaine", "chaque", "matin",
        "jusqu'à", "mardi",
      ]),
    Pool(
      locale: "es_ES",
      days: [
        "viernes por la tarde", "mañana por la noche", "sábado noche", "5 dic",
        "fin de enero", "último día del mes",
        "mañana", "viernes", "el próximo martes", "en 3 días", "el 24 de diciembre",
        "del 21 al 31 de diciembre", "ayer", "primer lunes de diciembre",
      ],
      times: [
        "a las 9 y media",
        "a las 3", "a las 9:00", "de 10:00 a 11:30", "entre las 14:00 y las 16:00",
        "a las 3 de la tarde", "al mediodía", "hasta las 13:00", "por la mañana",
      ],
      durations: [
        "durante una hora y media", "media hora", "durante 1 hora", "durante 45 minutos",
        "por 2 horas", "durante 3 días",
      ],
      repetitions: [
        "cada 3 días", "cada tres semanas", "un lunes sí y otro no",
        "cada día", "cada lunes", "todos los lunes", "cada 2 semanas", "diariamente",
        "cada mes",
      ],
      ends: ["hasta el 28 de febrero", "10 veces"],
      stray: [
        "vierens", "mañnaa", "todo el día", "dos veces por semana", "cada", "noche", "hasta",
        "martes",
      ]),
    Pool(
      locale: "it_IT",
      days: [
        "venerdì sera", "domani mattina", "sabato pomeriggio", "5 dic",
        "fine gennaio", "ultimo giorno del mese",
        "domani", "venerdì", "martedì prossimo", "tra 3 giorni", "il 24 dicembre",
        "dal 21 al 31 dicembre", "ieri", "primo lunedì di dicembre",
      ],
      times: [
        "alle 9 e mezza",
        "alle 3", "alle 9", "dalle 10 alle 11:30", "tra le 14 e le 16", "alle 3 del pomeriggio",
        "a mezzogiorno", "fino alle 13", "alle 15.30",
      ],
      durations: [
        "per un'ora e mezza", "mezz'ora", "per 1 ora", "per 45 minuti", "per 2 ore", "per 3 giorni",
      ],
      repetitions: [
        "ogni 3 giorni", "ogni tre settimane", "un lunedì sì e uno no",
        "ogni giorno", "ogni lunedì", "tutti i lunedì", "ogni 2 settimane",
        "settimanalmente", "ogni mese",
      ],
      ends: ["fino al 28 febbraio", "10 volte"],
      stray: [
        "venedrì", "domnai", "tutto il giorno", "due volte a settimana", "ogni", "sera", "martedì",
      ]),
    Pool(
      locale: "nl_NL",
      days: [
        "vrijdagavond", "morgenochtend", "zaterdagmiddag", "5 dec",
        "eind januari", "laatste dag van de maand",
        "morgen", "vrijdag", "volgende dinsdag", "over 3 dagen", "op 24 december",
        "van 21 t/m 31 december", "gisteren", "eerste maandag van december",
      ],
      times: [
        "half negen", "kwart over negen",
        "om 3", "om 9 uur", "van 10:00 tot 11:30", "tussen 14 en 16 uur", "om 8 uur 's avonds",
        "tot 13:00", "half 10", "om 15.30 uur",
      ],
      durations: [
        "gedurende anderhalf uur", "een half uur", "gedurende 1 uur", "gedurende 45 minuten",
        "gedurende 3 dagen",
      ],
      repetitions: [
        "elke 3 dagen", "om de dag", "elke drie weken",
        "dagelijks", "elke maandag", "elke 2 weken", "wekelijks", "om de 2 weken",
        "maandelijks",
      ],
      ends: ["tot en met 28 februari", "10 keer"],
      stray: [
        "vrjidag", "moregn", "hele dag", "twee keer per week", "elke", "avond", "tot", "dinsdag",
      ]),
    Pool(
      locale: "pt_BR",
      days: [
        "sexta à noite", "amanhã de manhã", "sábado à tarde", "5 dez",
        "fim de janeiro", "último dia do mês",
        "amanhã", "sexta-feira", "próxima terça-feira", "em 3 dias", "24 de dezembro",
        "de 21 a 31 de dezembro", "ontem", "na sexta",
      ],
      times: [
        "às 9 e meia",
        "às 3", "às 9h", "das 10h às 11h30", "entre as 14h e as 16h", "às 3 da tarde",
        "ao meio-dia", "até 13:00",
      ],
      durations: [
        "durante uma hora e meia", "meia hora", "durante 1 hora", "por 45 minutos",
        "durante 3 dias",
      ],
      repetitions: [
        "a cada 3 dias", "a cada três semanas", "segunda sim, segunda não",
        "diariamente", "toda segunda", "todas as segundas", "a cada 2 semanas",
        "cada mês", "todos os dias",
      ],
      ends: ["até 28 de fevereiro", "10 vezes"],
      stray: [
        "sexat", "amnahã", "o dia todo", "duas vezes por semana", "cada", "noite", "até",
        "terça-feira",
      ]),
    Pool(
      locale: "pl_PL",
      days: [
        "piątek wieczorem", "jutro rano", "sobota po południu", "5 gru",
        "koniec stycznia", "ostatni dzień miesiąca",
        "jutro", "piątek", "w następny wtorek", "za 3 dni", "24 grudnia", "od 21 do 31 grudnia",
        "wczoraj", "w środę",
      ],
      times: [
        "kwadrans po dziewiątej", "o dziewiątej",
        "o 3", "o 9:00", "od 10:00 do 11:30", "między 14 a 16", "o 3 po południu", "w południe",
        "do 13:00", "o godz. 15:30",
      ],
      durations: [
        "przez półtorej godziny", "pół godziny", "przez 1 godzinę", "przez 45 minut", "przez 3 dni",
      ],
      repetitions: [
        "co 3 dni", "co trzy tygodnie", "co drugi poniedziałek",
        "codziennie", "co poniedziałek", "w każdą środę", "co 2 tygodnie", "co miesiąc",
      ],
      ends: ["do 28 lutego", "10 razy"],
      stray: [
        "piatke", "jurto", "cały dzień", "dwa razy w tygodniu", "codziennie", "rano", "wtorek",
      ]),
  ]

  /// A sentence: its words in quotation marks or not, and the options.
  private static func sentence(
    _ pool: Pool, using random: inout SeededGenerator
  ) -> [String] {
    func pick(_ words: [String], _ chance: Int, _ random: inout SeededGenerator) -> [String] {
      guard Int.random(in: 0..<100, using: &random) < chance else { return [] }
      return [words.randomElement(using: &random) ?? ""]
    }
    var date = pick(pool.days + dates, 80, &random) + pick(pool.times + clocks, 75, &random)
    date += pick(pool.durations, 15, &random) + pick(zones, 10, &random)
    var repetition = pick(pool.repetitions, 35, &random)
    if !repetition.isEmpty { repetition += pick(pool.ends, 25, &random) }
    if Bool.random(using: &random) { date.shuffle(using: &random) }
    date += repetition
    // Most sentences have the title at one end.
    var title = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      titles.randomElement(using: &random) ?? ""
    }
    if Int.random(in: 0..<6, using: &random) == 0 { title = [title.joined(separator: " ")] }
    var parts: [String]
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2: parts = title + date
    case 3: parts = date + title
    case 4: parts = Array(date.prefix(1)) + title + Array(date.dropFirst())
    default: parts = (title + date).shuffled(using: &random)
    }
    for word in pick(pool.stray + pool.times, 20, &random) {
      parts.insert(word, at: Int.random(in: 0...parts.count, using: &random))
    }
    // A title in quotation marks has spaces; everything else is split at them.
    return parts.flatMap { part in
      titles.contains { part.hasPrefix($0 + " ") }
        ? [part] : part.split(separator: " ").map(String.init)
    }
  }

  @Test("No word of time is left in a title, and a reading means the same again")
  func randomSentences() throws {
    let all = try Self.pools.map { ($0, try SentenceTests.phrases($0.locale)) }
    var (accepted, tried) = (0, 0)
    forAll(333) { random in
      guard let (pool, phrases) = all.randomElement(using: &random) else { return }
      let words = Self.sentence(pool, using: &random)
      tried += 1
      guard let split = try? phrases.split(words) else { return }
      let rest = split.title.flatMap { $0.split(separator: " ") }.map(String.init)
        .filter { !Self.titles.contains($0) && !Self.isFree($0, words) }
      let strayWords = Set(
        (pool.stray + pool.durations).flatMap { $0.split(separator: " ") }
          .map(String.init))
      let isAllowed =
        split.span == nil
        && rest.allSatisfy { strayWords.contains($0) || $0.allSatisfy(\.isNumber) }
      guard rest.isEmpty || isAllowed else {
        throw Failure(words: words, locale: pool.locale, text: "\(rest)")
      }
      guard let span = split.span else { return }
      accepted += 1
      let again = try? phrases.split(
        ["Oskar"] + split.reading.split(separator: " ").map(String.init))
      guard let again, again.span == span, again.repetition == split.repetition,
        again.zone == split.zone
      else {
        throw Failure(words: words, locale: pool.locale, text: split.reading)
      }
    }
    #expect(accepted * 5 > tried, "\(accepted) of \(tried) sentences are accepted")
  }

  /// Whether a number does not follow a word of a date, so that it can be a part of the title.
  private static func isFree(_ number: String, _ words: [String]) -> Bool {
    guard number.allSatisfy(\.isNumber), number.count < 5 else { return false }
    return words.indices.contains { place in
      guard words[place] == number else { return false }
      guard place > 0 else { return true }
      let before = words[place - 1]
      return before.allSatisfy(\.isNumber) || titles.contains { before.hasPrefix($0) }
    }
  }

  private struct Failure: Error {
    let words: [String]
    let locale: String
    let text: String
  }
}
