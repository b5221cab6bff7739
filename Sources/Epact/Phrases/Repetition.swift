// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The recurrence of an item, as users write it.
///
/// The text is `daily`, `weekly`, `monthly`, `yearly`, `weekdays`, `every 2 weeks`, a rule such as
/// `FREQ=MONTHLY;BYDAY=-1FR` (RFC 5545 §3.3.10), or `never`.
public struct Repetition: Hashable, Sendable {
  /// The text; nil for the rule that the item has.
  public var text: String?
  /// The number of occurrences; nil to keep the end of the rule.
  public var count: Int?
  /// The date or time of the last occurrence; nil to keep the end of the rule.
  public var until: Moment?
  /// Whether the rule has no end, also if that of the item has one.
  public var isEndless = false
  /// The first day of a week, which several weekdays every few weeks depend on.
  ///
  /// A text that is a rule states its own.
  public var weekStart = Weekday.monday

  /// Creates a recurrence.
  ///
  /// - Parameters:
  ///   - text: The text; nil for the rule that the item has.
  ///   - count: The number of occurrences, from 1.
  ///   - until: The date or time of the last occurrence.
  public init(_ text: String?, count: Int? = nil, until: Moment? = nil) {
    self.text = text
    self.count = count
    self.until = until
  }
}
