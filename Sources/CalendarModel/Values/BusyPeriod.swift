// SPDX-License-Identifier: Apache-2.0

/// A busy or free period (RFC 5545 §3.8.2.6).
public struct BusyPeriod: Hashable, Sendable {
  /// The start, in UTC.
  public var start: EventTime
  /// The end or the duration.
  public var end: EventEnd
  /// The type of busy time.
  public var type: BusyType

  /// Creates a period.
  public init(start: EventTime, end: EventEnd, type: BusyType = .busy) {
    self.start = start
    self.end = end
    self.type = type
  }
}
