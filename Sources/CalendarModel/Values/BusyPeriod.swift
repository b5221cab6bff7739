// SPDX-License-Identifier: Apache-2.0

/// A stretch of time in which somebody is taken up, or is not (RFC 5545 §3.8.2.6).
public struct BusyPeriod: Hashable, Sendable {
  /// When it begins, which is in UTC.
  public var start: EventTime
  /// When it ends, or how long it lasts.
  public var end: EventEnd
  /// In what way.
  public var type: BusyType

  /// Creates a period.
  public init(start: EventTime, end: EventEnd, type: BusyType = .busy) {
    self.start = start
    self.end = end
    self.type = type
  }
}
