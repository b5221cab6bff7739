// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CalendarModel
import CivilTime
import ICalSyntax

/// Reads a file and finds the occurrences in June 2026, as `epact agenda` does.
///
/// It reads in chunks, drops components that are certainly far from that month, expands rules, and
/// applies overrides.
struct Agenda: Workload {
  private static let chunkSize = 1 << 16

  private let input: String
  private var (occurrences, minutes) = (0, 0)

  init(input: String) {
    self.input = input
  }

  mutating func run() throws {
    guard let first = CivilDate(dayNumber: June.firstDay),
      let end = CivilDate(dayNumber: June.endDay)
    else { throw Failure("June is not there") }
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    var query = OccurrenceQuery(
      in: Instant(
        utc: CivilDateTime(first, .midnight))..<Instant(utc: CivilDateTime(end, .midnight)),
      viewer: try database.rules(named: "UTC"), zones: ZoneResolver(database: database))
    var sieve = ComponentSieve(days: first...end)
    var reading = try read(&sieve)
    if !sieve.tornItems.isEmpty {
      sieve = ComponentSieve(days: first...end, keeping: sieve.tornItems)
      reading = try read(&sieve)
    }
    reading.finish(into: &query, source: 0)
    (occurrences, minutes) = (0, 0)
    for occurrence in query.occurrences() where occurrence.kind == .event {
      // The agenda includes earlier starts, but the answer does not.
      let minute = Int(occurrence.start.instant.secondsSinceEpoch / 60)
      guard minute >= June.firstDay * 1440 else { continue }
      occurrences += 1
      minutes += minute
    }
  }

  private func read(_ sieve: inout ComponentSieve) throws -> OccurrenceReading {
    let file = try InputFile(input)
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    var reader = ComponentReader()
    var reading = OccurrenceReading()
    while true {
      let count = try file.read(into: &chunk)
      try reader.consume(sieve.sift(Array(chunk[..<count]), isLast: count == 0).span)
      if count == 0 { try reader.finish() }
      while let element = reader.next() { reading.take(element) }
      if count == 0 { return reading }
    }
  }

  var answers: Answers { [.juneOccurrences: occurrences, .juneStartMinutes: minutes] }
}
