// SPDX-License-Identifier: Apache-2.0

/// How a year of a calendar is made up of months and days.
public struct CalendarYear: Hashable, Sendable {
  /// The number of the year.
  public let number: Int
  /// Its first day, as the number of days since 1970-01-01.
  public let firstDay: Int
  /// Its months in order, at least one.
  public let months: [CalendarMonth]
  /// The number of its days.
  public let length: Int

  /// The greatest number of days that a year may have.
  public static let greatestLength = 390
  /// The greatest number of days that a month may have.
  public static let greatestMonthLength = 32

  /// Creates the layout of a year, or nil if it has no months or is longer than any year can be.
  ///
  /// - Parameters:
  ///   - number: The number of the year.
  ///   - firstDay: Its first day, as the number of days since 1970-01-01.
  ///   - months: Its months in order, each of 1 through ``greatestMonthLength`` days.
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

  /// The place of the month that a day of the year lies in, and the day's number in it, from 1.
  func place(ofDay day: Int) -> (month: Int, day: Int) {
    var rest = day - firstDay
    for (index, month) in months.enumerated() {
      if rest < month.length { return (index, rest + 1) }
      rest -= month.length
    }
    return (months.count - 1, months[months.count - 1].length)
  }

  /// The number of days before the month at a place.
  func days(beforeMonth index: Int) -> Int { months[..<index].reduce(0) { $0 + $1.length } }
}

/// A month of a year.
public struct CalendarMonth: Hashable, Sendable {
  /// The number by which BYMONTH names it.
  public let number: MonthNumber
  /// The number of its days.
  public let length: Int

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - number: The number by which BYMONTH names it.
  ///   - length: The number of its days.
  public init(_ number: MonthNumber, length: Int) {
    self.number = number
    self.length = length
  }
}
