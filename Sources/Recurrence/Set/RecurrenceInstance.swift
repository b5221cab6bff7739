// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// One of the times at which something recurs.
public struct RecurrenceInstance: Hashable, Sendable {
  /// What gives an instance.
  public enum Source: Hashable, Sendable {
    /// The start itself.
    case start
    /// The rule at a place in ``RecurrenceSet/rules``.
    case rule(Int)
    /// The moment at a place in ``RecurrenceSet/dates``; a period has an end of its own.
    case date(Int)
  }

  /// The time on the clock of the start, as the rule or the file says it; midnight for a day.
  ///
  /// The clocks of a zone may skip it: ``instant`` tells when the instance then takes place.
  public let local: CivilDateTime
  /// The point in time, or nil if the start is a day or floating.
  public let instant: Instant?
  /// What gives it; the start before a rule, and a rule before a date.
  public let source: Source
}
