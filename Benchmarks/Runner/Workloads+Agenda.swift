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
  private let june: JuneReader
  private(set) var answers: Answers = [:]

  init(input: String) throws {
    june = try JuneReader(input: input)
  }

  mutating func run() throws {
    var sieve = ComponentSieve(days: june.days)
    var reading = try june.read { try $0.consume(sieve.sift($1, isLast: $2).span) }
    if !sieve.tornItems.isEmpty {
      sieve = ComponentSieve(days: june.days, keeping: sieve.tornItems)
      reading = try june.read { try $0.consume(sieve.sift($1, isLast: $2).span) }
    }
    answers = try june.answers(of: reading)
  }
}

/// The same occurrences as `Agenda` finds, with every component parsed: what its sieve is worth.
struct UnsiftedAgenda: Workload {
  private let june: JuneReader
  private(set) var answers: Answers = [:]

  init(input: String) throws {
    june = try JuneReader(input: input)
  }

  mutating func run() throws {
    answers = try june.answers(of: june.read { reader, chunk, _ in try reader.consume(chunk.span) })
  }
}

/// Reads a file in chunks and finds what takes place in June 2026.
private struct JuneReader: Sendable {
  private static let chunkSize = 1 << 16

  let input: String
  /// The first and the last day for which components are read.
  let days: ClosedRange<CivilDate>

  init(input: String) throws {
    guard let first = CivilDate(dayNumber: June.firstDay),
      let end = CivilDate(dayNumber: June.endDay)
    else { throw Failure("June is not there") }
    self.input = input
    days = first...end
  }

  /// Reads the file; `feed` passes a chunk to the reader, and receives whether it is the last one.
  func read(
    _ feed: (inout ComponentReader, [UInt8], Bool) throws -> Void
  ) throws -> OccurrenceReading {
    let file = try InputFile(input)
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    var reader = ComponentReader()
    var reading = OccurrenceReading()
    while true {
      let count = try file.read(into: &chunk)
      try feed(&reader, Array(chunk[..<count]), count == 0)
      if count == 0 { try reader.finish() }
      while let element = reader.next() { reading.take(element) }
      if count == 0 { return reading }
    }
  }

  /// The number of occurrences that start in June, and the sum of their starts in minutes.
  func answers(of reading: OccurrenceReading) throws -> Answers {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let start = Instant(utc: CivilDateTime(days.lowerBound, .midnight))
    let end = Instant(utc: CivilDateTime(days.upperBound, .midnight))
    var query = OccurrenceQuery(
      in: start..<end, viewer: try database.rules(named: "UTC"),
      zones: ZoneResolver(database: database))
    reading.finish(into: &query, source: 0)
    var (occurrences, minutes) = (0, 0)
    for occurrence in query.occurrences() where occurrence.kind == .event {
      // The agenda includes earlier starts, but the answer does not.
      let minute = Int(occurrence.start.instant.secondsSinceEpoch / 60)
      guard minute >= June.firstDay * 1440 else { continue }
      occurrences += 1
      minutes += minute
    }
    return [.juneOccurrences: occurrences, .juneStartMinutes: minutes]
  }
}
