// SPDX-License-Identifier: Apache-2.0

// The coded forms are stable: dates and times are those of ISO 8601, other values those of RFC 5545.

extension CivilDate: Codable {
  /// The extended form of ISO 8601, such as `1997-09-02`.
  public var iso8601: String {
    [(year, 4), (month, 2), (day, 2)].map { padded($0.0, $0.1) }.joined(separator: "-")
  }

  /// Reads a date from a text such as `1997-09-02`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(BasicFormatError) in try CivilDate(parsing: text) }
  }

  /// Writes the date as ``iso8601``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(iso8601) }
}

extension CivilDateTime: Codable {
  /// The extended form of ISO 8601 without an offset, such as `1997-09-02T09:00:00`.
  public var iso8601: String {
    let fields = [(time.hour, 2), (time.minute, 2), (time.second, 2)]
    return date.iso8601 + "T" + fields.map { padded($0.0, $0.1) }.joined(separator: ":")
  }

  /// Reads a time from a text such as `1997-09-02T09:00:00`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(BasicFormatError) in try CivilDateTime(parsing: text) }
  }

  /// Writes the time as ``iso8601``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(iso8601) }
}

extension Instant: Codable {
  /// The extended form of ISO 8601 in UTC, such as `1997-09-02T13:00:00Z`.
  ///
  /// Outside the years 1 through 9999 it is an `@` and the seconds since the epoch.
  public var iso8601: String { civil().map { "\($0.iso8601)Z" } ?? description }

  /// Reads an instant from a text such as `1997-09-02T13:00:00Z`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(BasicFormatError) in
      if text.hasPrefix("@"), let seconds = Int64(text.dropFirst()) {
        return Instant(secondsSinceEpoch: seconds)
      }
      guard text.hasSuffix("Z") else {
        throw BasicFormatError(
          offset: text.utf8.count, expected: "a time in UTC, which ends with Z",
          found: "\"\(text.prefix(40))\"", section: "ISO 8601")
      }
      return Instant(utc: try CivilDateTime(parsing: String(text.dropLast())))
    }
  }

  /// Writes the instant as ``iso8601``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(iso8601) }
}

extension CivilDuration: Codable {
  /// Reads a duration from a text such as `-PT15M` (RFC 5545 §3.3.6).
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(BasicFormatError) in try CivilDuration(parsing: text) }
  }

  /// Writes the duration as its description.
  public func encode(to encoder: any Encoder) throws { try encoder.write(description) }
}

extension UTCOffset: Codable {
  /// Reads an offset from a text such as `+0100` (RFC 5545 §3.3.14).
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { text throws(BasicFormatError) in try UTCOffset(parsing: text) }
  }

  /// Writes the offset as its description.
  public func encode(to encoder: any Encoder) throws { try encoder.write(description) }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Decoder {
  /// Reads a value that is coded as a text.
  package func value<Value, Failure: Error>(
    _ parse: (String) throws(Failure) -> Value
  ) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do throws(Failure) {
      return try parse(text)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}

extension Encoder {
  /// Writes a value that is coded as a text.
  package func write(_ text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}
