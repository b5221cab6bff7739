// SPDX-License-Identifier: Apache-2.0

/// What a zone's clocks do over a stretch of time (RFC 9636 §3.2, a local time type).
public struct LocalTimeType: Hashable, Sendable {
  /// How far the clocks are ahead of UTC.
  public let offset: UTCOffset
  /// Whether this is daylight saving time by the zone's law; see Dublin, whose winter is.
  public let isDaylight: Bool
  /// The name of the time, such as `CEST` or `+03`.
  public let abbreviation: String

  /// Creates a local time type.
  ///
  /// - Parameters:
  ///   - offset: How far the clocks are ahead of UTC.
  ///   - isDaylight: Whether this is daylight saving time.
  ///   - abbreviation: The name of the time.
  public init(offset: UTCOffset, isDaylight: Bool, abbreviation: String) {
    self.offset = offset
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}
