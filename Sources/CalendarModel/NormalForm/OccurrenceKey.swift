// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The identity of an occurrence, independent of the notation (RECURRENCE-ID, RFC 5545 §3.8.4.4).
///
/// It is an instant if the zone is known, and a date in an all-day series.
public enum OccurrenceKey: Hashable, Sendable {
  /// The whole series.
  case series
  /// The occurrence on a date.
  case date(CivilDate)
  /// The occurrence at an instant.
  case instant(Instant)
  /// The occurrence at a local time in an unknown zone; `clock` is empty for a floating time.
  case local(CivilDateTime, clock: String)
  /// An unidentifiable occurrence, with the invalid value from the file.
  case unreadable(String)
}
