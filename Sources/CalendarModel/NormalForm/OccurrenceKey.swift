// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Which occurrence of a series a component describes, in whatever words its RECURRENCE-ID says it
/// (RFC 5545 §3.8.4.4).
///
/// It is a point in time wherever the zone is known, and a day in a series of days.
public enum OccurrenceKey: Hashable, Sendable {
  /// The series as a whole.
  case series
  /// The occurrence on a day.
  case date(CivilDate)
  /// The occurrence at a point in time.
  case instant(Instant)
  /// The occurrence at a time on a clock that is not known: one of whoever reads it, if it has no name.
  case local(CivilDateTime, clock: String)
  /// An occurrence that nobody can find: the value as it stands in the file.
  case unreadable(String)
}
