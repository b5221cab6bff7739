// SPDX-License-Identifier: Apache-2.0

public import Recurrence

/// The choices where the RFC leaves occurrences undefined, and the limits of searches.
public struct OccurrenceOptions: Sendable {
  /// The time of a reminder's occurrence.
  public enum ReminderPlace: Hashable, Sendable, CaseIterable {
    /// From its start until its due time (RFC 4791 §9.9); at one of them if the other is missing.
    case span
    /// At its due time, or at its start if it has no due time.
    case due
    /// At its start, or at its due time if it has no start.
    case start
  }

  /// The time of reminders' occurrences.
  public var reminders = ReminderPlace.span
  /// Whether cancelled occurrences (STATUS:CANCELLED) are included.
  ///
  /// By default they are omitted: a cancelled override removes its occurrence from the series (RFC
  /// 5546 §3.2.5), and a cancelled main component removes all occurrences.
  public var includesCancelled = false
  /// The options for rules, with the available calendars of RFC 7529.
  public var recurrence = RecurrenceOptions()
  /// The maximum number of consecutive instances of a series outside the range; at least 1.
  ///
  /// At the limit the search of the series ends with a finding. Only long events that recur
  /// frequently reach it: all instances that started before the range may extend into it.
  public var passedLimit = 250_000
  /// The maximum number of findings per query; at least 1.
  public var findingLimit = 1000

  /// Creates the default options.
  public init() {}
}
