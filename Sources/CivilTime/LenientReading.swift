// SPDX-License-Identifier: Apache-2.0

/// A value that may have been written in a way that the RFC does not allow.
public struct LenientReading<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value that was understood.
  public let value: Value
  /// What a strict reading objects to, or nil if the value is written as the RFC says.
  public let deviation: BasicFormatError?

  /// Creates a reading.
  package init(value: Value, deviation: BasicFormatError?) {
    self.value = value
    self.deviation = deviation
  }

  /// Whether the value is written in a way that only a lenient reading accepts.
  public var isLenient: Bool { deviation != nil }
}
