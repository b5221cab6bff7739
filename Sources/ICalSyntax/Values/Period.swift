// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A period of time: a start with an end or a duration (RFC 5545 §3.3.9).
public struct Period: Hashable, Sendable {
  /// How a period ends.
  public enum End: Hashable, Sendable {
    /// At a time, which is after the start and in UTC if the start is.
    case dateTime(CivilDateTime, isUTC: Bool)
    /// After a duration, which is positive.
    case duration(CivilDuration)
  }

  /// When the period starts.
  public let start: CivilDateTime
  /// Whether the start is in UTC.
  public let isUTC: Bool
  /// How it ends.
  public let end: End

  /// Creates a period.
  public init(start: CivilDateTime, isUTC: Bool, end: End) {
    self.start = start
    self.isUTC = isUTC
    self.end = end
  }
}
