// SPDX-License-Identifier: Apache-2.0

/// How an item recurs: its rules and its single dates, as they stand in the file (RFC 5545 §3.8.5).
///
/// The occurrences are those of the start, the rules and the dates together, less those of the
/// exclusions.
public struct RecurrenceSet: Hashable, Sendable {
  /// Occurrences that are added one by one (RDATE, RFC 5545 §3.8.5.2).
  public var dates: [RecurrenceDate] = []
  /// Starts of occurrences that do not take place (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [EventTime] = []

  /// Creates a set that says nothing: an item that does not recur.
  public init() {}

  /// Whether an item with this set may have more than one occurrence.
  public var isRecurring: Bool { !dates.isEmpty }
}
