// SPDX-License-Identifier: Apache-2.0

/// The identifier of an overridden occurrence (RFC 5545 §3.8.4.4).
public struct RecurrenceID: Hashable, Sendable {
  /// The original start of the occurrence, even if the override moves it.
  public var time: EventTime
  /// Whether the override applies to all later occurrences too (`RANGE`, RFC 5545 §3.2.13).
  public var includesFuture: Bool

  /// Creates an identifier.
  public init(_ time: EventTime, includesFuture: Bool = false) {
    self.time = time
    self.includesFuture = includesFuture
  }
}
