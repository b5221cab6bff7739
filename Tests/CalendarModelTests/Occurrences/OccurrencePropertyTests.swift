// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Random calendars, against the obvious way to expand them.
@Suite("Occurrences of random calendars") struct OccurrencePropertyTests {
  /// What two expansions of one calendar do not agree on.
  private struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  @Test("A query finds what is found by expanding everything, in the same order")
  func agreesWithNaive() {
    forAll(100) { random in
      var lines: [String] = []
      for number in 0..<Int.random(in: 1..<5, using: &random) {
        lines += RandomSeries.components(uid: "u\(number)", &random)
      }
      let zone =
        ["Europe/Berlin", "America/New_York", "UTC"].randomElement(using: &random) ?? "UTC"
      let viewer = try OccurrenceCase.database.rules(named: zone)
      let start = Int64.random(in: 0..<250, using: &random) * 86_400 + 1_767_225_600
      let length = Int64.random(in: 1..<60, using: &random) * 43_200
      let range =
        Instant(secondsSinceEpoch: start)..<Instant(secondsSinceEpoch: start + length)
      let components = try CalendarStream(parsing: calendar(lines)).calendars.flatMap {
        Array($0.components)
      }
      let expected = try NaiveOccurrences(viewer: viewer, range: range).texts(components)
      var query = OccurrenceQuery(in: range, viewer: viewer, zones: OccurrenceCase.resolver)
      var reading = OccurrenceReading()
      for component in components.shuffled(using: &random) { reading.take(component) }
      reading.finish(into: &query, source: 0)
      let found = query.occurrences().map(Self.text)
      guard found == expected else {
        let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
        throw Difference(
          description: "expected \(expected.count), found \(found.count); first difference: "
            + "\(String(describing: place)) in\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  @Test("A prepared item has in every range what the item has, in the same order")
  func preparedItems() {
    forAll(50) { random in
      var items: [CalendarItem] = []
      for number in 0..<Int.random(in: 1..<5, using: &random) {
        let lines = RandomSeries.components(uid: "u\(number)", &random)
        let components = try CalendarStream(parsing: calendar(lines)).calendars.flatMap {
          Array($0.components)
        }
        if let item = try? CalendarItem(components: components, timeZones: []) {
          items.append(item)
        }
      }
      let viewer = try OccurrenceCase.database.rules(named: "America/New_York")
      func query(_ start: Int64, _ length: Int64) -> OccurrenceQuery {
        let (lower, upper) = (1_767_225_600 + start, 1_767_225_600 + start + length)
        return OccurrenceQuery(
          in: Instant(secondsSinceEpoch: lower)..<Instant(secondsSinceEpoch: upper),
          viewer: viewer, zones: OccurrenceCase.resolver)
      }
      var first = query(0, 86_400)
      let prepared = items.enumerated().map { first.prepare($0.element, source: $0.offset) }
      for _ in 0..<6 {
        let start = Int64.random(in: -100..<250, using: &random) * 86_400
        let length = Int64.random(in: 1..<60, using: &random) * 43_200
        var (direct, later) = (query(start, length), query(start, length))
        for (number, item) in items.enumerated() { direct.add(item, source: number) }
        for item in prepared { later.add(item) }
        let (expected, found) = (Array(direct.occurrences()), Array(later.occurrences()))
        guard found != expected else { continue }
        throw Difference(
          description: "expected \(expected.map(Self.text)), found \(found.map(Self.text))")
      }
    }
  }

  private static func text(_ one: Occurrence) -> String {
    let times = [one.start, one.end].map { time in
      time.time.isAllDay ? time.time.date.description : time.time.wallTime.description
    }
    let id = one.recurrenceID.map { " = \($0.instant.secondsSinceEpoch)" } ?? ""
    let summary = one.component[.summary]?.text ?? ""
    return "\(one.uid) \(times.joined(separator: "/"))\(id) \(summary)"
  }
}
