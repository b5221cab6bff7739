// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An instance of a recurrence.
public struct RecurrenceInstance: Hashable, Sendable {
  /// The source of an instance.
  public enum Source: Hashable, Sendable {
    /// The start itself.
    case start
    /// The rule at an index in ``RecurrenceSet/rules``.
    case rule(Int)
    /// The moment at an index in ``RecurrenceSet/dates``; a period has its own end.
    case date(Int)
  }

  /// The time on the start's clock, as the rule or the file specifies it; midnight for a date.
  ///
  /// It may fall in a gap of the zone; ``instant`` is then the actual time.
  public let local: CivilDateTime
  /// The instant, or nil if the start is a date or floating.
  public let instant: Instant?
  /// The source: the start takes precedence over rules, and rules over dates.
  public let source: Source
}
