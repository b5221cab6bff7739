// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The trigger of an alarm (RFC 5545 §3.8.6.3).
public enum AlarmTrigger: Hashable, Sendable {
  /// The time from which a duration is counted (RFC 5545 §3.2.14).
  public enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// The start; the default.
    case start = "START"
    /// The end of an event, or the due time of a reminder.
    case end = "END"
  }

  /// A duration after the anchor, or before it if the duration is negative.
  case relative(CivilDuration, to: Anchor)
  /// A fixed instant.
  case absolute(Instant)
}
