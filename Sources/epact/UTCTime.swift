// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A moment as it is told to people and programs: `2026-03-18T09:30:00Z`.
enum UTCTime {
  /// The text of a moment.
  static func text(_ instant: Instant) -> String {
    guard let civil = instant.civil() else { return instant.description }
    let (date, time) = (civil.date, civil.time)
    let numbers = [date.year, date.month, date.day, time.hour, time.minute, time.second]
    let digits = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits[..<3].joined(separator: "-") + "T" + digits[3...].joined(separator: ":") + "Z"
  }
}
