// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Rules on days of the week, which are the usual ones in code.
///
/// ```swift
/// RecurrenceRule(.weekly, on: [.monday, .thursday], count: 10)
/// RecurrenceRule(.monthly, on: [.last(.friday)])
/// ```
extension RecurrenceRule {
  /// Creates a rule on days of the week, without an end or with a number of instances.
  ///
  /// - Parameters:
  ///   - frequency: The frequency.
  ///   - interval: The number of periods from one repetition to the next; less than 1 counts as 1.
  ///   - days: The days of each period; none is the day of the start. An ordinal counts in a month
  ///     or a year, and is left out of other frequencies (RFC 5545 §3.3.10).
  ///   - count: The number of instances, nil for no end; less than 1 counts as 1.
  public init(
    _ frequency: Frequency, interval: Int = 1, on days: [WeekdayNumber], count: Int? = nil
  ) {
    self.init(frequency)
    self.interval = max(1, interval)
    self.count = count.map { max(1, $0) }
    let hasOrdinals = frequency == .monthly || frequency == .yearly
    byDay = Self.sorted(days.map { hasOrdinals ? $0 : WeekdayNumber($0.weekday) })
  }

  /// Creates a rule on days of the week that ends at a time.
  ///
  /// - Parameters:
  ///   - frequency: The frequency.
  ///   - interval: The number of periods from one repetition to the next; less than 1 counts as 1.
  ///   - days: The days of each period, as in ``init(_:interval:on:count:)``.
  ///   - until: The latest time of an instance, in the form that the start requires.
  public init(
    _ frequency: Frequency, interval: Int = 1, on days: [WeekdayNumber], until: Until
  ) {
    self.init(frequency, interval: interval, on: days)
    self.until = until
  }

  /// The days without duplicates, in the order of a parsed rule.
  private static func sorted(_ days: [WeekdayNumber]) -> [WeekdayNumber] {
    guard !days.isEmpty else { return [] }
    let text = "FREQ=YEARLY;BYDAY=" + days.map(\.description).joined(separator: ",")
    return (try? RecurrenceRule.parse(leniently: text))?.rule.byDay ?? []
  }
}

extension WeekdayNumber {
  /// Every Monday.
  public static let monday = WeekdayNumber(.monday)
  /// Every Tuesday.
  public static let tuesday = WeekdayNumber(.tuesday)
  /// Every Wednesday.
  public static let wednesday = WeekdayNumber(.wednesday)
  /// Every Thursday.
  public static let thursday = WeekdayNumber(.thursday)
  /// Every Friday.
  public static let friday = WeekdayNumber(.friday)
  /// Every Saturday.
  public static let saturday = WeekdayNumber(.saturday)
  /// Every Sunday.
  public static let sunday = WeekdayNumber(.sunday)

  /// The first such weekday of the month or the year.
  public static func first(_ weekday: Weekday) -> WeekdayNumber {
    WeekdayNumber(weekday, ordinal: 1)
  }

  /// The last such weekday of the month or the year.
  public static func last(_ weekday: Weekday) -> WeekdayNumber {
    WeekdayNumber(weekday, ordinal: -1)
  }
}
