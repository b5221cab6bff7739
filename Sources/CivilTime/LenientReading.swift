// SPDX-License-Identifier: Apache-2.0

/// A value from a lenient parser, with the deviation from the RFC.
public struct LenientReading<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The parsed value.
  public let value: Value
  /// The error that strict parsing reports, or nil if the value is valid.
  public let deviation: BasicFormatError?

  /// Creates a reading.
  package init(value: Value, deviation: BasicFormatError?) {
    self.value = value
    self.deviation = deviation
  }

  /// Whether only a lenient parser accepts the value.
  public var isLenient: Bool { deviation != nil }
}
