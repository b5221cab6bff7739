// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a server makes of what it is sent before it stores it, as servers in use were seen to do.
///
/// A tag is told as if the server had stored what it got, if any is told.
enum ServerHabit: String, CaseIterable, Sendable {
  /// Stores the bytes.
  case none
  /// Sorts the properties, writes their names in capitals, and folds anew, as Radicale.
  case sorts
  /// The same, and gives the parts of rules another order, as Xandikos.
  case sortsRules
  /// Splits lists of categories, gives rules another order and folds anew, as Cyrus.
  case splitsLists
  /// Drops what RFC 5545 does not have: properties, parameters, and nested components.
  case drops
  /// Says aloud what goes without saying: in properties, in parameters, and in rules.
  case saysDefaults
  /// Writes a duration as an end, and an end as a duration.
  case flipsEnds
  /// Drops alarms, the location and lists of categories.
  case dropsAlarms
  /// Keeps the first characters of texts, and the names of attendees not at all.
  case cutsTexts

  /// What is stored of a calendar.
  func stored(_ text: String) -> String {
    var lines = text.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
    lines.removeAll(where: \.isEmpty)
    switch self {
    case .none: return text
    case .sorts: lines = sorted(lines)
    case .sortsRules: lines = sorted(lines).map(Self.reordered)
    case .splitsLists: lines = lines.flatMap(Self.split).map(Self.reordered)
    case .drops: lines = Self.known(lines)
    case .saysDefaults: lines = Self.aloud(lines)
    case .flipsEnds: lines = lines.map(Self.flipped)
    case .dropsAlarms: lines = Self.withoutAlarms(lines)
    case .cutsTexts: lines = lines.map(Self.cut)
    }
    return lines.map { Self.folded($0) + "\r\n" }.joined()
  }

  /// The lines of each component in order, with those of nested ones behind them.
  private func sorted(_ lines: [String]) -> [String] {
    var result: [String] = []
    var own: [String] = []
    for line in lines {
      if line.hasPrefix("BEGIN:") || line.hasPrefix("END:") {
        result += own.sorted() + [line]
        own = []
      } else {
        let end = line.firstIndex { $0 == ":" || $0 == ";" } ?? line.endIndex
        own.append(line[..<end].uppercased() + line[end...])
      }
    }
    return result
  }

  private static func reordered(_ line: String) -> String {
    guard line.hasPrefix("RRULE:") else { return line }
    return "RRULE:" + line.dropFirst(6).split(separator: ";").sorted().joined(separator: ";")
  }

  private static func split(_ line: String) -> [String] {
    guard line.hasPrefix("CATEGORIES:") else { return [line] }
    return line.dropFirst(11).split(separator: ",").map { "CATEGORIES:\($0)" }
  }

  /// What the RFC has instead of what is not said (RFC 5545 §3.2, §3.3.10, §3.8).
  private static func aloud(_ lines: [String]) -> [String] {
    let said = Set(lines.map { $0.prefix { $0 != ":" && $0 != ";" }.uppercased() })
    let missing = ["CLASS:PUBLIC", "PRIORITY:0", "SEQUENCE:0", "TRANSP:OPAQUE"].filter {
      !said.contains($0.prefix { $0 != ":" }.uppercased())
    }
    return lines.flatMap { line -> [String] in
      if line == "BEGIN:VEVENT" { return [line] + missing }
      if line.hasPrefix("RRULE:"), !line.contains("INTERVAL") {
        return [line + ";INTERVAL=1;WKST=MO"]
      }
      guard line.hasPrefix("ATTENDEE"), !line.contains("PARTSTAT=") else { return [line] }
      let parameters = ";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE"
      return ["ATTENDEE" + parameters + line.dropFirst("ATTENDEE".count)]
    }
  }

  /// The end of the event of `RewritingScene`, which starts at nine, in the other way.
  private static func flipped(_ line: String) -> String {
    for hours in 1...3 {
      let (duration, end) = ("DURATION:PT\(hours)H", "DTEND:20260302T1\(hours - 1)0000Z")
      if line == duration { return end }
      if line == end { return duration }
    }
    return line
  }

  private static func withoutAlarms(_ lines: [String]) -> [String] {
    var isAlarm = false
    return lines.filter { line in
      if line == "BEGIN:VALARM" { isAlarm = true }
      defer { if line == "END:VALARM" { isAlarm = false } }
      return !isAlarm && !line.hasPrefix("LOCATION") && !line.hasPrefix("CATEGORIES")
    }
  }

  private static func cut(_ line: String) -> String {
    if line.hasPrefix("DESCRIPTION:") { return String(line.prefix(30)) }
    return line.replacing(";CN=Jim", with: "")
  }

  private static func known(_ lines: [String]) -> [String] {
    var depth = 0
    var isAlarm = false
    return lines.compactMap { line in
      if line == "BEGIN:PARTICIPANT" { depth += 1 }
      defer { if line == "END:PARTICIPANT" { depth -= 1 } }
      if line.hasSuffix(":VALARM") { isAlarm = line.hasPrefix("BEGIN") }
      guard depth == 0, !line.uppercased().hasPrefix("X-"), !line.hasPrefix("COLOR:") else {
        return nil
      }
      if isAlarm, line.hasPrefix("UID:") { return nil }
      return line.replacing(";X-ROOM=\"5\"", with: "")
    }
  }

  private static func folded(_ line: String) -> String {
    var result = ""
    var count = 0
    for character in line {
      if count + character.utf8.count > 60 {
        result += "\r\n "
        count = 1
      }
      result.append(character)
      count += character.utf8.count
    }
    return result
  }
}
