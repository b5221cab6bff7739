// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A period of time: a start with an end or a duration (RFC 5545 §3.3.9).
public struct Period: Hashable, Sendable {
  /// The end of a period.
  public enum End: Hashable, Sendable {
    /// A time after the start, in UTC if the start is.
    case dateTime(CivilDateTime, isUTC: Bool)
    /// A positive duration.
    case duration(CivilDuration)
  }

  /// The start of the period.
  public let start: CivilDateTime
  /// Whether the start is in UTC.
  public let isUTC: Bool
  /// The end of the period.
  public let end: End

  /// Creates a period.
  public init(start: CivilDateTime, isUTC: Bool, end: End) {
    self.start = start
    self.isUTC = isUTC
    self.end = end
  }
}
