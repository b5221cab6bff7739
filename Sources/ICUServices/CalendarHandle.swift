// SPDX-License-Identifier: Apache-2.0

internal import CICU
internal import Recurrence

/// An ICU calendar, which is closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct CalendarHandle: ~Copyable {
  /// More months than any year has.
  private static let monthLimit = 14

  private let pointer: OpaquePointer

  /// Opens a calendar by its CLDR name, or returns nil if ICU does not have it.
  init?(name: String) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_calendar_open(name, &status) else { return nil }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_calendar_close(pointer)
  }

  /// The number of the year that contains a day, or nil if ICU fails.
  mutating func year(ofDay day: Int32) -> Int? {
    var status: Int32 = 0
    let year = unsafe cicu_calendar_year(pointer, day, &status)
    return status > 0 ? nil : Int(year)
  }

  /// The layout of a year, or nil if ICU fails.
  mutating func layout(ofYear year: Int32) -> CalendarYear? {
    var (status, firstDay): (Int32, Int32) = (0, 0)
    var months = [cicu_month](
      repeating: cicu_month(number: 0, is_leap: false, length: 0), count: Self.monthLimit)
    let count = unsafe cicu_calendar_months(
      pointer, year, &firstDay, &months, Int32(Self.monthLimit), &status)
    guard status <= 0 else { return nil }
    return CalendarYear(
      number: Int(year), firstDay: Int(firstDay),
      months: months.prefix(Int(count)).map {
        CalendarMonth(
          MonthNumber(Int($0.number), isLeap: $0.is_leap), length: Int($0.length))
      })
  }
}
