// SPDX-License-Identifier: Apache-2.0

public import Recurrence

/// What is decided where the RFC leaves open what takes place, and how far is searched.
public struct OccurrenceOptions: Sendable {
  /// Where a reminder stands in time.
  public enum ReminderPlace: Hashable, Sendable, CaseIterable {
    /// From its start until it is due (RFC 4791 §9.9); one that has only one of the two is there.
    case span
    /// When it is due; when it starts if it is never due.
    case due
    /// When it starts; when it is due if it has no start.
    case start
  }

  /// Where reminders stand.
  public var reminders = ReminderPlace.span
  /// Whether what does not take place any more, STATUS:CANCELLED, is there all the same.
  ///
  /// It is left out unless asked for: an override that is cancelled takes its occurrence out of the
  /// series (RFC 5546 §3.2.5), and so does an item that is cancelled as a whole with all of them.
  public var includesCancelled = false
  /// What is decided about rules, and the calendars of RFC 7529 that are at hand.
  public var recurrence = RecurrenceOptions()
  /// How many instances of one series are passed over in a row before its search is given up, which is
  /// then reported; at least 1.
  ///
  /// It takes events that last long and recur often to reach it: all that began before the range may
  /// still go on in it.
  public var passedLimit = 250_000
  /// How many findings are kept of each query; at least 1.
  public var findingLimit = 1000

  /// Creates the options that are used if nobody says otherwise.
  public init() {}
}
