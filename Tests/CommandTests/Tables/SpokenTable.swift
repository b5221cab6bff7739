// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// A table of sentences or commands with the items that they have to make, written from the help.
struct SpokenTable {
  /// A line of the table.
  struct Row: Sendable {
    let id: String
    let locale: String
    /// The columns between the locale and the expectation.
    let input: [String]
    /// The allowed results.
    let expected: [Expectation]
  }

  /// An allowed result.
  enum Expectation: Hashable, Sendable {
    case refused
    case item([String: String])
  }

  let rows: [Row]

  /// Reads a table of `Fixtures/phrases`.
  init(named name: String) throws {
    let url = Sandbox.fixtures.appending(path: "phrases/\(name)")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
    rows = lines.filter { !$0.hasPrefix("#") }.map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let results = cells[cells.count - 1].components(separatedBy: " | ").map { text in
        text == "refused" ? Expectation.refused : .item(Self.fields(of: text))
      }
      return Row(
        id: cells[0], locale: cells[1], input: Array(cells[2..<cells.count - 1]), expected: results)
    }
  }

  private static func fields(of text: String) -> [String: String] {
    let pairs = text.split(separator: ";").compactMap { field -> (String, String)? in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

/// The items that commands made, in the form of a table.
struct SpokenResult {
  private static let zones = ZoneResolver(
    database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
  /// The number of compared occurrences.
  private static let compared = 40

  let items: [CalendarItem]

  /// The first difference from an expected result; nil if there is none.
  func difference(from expected: [String: String]) -> String? {
    guard items.count == (expected["FUTURE"] == nil ? 1 : 2), let main = items.first?.main else {
      return "\(items.count) items"
    }
    let differences = [
      difference("SUMMARY", main[.summary]?.text, expected),
      time("DTSTART", main[.dtStart], main, expected),
      difference("DTEND", Self.end(of: main), expected),
      difference(
        "DUE", main[.due].map { Self.wall($0) } ?? (expected["DUE"] == "" ? "" : nil), expected),
      expected["DUE"] == nil ? nil : expected["DUE"] == "" && main[.due] != nil ? "DUE" : nil,
      alarm(main, expected), exclusion(main, expected), override(expected),
      rule(
        of: items[0], expected["DTSTART"] ?? expected["DUE"], expected["RRULE"], expected["TZID"]),
      future(expected),
    ]
    return differences.compactMap(\.self).first
  }

  private func difference(
    _ name: String, _ found: String?, _ expected: [String: String]
  ) -> String? {
    guard let value = expected[name], value != found else { return nil }
    return "\(name)=\(found ?? "")"
  }

  private func time(
    _ name: String, _ property: Property?, _ main: Component, _ expected: [String: String]
  ) -> String? {
    guard expected[name] != nil else { return nil }
    guard let property else { return "\(name) is missing" }
    if let other = difference(name, Self.wall(property), expected) { return other }
    guard property[.value] != "DATE" else { return nil }
    let zone = property.rawValue.hasSuffix("Z") ? "UTC" : property[.tzID] ?? "floating"
    return zone == expected["TZID"] ?? "Europe/Berlin" ? nil : "TZID=\(zone)"
  }

  private static func wall(_ property: Property) -> String {
    property.rawValue.filter { $0 != "Z" }
  }

  /// The end of an event, also that of a duration.
  private static func end(of main: Component) -> String? {
    if let end = main[.dtEnd] { return wall(end) }
    guard let start = Event(main).start, case .duration(let length)? = Event(main).ending,
      let rules = try? zones.rules(of: zones.resolve(start.tzID ?? "UTC")),
      let end = rules.instant(of: start.wallTime, adding: length), let wall = rules.civil(at: end)
    else { return nil }
    return "\(wall)"
  }

  private func alarm(_ main: Component, _ expected: [String: String]) -> String? {
    guard let value = expected["ALARM"] else { return nil }
    let found = main.components.first?[.trigger]?.rawValue ?? ""
    return found == value ? nil : "ALARM=\(found)"
  }

  private func exclusion(_ main: Component, _ expected: [String: String]) -> String? {
    let found = main[.exDate].map { Self.wall($0) }
    return found == expected["EXDATE"] ? nil : "EXDATE=\(found ?? "")"
  }

  private func override(_ expected: [String: String]) -> String? {
    let found = items[0].overrides.map { override in
      override.name == .reminder
        ? override[.due].map { Self.wall($0) } ?? ""
        : "\(override[.dtStart].map { Self.wall($0) } ?? "")/\(Self.end(of: override) ?? "")"
    }
    let wanted = expected["OVERRIDE"].map { [$0] } ?? []
    return found == wanted ? nil : "OVERRIDE=\(found)"
  }

  private func future(_ expected: [String: String]) -> String? {
    guard let value = expected["FUTURE"], let main = items.last?.main else { return nil }
    let start = main[.dtStart].map { Self.wall($0) } ?? ""
    let found = main.name == .reminder ? start : "\(start)/\(Self.end(of: main) ?? "")"
    guard found == value else { return "FUTURE=\(found)" }
    return rule(
      of: items[1], String(value.prefix { $0 != "/" }), expected["FUTURERRULE"], expected["TZID"])
  }

  // MARK: Rules

  /// Compares the occurrences with those of the expected rule.
  private func rule(
    of item: CalendarItem, _ start: String?, _ rule: String?, _ zone: String?
  ) -> String? {
    let found = item.main?[.rRule]?.rawValue
    guard let rule, let start else { return found == nil ? nil : "RRULE=\(found ?? "")" }
    guard found != nil else { return "no RRULE" }
    let time = start.contains("T") ? ";TZID=\(zone ?? "Europe/Berlin"):" : ";VALUE=DATE:"
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTART\(time)\(start)\r\n"
      + "RRULE:\(Self.canonical(rule, isDay: !start.contains("T")))\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    guard let wanted = try? CalendarItem(parsing: Array(text.utf8)) else { return "bad table" }
    let pair = [Self.starts(of: item), Self.starts(of: wanted)]
    return pair[0] == pair[1] ? nil : "RRULE=\(found ?? "")"
  }

  /// The rule with semicolons; the last day is included, up to the end in UTC of the latest zone.
  private static func canonical(_ rule: String, isDay: Bool) -> String {
    var parts: [String] = []
    for word in rule.split(separator: ",").map(String.init) {
      if word.contains("=") { parts.append(word) } else { parts[parts.count - 1] += "," + word }
    }
    return parts.map { part in
      part.hasPrefix("UNTIL=") && !isDay ? part + "T225959Z" : part
    }.joined(separator: ";")
  }

  private static func calendar(of main: Component, _ zones: [Component]) -> [UInt8] {
    let parts = (zones + [main]).flatMap { Serializer().bytes(of: $0) }
    return Array("BEGIN:VCALENDAR\r\n".utf8) + parts + Array("END:VCALENDAR\r\n".utf8)
  }

  private static func starts(of item: CalendarItem) -> [Instant] {
    guard let rules = try? zones.rules(of: zones.resolve("Europe/Berlin")) else { return [] }
    let first = Instant(secondsSinceEpoch: 1_700_000_000)
    let range = first..<Instant(secondsSinceEpoch: 2_100_000_000)
    var query = OccurrenceQuery(in: range, viewer: rules, zones: zones)
    // Modified and excluded occurrences have their own columns.
    var main = item.main
    main?[.exDate] = nil
    guard let main,
      let series = try? CalendarItem(
        parsing: Self.calendar(of: main, item.timeZones))
    else { return [] }
    query.add(series)
    return query.occurrences().prefix(compared).map(\.start.instant)
  }
}
