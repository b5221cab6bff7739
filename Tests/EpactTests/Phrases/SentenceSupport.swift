// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import Foundation

/// The words of a command line, split into arguments and options.
struct CommandWords {
  private(set) var words: [String] = []
  private var values: [String: String] = [:]

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word.hasPrefix("--"), let value = rest.popFirst() {
        values[String(word.dropFirst(2))] = value
      } else {
        words.append(word)
      }
    }
  }

  /// The value of `--start`, beside which all words are the title.
  var start: String? { values["start"] }

  /// The options that concern the date; nil if one of them is invalid.
  mutating func options(_ phrases: DatePhrases) -> SentenceOptions? {
    var options = SentenceOptions()
    if let zone = values["zone"] {
      guard zone == "floating" || (try? Machine.live().viewerZone(zone)) != nil else { return nil }
      options.zone = zone
    }
    if let duration = values["for"] {
      guard let value = DurationText.duration(duration) else { return nil }
      options.duration = value
    }
    let (rule, times, until) = (values["repeat"], values["times"], values["until"])
    guard rule != nil || times != nil || until != nil else { return options }
    guard rule != nil, times == nil || until == nil,
      let repetition = try? phrases.repetition(
        rule, count: times.flatMap { Int($0) }, until: try until.map { try phrases.moment($0) })
    else {
      // Without a rule, only the words can state one.
      guard rule == nil, times == nil || until == nil else { return nil }
      options.repetition = try? Repetition(
        nil, count: times.flatMap { Int($0) }, until: until.map { try phrases.moment($0) })
      return options
    }
    options.repetition = repetition
    return options
  }

  /// The words of a line, split as a shell does.
  static func shell(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\\" {
        isEscaped = true
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}

/// A reading of the table `sentences-everyday.tsv`.
struct EverydayReading {
  private var values: [String: String] = [:]
  private let isRefused: Bool

  init(_ text: String) {
    isRefused = text == "refused"
    for part in text.split(separator: ";") {
      let fields = part.split(separator: "=", maxSplits: 1).map(String.init)
      if fields.count == 2 { values[fields[0]] = fields[1] }
    }
  }

  /// Whether a meaning is this reading; nil stands for a rejection.
  func fits(_ meaning: SentenceTests.Meaning?, _ viewer: ZoneRules) -> Bool {
    guard let meaning, !isRefused else { return meaning == nil && isRefused }
    guard meaning.title == values["SUMMARY"] else { return false }
    let zone = (try? Machine.live().viewerZone(values["TZID"] ?? "Europe/Berlin")) ?? viewer
    if let name = values["TZID"], name != meaning.zone, meaning.zone != "" || name != "UTC" {
      return false
    }
    if values["TZID"] == nil, !meaning.zone.isEmpty { return false }
    return start(meaning.span, zone) == values["DTSTART"] && fitsEnd(meaning.span, zone)
      && fitsRule(meaning.rule)
  }

  private func start(_ span: DateSpan, _ zone: ZoneRules) -> String { text(span.start, zone) }

  /// An end that the words do not state is up to the writer of the item.
  private func fitsEnd(_ span: DateSpan, _ zone: ZoneRules) -> Bool {
    guard let end = span.end else { return true }
    return text(end, zone) == values["DTEND"] || span.isAllDay && isOneDay(span)
  }

  private func isOneDay(_ span: DateSpan) -> Bool {
    guard case .date(let first) = span.start, case .date(let end)? = span.end else { return false }
    return end.dayNumber == first.dayNumber + 1
  }

  private func text(_ moment: Moment, _ zone: ZoneRules) -> String {
    switch moment {
    case .date(let date): "\(date)"
    case .local(let wall): "\(wall)"
    case .instant(let instant): zone.civil(at: instant).map { "\($0)" } ?? ""
    }
  }

  /// Whether a rule has the parts of the reading; others may only repeat the start.
  private func fitsRule(_ rule: String) -> Bool {
    guard let expected = values["RRULE"] else { return rule.isEmpty }
    var parts: [Substring: String] = [:]
    var last: Substring = ""
    for piece in expected.split(separator: ",") {
      let fields = piece.split(separator: "=", maxSplits: 1)
      if fields.count == 2 {
        last = fields[0]
        parts[last] = String(fields[1])
      } else {
        parts[last, default: ""] += ",\(piece)"
      }
    }
    var found: [Substring: String] = [:]
    for piece in rule.split(separator: ";") {
      let fields = piece.split(separator: "=", maxSplits: 1)
      if fields.count == 2 { found[fields[0]] = String(fields[1]) }
    }
    let names: [Substring] = ["FREQ", "INTERVAL", "COUNT", "UNTIL"]
    return names.allSatisfy { parts[$0] == found[$0] }
      && ["BYDAY", "BYMONTHDAY"].allSatisfy { parts[$0] == nil || parts[$0] == found[$0] }
  }
}

extension Moment {
  /// The day of the moment in a zone.
  func day(in zone: ZoneRules) -> CivilDate {
    switch self {
    case .date(let date): date
    case .local(let wall): wall.date
    case .instant(let instant): zone.civil(at: instant)?.date ?? .first
    }
  }
}
