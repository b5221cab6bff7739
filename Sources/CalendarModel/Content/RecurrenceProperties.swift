// SPDX-License-Identifier: Apache-2.0

public import Recurrence

/// The recurrence rules and dates of an item, as in the file (RFC 5545 §3.8.5).
///
/// The occurrences are the start and the results of the rules and dates, minus the exclusions.
public struct RecurrenceProperties: Hashable, Sendable {
  /// The recurrence rules, usually at most one (RRULE, RFC 5545 §3.8.5.3).
  public var rules: [RecurrenceRule] = []
  /// The rules for excluded occurrences in old files (EXRULE, RFC 2445 §4.8.5.2).
  public var exclusionRules: [RecurrenceRule] = []
  /// The additional occurrences (RDATE, RFC 5545 §3.8.5.2).
  public var dates: [RecurrenceDate] = []
  /// The starts of excluded occurrences (EXDATE, RFC 5545 §3.8.5.1).
  public var excludedDates: [EventTime] = []

  /// Creates an empty value, for an item that does not recur.
  public init() {}

  /// Whether an item with these properties can have more than one occurrence.
  public var isRecurring: Bool { !rules.isEmpty || !dates.isEmpty }
}
