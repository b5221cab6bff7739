// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The end of an event or the due time of a reminder: a time or a duration.
///
/// The two differ in a series. A duration has nominal days and an exact time (RFC 5545 §3.3.6); an
/// end time fixes an exact duration (RFC 5545 §3.8.5.3).
public enum EventEnd: Hashable, Sendable {
  /// An exclusive end time (DTEND, RFC 5545 §3.8.2.2; DUE, §3.8.2.3).
  case time(EventTime)
  /// A duration after the start (DURATION, RFC 5545 §3.8.2.5).
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
