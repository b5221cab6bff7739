// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// How an event ends or when a reminder is due: at a time, or after a duration.
///
/// The two are not the same in a series: a duration has nominal days and exact time apart
/// (RFC 5545 §3.3.6), while an end at a time fixes an exact duration (RFC 5545 §3.8.5.3).
public enum EventEnd: Hashable, Sendable {
  /// At this time, which is not part of the event any more (DTEND, RFC 5545 §3.8.2.2; DUE, §3.8.2.3).
  case time(EventTime)
  /// This long after the start (DURATION, RFC 5545 §3.8.2.5).
  case duration(CivilDuration)

  /// The time, or nil for a duration.
  public var time: EventTime? {
    if case .time(let time) = self { time } else { nil }
  }

  /// The duration, or nil for a time.
  public var duration: CivilDuration? {
    if case .duration(let duration) = self { duration } else { nil }
  }
}
