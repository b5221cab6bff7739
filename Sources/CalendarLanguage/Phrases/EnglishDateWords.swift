// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// The English words of date phrases, which are parsed in every language.
enum EnglishDateWords {
  private static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The abbreviation of a weekday in three letters.
  static func abbreviation(of weekday: Weekday) -> String { String(name(of: weekday).prefix(3)) }

  /// The name of a weekday.
  static func name(of weekday: Weekday) -> String {
    weekdayNames[Int(weekday.rawValue) % weekdayNames.count]
  }

  /// The name of a month from 1 through 12.
  static func name(ofMonth month: Int) -> String {
    monthNames[max(0, month - 1) % monthNames.count]
  }

  /// The words for days, months and parts of the day.
  static let all: [DateWords] = {
    var words: [DateWords] = [
      DateWords(.now, "now"), DateWords(.day(0), "today"), DateWords(.day(1), "tomorrow"),
      DateWords(.day(-1), "yesterday"), DateWords(.day(2), "day after tomorrow"),
      DateWords(.day(-2), "day before yesterday"), DateWords(.half(isAfternoon: false), "am"),
      DateWords(.half(isAfternoon: true), "pm"), DateWords(.weekday(.tuesday), "tues"),
      DateWords(.weekday(.wednesday), "weds"), DateWords(.weekday(.thursday), "thur"),
      DateWords(.weekday(.thursday), "thurs"), DateWords(.month(9), "sept"),
      DateWords(.month(2), "febr"),
    ]
    for weekday in Weekday.allCases {
      words.append(DateWords(.weekday(weekday), name(of: weekday)))
      words.append(DateWords(.weekday(weekday), abbreviation(of: weekday)))
    }
    for month in 1...12 {
      words.append(DateWords(.month(month), name(ofMonth: month)))
      words.append(DateWords(.month(month), String(name(ofMonth: month).prefix(3))))
    }
    return words
  }()

  /// The names and abbreviations of units; `m` is a minute.
  static let units: [String: DateWords.Unit] = [
    "m": .minute, "min": .minute, "mins": .minute, "minute": .minute, "minutes": .minute,
    "h": .hour, "hr": .hour, "hrs": .hour, "hour": .hour, "hours": .hour,
    "d": .day, "day": .day, "days": .day, "w": .week, "wk": .week, "week": .week, "weeks": .week,
    "mo": .month, "month": .month, "months": .month,
    "y": .year, "yr": .year, "year": .year, "years": .year,
  ]

  /// The words before a weekday or a unit, with the distance from the current one.
  static let distances: [String: Int] = [
    "this": 0, "next": 1, "coming": 1, "last": -1, "previous": -1, "past": -1,
  ]
}
