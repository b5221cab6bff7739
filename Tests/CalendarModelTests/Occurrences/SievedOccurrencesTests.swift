// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// What is dropped before it is read, against a query that reads everything.
@Suite("Occurrences of calendars that were sifted") struct SievedOccurrencesTests {
  private struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  @Test("A sieve takes nothing away that takes place in its days, also of items with revisions")
  func agrees() {
    var droppedCount = 0
    var tornCount = 0
    forAll(200) { random in
      var lines: [String] = []
      for _ in 0..<Int.random(in: 1..<6, using: &random) {
        // The same UID may be there twice, with other times, rules and overrides.
        let uid = "u\(Int.random(in: 0..<3, using: &random))"
        for line in RandomSeries.components(uid: uid, &random) {
          lines.append(line)
          if line.hasPrefix("UID"), Bool.random(using: &random) {
            lines.append("SEQUENCE:\(Int.random(in: 0..<3, using: &random))")
          }
        }
      }
      let text = calendar(lines)
      let zone = ["Europe/Berlin", "Asia/Tokyo", "UTC"].randomElement(using: &random) ?? "UTC"
      let viewer = try OccurrenceCase.database.rules(named: zone)
      let start = Int64.random(in: 0..<300, using: &random) * 86_400 + 1_767_225_600
      let length = Int64.random(in: 1..<60, using: &random) * 43_200
      let range =
        Instant(secondsSinceEpoch: start)..<Instant(secondsSinceEpoch: start + length)
      guard let first = viewer.civil(at: range.lowerBound)?.date,
        let last = viewer.civil(at: range.upperBound)?.date
      else { return }
      var sieve = ComponentSieve(days: first...last)
      var sifted = sieve.sift(text, isLast: true)
      droppedCount += sieve.droppedCount
      if !sieve.tornItems.isEmpty {
        tornCount += 1
        sieve = ComponentSieve(days: first...last, keeping: sieve.tornItems)
        sifted = sieve.sift(text, isLast: true)
        guard sieve.tornItems.isEmpty else { throw Difference(description: "torn again") }
      }
      let expected = try occurrences(text, in: range, viewer)
      let found = try occurrences(sifted, in: range, viewer)
      guard found == expected else {
        let missing = Set(expected).subtracting(found)
        let added = Set(found).subtracting(expected)
        throw Difference(
          description: "\(range): missing \(missing), added \(added) in\n"
            + lines.joined(separator: "\n"))
      }
    }
    #expect(droppedCount > 500)
    #expect(tornCount > 20)
  }

  private func occurrences(
    _ text: [UInt8], in range: Range<Instant>, _ viewer: ZoneRules
  ) throws -> [Occurrence] {
    var query = OccurrenceQuery(in: range, viewer: viewer, zones: OccurrenceCase.resolver)
    var reading = OccurrenceReading()
    for calendar in try CalendarStream(parsing: text).calendars {
      for component in calendar.components { reading.take(component) }
    }
    reading.finish(into: &query, source: 0)
    return Array(query.occurrences())
  }
}
