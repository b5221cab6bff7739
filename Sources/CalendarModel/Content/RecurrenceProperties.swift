// SPDX-License-Identifier: Apache-2.0

public import Recurrence

/// How an item recurs: its rules and its single dates, as they stand in the file (RFC 5545 §3.8.5).
///
/// The occurrences are those of the start, the rules and the dates together, less those of the
/// exclusions.
public struct RecurrenceProperties: Hashable, Sendable {
  /// Rules by which it recurs (RRULE, RFC 5545 §3.8.5.3); files have at most one, as a rule.
  public var rules: [RecurrenceRule] = []
  /// Rules by which occurrences do not take place (EXRULE, RFC 2445 §4.8.5.2); old files have them.
  public var exclusionRules: [RecurrenceRule] = []
  /// Occurrences that are added one by one (RDATE, RFC 5545 §3.8.5.2).
  public var dates: [RecurrenceDate] = []
  /// Starts of occurrences that do not take place (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [EventTime] = []

  /// Creates a set that says nothing: an item that does not recur.
  public init() {}

  /// Whether an item with this set may have more than one occurrence.
  public var isRecurring: Bool { !rules.isEmpty || !dates.isEmpty }
}
