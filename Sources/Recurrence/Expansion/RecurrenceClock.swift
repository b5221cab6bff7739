// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The clock of a recurrence's start: the type of its DTSTART.
public enum RecurrenceClock: Hashable, Sendable {
  /// No clock: the start is a date (RFC 5545 §3.3.4).
  case date
  /// The clock of the observer: the start is floating (RFC 5545 §3.3.5, form 1).
  case floating
  /// The clock in UTC (form 2).
  case utc
  /// The clock of a zone (form 3).
  case zone(ZoneRules)
}
