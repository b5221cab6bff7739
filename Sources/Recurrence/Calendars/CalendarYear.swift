// SPDX-License-Identifier: Apache-2.0

/// The layout of a calendar year: its months and days.
public struct CalendarYear: Hashable, Sendable {
  /// The number of the year.
  public let number: Int
  /// The first day, as the number of days since 1970-01-01.
  public let firstDay: Int
  /// The months in order, at least one.
  public let months: [CalendarMonth]
  /// The number of days in the year.
  public let length: Int

  /// The maximum number of days in a year.
  public static let greatestLength = 390
  /// The maximum number of days in a month.
  public static let greatestMonthLength = 32

  /// Creates the layout of a year, or returns nil if it has no months or is too long.
  ///
  /// - Parameters:
  ///   - number: The number of the year.
  ///   - firstDay: The first day, as the number of days since 1970-01-01.
  ///   - months: The months in order, each of 1 through ``greatestMonthLength`` days.
  public init?(number: Int, firstDay: Int, months: [CalendarMonth]) {
    let length = months.reduce(0) { $0 + min($1.length, CalendarYear.greatestLength) }
    guard !months.isEmpty, length <= CalendarYear.greatestLength,
      months.allSatisfy({ 1...CalendarYear.greatestMonthLength ~= $0.length })
    else { return nil }
    self.number = number
    self.firstDay = firstDay
    self.months = months
    self.length = length
  }

  /// Whether a day lies in the year.
  func contains(day: Int) -> Bool { day >= firstDay && day - firstDay < length }

  /// The index of the month that contains a day, and the day of that month, from 1.
  func place(ofDay day: Int) -> (month: Int, day: Int) {
    var rest = day - firstDay
    for (index, month) in months.enumerated() {
      if rest < month.length { return (index, rest + 1) }
      rest -= month.length
    }
    return (months.count - 1, months[months.count - 1].length)
  }

  /// The number of days before the month at an index.
  func days(beforeMonth index: Int) -> Int { months[..<index].reduce(0) { $0 + $1.length } }
}

/// A month of a year.
public struct CalendarMonth: Hashable, Sendable {
  /// The number that BYMONTH uses for the month.
  public let number: MonthNumber
  /// The number of days in the month.
  public let length: Int

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - number: The number that BYMONTH uses for the month.
  ///   - length: The number of days in the month.
  public init(_ number: MonthNumber, length: Int) {
    self.number = number
    self.length = length
  }
}
