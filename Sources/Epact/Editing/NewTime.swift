// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
public import CivilTime

/// A new time of an item: a moment, or a phrase that counts from the time that the item has.
///
/// ```swift
/// details.start = .local(noon)                     // a moment
/// details.start = try dates.newTime("11:30")       // the day stays
/// details.end = try dates.newTime("2026-12-11")    // the time of day stays
/// ```
public enum NewTime: Hashable, Sendable {
  /// A moment; the date of an end is exclusive.
  case moment(Moment)
  /// A phrase, which keeps what it does not name; the date of an end includes the day.
  case phrase(TimePhrase)
  /// No time; the property is removed.
  case removed

  /// A date.
  public static func date(_ date: CivilDate) -> NewTime { .moment(.date(date)) }

  /// A local time.
  public static func local(_ wall: CivilDateTime) -> NewTime { .moment(.local(wall)) }

  /// An instant.
  public static func instant(_ instant: Instant) -> NewTime { .moment(.instant(instant)) }
}

extension DateReading {
  /// The new time of an item; an empty text removes it.
  ///
  /// - Throws: `EpactError` if the text is not a date phrase.
  public func newTime(_ text: String) throws(EpactError) -> NewTime {
    guard text.contains(where: { !$0.isWhitespace }) else { return .removed }
    return .phrase(try timePhrase(text))
  }
}
