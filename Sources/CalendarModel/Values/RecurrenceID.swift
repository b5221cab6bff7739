// SPDX-License-Identifier: Apache-2.0

/// Which occurrence of a series an override describes (RFC 5545 §3.8.4.4).
public struct RecurrenceID: Hashable, Sendable {
  /// When the occurrence would have started: the original time, not the one it was moved to.
  public var time: EventTime
  /// Whether the override describes all later occurrences too: `RANGE=THISANDFUTURE`
  /// (RFC 5545 §3.2.13).
  public var includesFuture: Bool

  /// Creates an identifier.
  public init(_ time: EventTime, includesFuture: Bool = false) {
    self.time = time
    self.includesFuture = includesFuture
  }
}
