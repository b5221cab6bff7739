// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// HTTP dates (RFC 9110 §5.6.7), which are always in GMT.
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT` or one of the two obsolete formats, or returns nil.
  static func parse(_ text: String) -> Instant? {
    // The obsolete formats use hyphens in the date, or have the year last.
    let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
    guard words.count >= 5,
      let monthPlace = words.firstIndex(where: { months.contains(String($0)) }),
      let month = months.firstIndex(of: String(words[monthPlace])),
      let timePlace = words.firstIndex(where: { $0.contains(":") })
    else { return nil }
    let dayPlace = monthPlace == 1 ? 2 : monthPlace - 1
    let yearPlace = monthPlace == 1 ? 4 : monthPlace + 1
    guard words.indices.contains(dayPlace), words.indices.contains(yearPlace),
      let day = Int(words[dayPlace]), var year = Int(words[yearPlace])
    else { return nil }
    // Two-digit years are from 1970 through 2069.
    if words[yearPlace].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
    let clock = words[timePlace].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, let date = CivilDate(year: year, month: month + 1, day: day),
      let time = TimeOfDay(hour: clock[0], minute: clock[1], second: min(clock[2], 59))
    else { return nil }
    return Instant(utc: CivilDateTime(date, time))
  }
}
