// SPDX-License-Identifier: Apache-2.0

/// A local time, in minutes since 1970-01-01 00:00.
///
/// The arithmetic is deliberately independent of the library: expected answers from the library
/// under test would prove nothing.
struct Moment {
  var minutes: Int

  init(day: Int, minute: Int) {
    minutes = day * 1440 + minute
  }

  func adding(minutes: Int) -> Moment { Moment(day: 0, minute: self.minutes + minutes) }
  func adding(days: Int) -> Moment { adding(minutes: days * 1440) }

  /// Days since 1970-01-01; never negative in a generated file.
  var day: Int { minutes / 1440 }

  /// The two-letter weekday (RFC 5545 §3.3.10).
  var weekday: String { ["TH", "FR", "SA", "SU", "MO", "TU", "WE"][day % 7] }

  /// The day as `19970902`, computed by iterating over years and months.
  var dateText: String {
    var rest = day
    var year = 1970
    while rest >= Self.days(in: year) {
      rest -= Self.days(in: year)
      year += 1
    }
    var lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if Self.days(in: year) == 366 { lengths[1] = 29 }
    var month = 0
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    return Self.digits(year, 4) + Self.digits(month + 1, 2) + Self.digits(rest + 1, 2)
  }

  /// The day and the time as `19970902T090000`.
  var text: String {
    "\(dateText)T\(Self.digits(minutes % 1440 / 60, 2))\(Self.digits(minutes % 60, 2))00"
  }

  private static func days(in year: Int) -> Int {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// The form in which times of an item are written (RFC 5545 §3.3.4, §3.3.5).
enum TimeForm {
  case date
  case utc
  case floating
  case zoned(String)
}
