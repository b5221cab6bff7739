// SPDX-License-Identifier: Apache-2.0

/// The offset, DST flag and abbreviation of a zone's local time (RFC 9636 §3.2).
public struct LocalTimeType: Hashable, Sendable {
  /// The offset from UTC.
  public let offset: UTCOffset
  /// Whether this is daylight saving time by the zone's law; in Dublin, winter time is.
  public let isDaylight: Bool
  /// The abbreviation, such as `CEST` or `+03`.
  public let abbreviation: String

  /// Creates a local time type.
  ///
  /// - Parameters:
  ///   - offset: The offset from UTC.
  ///   - isDaylight: Whether this is daylight saving time.
  ///   - abbreviation: The abbreviation, such as `CEST`.
  public init(offset: UTCOffset, isDaylight: Bool, abbreviation: String) {
    self.offset = offset
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}
