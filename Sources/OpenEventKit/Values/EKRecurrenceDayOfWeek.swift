// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Recurrence

/// A day of the week in a recurrence rule: every such day, or the n-th one of a month or year.
open class EKRecurrenceDayOfWeek: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The day of the week.
  public let dayOfTheWeek: EKWeekday
  /// The number of the day in its month or year, from the end if it is negative; 0 for every day.
  ///
  /// Rules use numbers from -53 through 53. A rule leaves out a day with another number. A weekly
  /// or daily rule ignores the numbers.
  public let weekNumber: Int

  /// Creates the n-th day of a month or year.
  ///
  /// - Parameters:
  ///   - dayOfTheWeek: The day of the week.
  ///   - weekNumber: The number of the day, from the end if it is negative; 0 for every day.
  public init(dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.dayOfTheWeek = dayOfTheWeek
    self.weekNumber = weekNumber
  }

  /// Creates a day in every week.
  ///
  /// - Parameter dayOfTheWeek: The day of the week.
  public convenience init(_ dayOfTheWeek: EKWeekday) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: 0)
  }

  /// Creates the n-th day of a month or year.
  ///
  /// - Parameters:
  ///   - dayOfTheWeek: The day of the week.
  ///   - weekNumber: The number of the day, from the end if it is negative; 0 for every day.
  public convenience init(_ dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: weekNumber)
  }

  /// Reads a day from an archive; nil if the archive has no day of the week.
  public required init?(coder: NSCoder) {
    guard let day = EKWeekday(rawValue: coder.decodeInteger(forKey: "dayOfTheWeek")) else {
      return nil
    }
    dayOfTheWeek = day
    weekNumber = coder.decodeInteger(forKey: "weekNumber")
  }

  /// The day of a rule in a file.
  convenience init(_ day: WeekdayNumber) {
    self.init(dayOfTheWeek: EKWeekday(day.weekday), weekNumber: day.ordinal ?? 0)
  }

  /// Whether days can be archived securely: true.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the day to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(dayOfTheWeek.rawValue, forKey: "dayOfTheWeek")
    coder.encode(weekNumber, forKey: "weekNumber")
  }

  /// The day itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether an object is the same day.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceDayOfWeek else { return false }
    return dayOfTheWeek == other.dayOfTheWeek && weekNumber == other.weekNumber
  }

  /// A hash of the day.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(dayOfTheWeek)
    hasher.combine(weekNumber)
    return hasher.finalize()
  }
}
