// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// When an alarm goes off (RFC 5545 §3.8.6.3).
public enum AlarmTrigger: Hashable, Sendable {
  /// What a duration is counted from (RFC 5545 §3.2.14).
  public enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// From the start; so it is where nothing is said.
    case start = "START"
    /// From the end of an event, or from when a reminder is due.
    case end = "END"
  }

  /// This long after the anchor; before it if the duration is negative.
  case relative(CivilDuration, to: Anchor)
  /// At this point in time.
  case absolute(Instant)
}
