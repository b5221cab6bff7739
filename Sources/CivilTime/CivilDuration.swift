// SPDX-License-Identifier: Apache-2.0

/// A duration that keeps nominal days and exact time apart (RFC 5545 §3.3.6, DURATION).
///
/// A week is seven days. A day ends at the same wall-clock time on the next date, however many
/// hours that takes. Hours, minutes and seconds are exact. `P1D` and `PT24H` therefore differ, and
/// no part is carried over into another.
///
/// ```swift
/// try CivilDuration(parsing: "P15DT5H0M20S").nominalDays  // 15
/// ```
///
/// ## Topics
///
/// ### Making durations
/// - ``init(isNegative:weeks:days:hours:minutes:seconds:)``
/// - ``init(parsing:)``
/// - ``minutes(_:)``
/// - ``hours(_:)``
/// - ``days(_:)``
///
/// ### Effect
/// - ``nominalDays``
/// - ``exactSeconds``
public struct CivilDuration: Hashable, Sendable {
  /// Whether the duration is subtracted; false for a duration of zero.
  public let isNegative: Bool
  private let storedWeeks: UInt32
  private let storedDays: UInt32
  private let storedHours: UInt32
  private let storedMinutes: UInt32
  private let storedSeconds: UInt32

  /// The duration of zero.
  public static let zero = CivilDuration(isNegative: false, storedParts: (0, 0, 0, 0, 0))

  /// The maximum value of a part.
  public static let greatestPart = Int(Int32.max)

  /// Creates a duration, or returns nil if a part is not from 0 through ``greatestPart``.
  ///
  /// Weeks combined with other parts are written as days (RFC 5545 §3.3.6), so the total number of
  /// days must not exceed ``greatestPart`` either.
  public init?(
    isNegative: Bool = false, weeks: Int = 0, days: Int = 0, hours: Int = 0, minutes: Int = 0,
    seconds: Int = 0
  ) {
    let range = 0...CivilDuration.greatestPart
    guard range ~= weeks, range ~= days, range ~= hours, range ~= minutes, range ~= seconds else {
      return nil
    }
    let isWritable = weeks * 7 + days <= CivilDuration.greatestPart
    guard isWritable || (days, hours, minutes, seconds) == (0, 0, 0, 0) else { return nil }
    self.init(
      isNegative: isNegative && (weeks, days, hours, minutes, seconds) != (0, 0, 0, 0, 0),
      storedParts: (
        UInt32(weeks), UInt32(days), UInt32(hours), UInt32(minutes), UInt32(seconds)
      ))
  }

  /// Creates a duration of hours, minutes and seconds; nil for a negative number of seconds, and for
  /// too large ones.
  ///
  /// - Parameter seconds: The sum of the parts in seconds.
  package init?(exactSeconds seconds: Int64) {
    guard let count = Int(exactly: seconds), count >= 0 else { return nil }
    self.init(hours: count / 3600, minutes: count / 60 % 60, seconds: count % 60)
  }

  private init(isNegative: Bool, storedParts parts: (UInt32, UInt32, UInt32, UInt32, UInt32)) {
    self.isNegative = isNegative
    (storedWeeks, storedDays, storedHours, storedMinutes, storedSeconds) = parts
  }

  /// The weeks, without a sign.
  public var weeks: Int { Int(storedWeeks) }
  /// The days in addition to the weeks, without a sign.
  public var days: Int { Int(storedDays) }
  /// The hours, without a sign; they may exceed 23.
  public var hours: Int { Int(storedHours) }
  /// The minutes, without a sign; they may exceed 59.
  public var minutes: Int { Int(storedMinutes) }
  /// The seconds, without a sign; they may exceed 59.
  public var seconds: Int { Int(storedSeconds) }

  /// The weeks and days, in days; negative for a negative duration.
  public var nominalDays: Int {
    let magnitude = weeks * 7 + days
    return isNegative ? -magnitude : magnitude
  }

  /// The hours, minutes and seconds, in seconds; negative for a negative duration.
  public var exactSeconds: Int64 {
    let magnitude = Int64(hours) * 3600 + Int64(minutes) * 60 + Int64(seconds)
    return isNegative ? -magnitude : magnitude
  }

  /// The duration with the opposite sign.
  public var negated: CivilDuration {
    self == .zero
      ? self
      : CivilDuration(
        isNegative: !isNegative,
        storedParts: (storedWeeks, storedDays, storedHours, storedMinutes, storedSeconds))
  }
}

extension CivilDuration {
  /// A duration of weeks; negative for a negative number.
  ///
  /// The part is limited to ``greatestPart``, as in the other functions of this kind.
  public static func weeks(_ count: Int) -> CivilDuration {
    made(count) { CivilDuration(isNegative: count < 0, weeks: $0) }
  }

  /// A duration of nominal days; negative for a negative number.
  public static func days(_ count: Int) -> CivilDuration {
    made(count) { CivilDuration(isNegative: count < 0, days: $0) }
  }

  /// A duration of hours; negative for a negative number.
  public static func hours(_ count: Int) -> CivilDuration {
    made(count) { CivilDuration(isNegative: count < 0, hours: $0) }
  }

  /// A duration of minutes; negative for a negative number.
  ///
  /// ```swift
  /// let noon = try CivilDateTime(parsing: "20261130T120000")
  /// noon.adding(-.minutes(10))  // 20261130T115000
  /// ```
  public static func minutes(_ count: Int) -> CivilDuration {
    made(count) { CivilDuration(isNegative: count < 0, minutes: $0) }
  }

  /// A duration of seconds; negative for a negative number.
  public static func seconds(_ count: Int) -> CivilDuration {
    made(count) { CivilDuration(isNegative: count < 0, seconds: $0) }
  }

  /// The duration with the opposite sign.
  public static prefix func - (duration: CivilDuration) -> CivilDuration { duration.negated }

  private static func made(_ count: Int, _ make: (Int) -> CivilDuration?) -> CivilDuration {
    make(Int(min(count.magnitude, UInt(greatestPart)))) ?? .zero
  }
}

extension CivilDuration: CustomStringConvertible {
  /// Reads a duration such as `-PT15M` (RFC 5545 §3.3.6).
  ///
  /// - Parameter text: The text, with nothing before or after the duration.
  /// - Throws: `BasicFormatError` at the first character that does not fit.
  public init(parsing text: String) throws(BasicFormatError) {
    self = try BasicFormat.duration(text.utf8.span)
  }

  /// The canonical form, which every RFC 5545 §3.3.6 reader accepts.
  ///
  /// The grammar allows weeks only alone, and seconds only after minutes. `P1W2D` therefore becomes
  /// `P9D`, an hour and a second become `PT1H0M1S`, and a duration of zero becomes `PT0S`.
  public var description: String {
    let sign = isNegative ? "-P" : "P"
    let hasTime = hours != 0 || minutes != 0 || seconds != 0
    if weeks != 0, days == 0, !hasTime { return "\(sign)\(weeks)W" }
    let dayCount = weeks * 7 + days
    var text = dayCount == 0 ? sign : "\(sign)\(dayCount)D"
    guard hasTime || dayCount == 0 else { return text }
    text += "T"
    if hours != 0 { text += "\(hours)H" }
    if minutes != 0 || (hours != 0 && seconds != 0) { text += "\(minutes)M" }
    if seconds != 0 || !hasTime { text += "\(seconds)S" }
    return text
  }
}
