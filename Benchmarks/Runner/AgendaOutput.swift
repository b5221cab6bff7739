// SPDX-License-Identifier: Apache-2.0

import BenchmarkFiles
import CivilTime

/// Parses the output of `epact agenda --json`.
///
/// The program is measured as a user runs it, so its output is read as another program would read
/// it.
enum AgendaOutput {
  /// The arguments that request the agenda of June.
  static let arguments = [
    "agenda", "--json", "--zone", "UTC", "--from", "2026-06-01", "--to", "2026-07-01",
  ]

  /// The number of events that start in June, and the sum of their starts in minutes.
  ///
  /// - Throws: `Failure` if an event has no start.
  static func answers(_ output: String) throws -> Answers {
    var (occurrences, minutes) = (0, 0)
    // Each line is one occurrence; quotation marks in texts are escaped.
    for line in output.split(separator: "\n") where line.contains("\"component\":\"VEVENT\"") {
      guard let start = value(of: "start", in: line), let minute = minute(start) else {
        throw Failure("expected an event with a start, found \(line)")
      }
      // The agenda includes earlier starts, but the answer does not.
      guard minute >= June.firstDay * 1440 else { continue }
      occurrences += 1
      minutes += minute
    }
    return [.juneOccurrences: occurrences, .juneStartMinutes: minutes]
  }

  private static func value(of name: String, in line: Substring) -> Substring? {
    guard let place = line.firstRange(of: "\"\(name)\":\"") else { return nil }
    return line[place.upperBound...].prefix { $0 != "\"" }
  }

  /// The minutes since 1970 of an RFC 3339 time, or of a date, which starts at midnight UTC.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: "T")
    let numbers = parts.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard numbers.count == 3,
      let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    guard parts.count == 2 else { return date.dayNumber * 1440 }
    let time = parts[1]
    guard let wall = clock(time.prefix(5)) else { return nil }
    let zone = time.dropFirst(8)
    guard zone != "Z" else { return date.dayNumber * 1440 + wall }
    guard let offset = clock(zone.dropFirst()) else { return nil }
    return date.dayNumber * 1440 + wall - (zone.hasPrefix("-") ? -offset : offset)
  }

  /// The minutes of `HH:MM`.
  private static func clock(_ text: Substring) -> Int? {
    let numbers = text.split(separator: ":").compactMap { Int($0) }
    return numbers.count == 2 ? numbers[0] * 60 + numbers[1] : nil
  }
}
