// SPDX-License-Identifier: Apache-2.0

internal import CICU
public import CivilTime

/// The words of a language for dates, for the parsing of dates as people write them.
///
/// ```swift
/// let words = try DateWords.all(locale: "de_DE")
/// words.contains(DateWords(.day(1), "morgen"))       // true
/// words.contains(DateWords(.weekday(.friday), "Fr"))  // true
/// ```
public struct DateWords: Hashable, Sendable {
  /// A unit of time.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// 60 seconds.
    case minute
    /// 60 minutes.
    case hour
    /// A day of the calendar.
    case day
    /// Seven days.
    case week
    /// A month of the calendar.
    case month
    /// A year of the calendar.
    case year
  }

  /// The meaning of words.
  public enum Meaning: Hashable, Sendable {
    /// The name or the abbreviation of a weekday.
    case weekday(Weekday)
    /// The name or the abbreviation of a month, from 1 through 12.
    case month(Int)
    /// The words before noon (false) or after noon (true).
    case half(isAfternoon: Bool)
    /// The hour 15 or 3 with the words that name the hour, such as `15 Uhr`.
    case hour
    /// The present.
    case now
    /// A day by its distance from today, such as 1 for tomorrow.
    case day(Int)
    /// A week, month or year by its distance from the current one, such as 1 for the next one.
    case period(Unit, Int)
    /// A weekday before (-1) or after (1) today, or the nearest one (0).
    case nearWeekday(Weekday, Int)
    /// A number of units before (negative) or after now, such as `in 2 hours`.
    case distance(Unit, Int)
  }

  /// The meaning.
  public let meaning: Meaning
  /// The words in the language.
  public let text: String

  /// Creates words with a meaning.
  public init(_ meaning: Meaning, _ text: String) {
    self.meaning = meaning
    self.text = text
  }

  /// Returns the words of a locale.
  ///
  /// - Parameter locale: The language and region, such as `de_AT`; an unknown one has the words of
  ///   the closest known language.
  /// - Returns: The words; several can have the same meaning.
  /// - Throws: `ICUError` if ICU lacks its data.
  public static func all(locale: String) throws(ICUError) -> [DateWords] {
    try ICUCalls.dateWords(locale: locale).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", maxSplits: 3)
      guard fields.count == 4, let number = Int(fields[2]) else { return nil }
      return meaning(fields[0], fields[1], number).map { DateWords($0, String(fields[3])) }
    }
  }

  private static func meaning(
    _ kind: Substring, _ unit: Substring, _ number: Int
  ) -> Meaning? {
    switch (kind, unit) {
    case ("name", "weekday"): return weekday(number).map { .weekday($0) }
    case ("name", "month"): return .month(number)
    case ("name", "half"): return .half(isAfternoon: number == 1)
    case ("name", "hour"): return .hour
    case ("relative", "second"): return .now
    case ("relative", "day"): return .day(number)
    case ("relative", _) where unit.hasPrefix("weekday"):
      return Int(unit.dropFirst(7)).flatMap(weekday).map { .nearWeekday($0, number) }
    case ("relative", _): return Unit(rawValue: String(unit)).map { .period($0, number) }
    default: return Unit(rawValue: String(unit)).map { .distance($0, number) }
    }
  }

  /// The weekday of a number from 1 for Sunday through 7.
  private static func weekday(_ number: Int) -> Weekday? {
    UInt8(exactly: (number + 5) % 7).flatMap(Weekday.init(rawValue:))
  }
}
