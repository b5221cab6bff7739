// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A date or a time given by a user, in iCalendar or RFC 3339 format.
///
/// ```
/// 20261101     20261101T080000   20261101T080000Z
/// 2026-11-01   2026-11-01T09:00  2026-11-01 09:00:00  2026-11-01T09:00:00+01:00
/// ```
///
/// `2026-11-01 09:00-10:30` is none: people mean the time from 9:00 to 10:30. After a space, an
/// offset with a minus sign needs seconds before it.
public enum Moment: Hashable, Sendable {
  /// A date, which stands for its first instant.
  case date(CivilDate)
  /// A local time; the context defines the time zone.
  case local(CivilDateTime)
  /// An instant.
  case instant(Instant)

  /// Parses a date or a time.
  ///
  /// - Throws: `BasicFormatError` at the first unexpected character, with its offset in the form
  ///   without separators.
  public init(parsing text: String) throws(BasicFormatError) {
    let bytes = Array(text.utf8)
    guard let place = [8, 10].first(where: { bytes.count > $0 && Self.isSeparator(bytes[$0]) })
    else {
      let basic = Self.basicDate(bytes[...])
      self = .date(try BasicFormat.date(basic.span))
      return
    }
    let rest = bytes[(place + 1)...]
    let end = rest.firstIndex { Self.zoneStarts.contains($0) } ?? rest.endIndex
    let basic =
      Self.basicDate(bytes[..<place]) + [UInt8(ascii: "T")] + Self.basicTime(rest[..<end])
    let zone = rest[end...]
    let isRange =
      bytes[place] == UInt8(ascii: " ") && zone.first == UInt8(ascii: "-") && end - place <= 6
    let (wall, _) = try BasicFormat.dateTime((isRange ? basic + zone : basic).span)
    switch zone.first {
    case nil: self = .local(wall)
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      let text = basic + zone
      _ = try BasicFormat.dateTime(text.span)
      self = .instant(Instant(utc: wall))
    default:
      let offset = zone.prefix(1) + Self.joined(zone.dropFirst(), lengths: [2, 2])
      // RFC 3339 §4.3: an unknown local offset, which iCalendar excludes.
      let isUnknown = offset.elementsEqual("-0000".utf8)
      self = .instant(wall.instant(at: isUnknown ? .zero : try BasicFormat.utcOffset(offset.span)))
    }
  }

  /// The instant in the viewer's time zone.
  public func instant(in zone: ZoneRules) -> Instant {
    switch self {
    case .date(let date): zone.instant(of: CivilDateTime(date, .midnight))
    case .local(let wall): zone.instant(of: wall)
    case .instant(let instant): instant
    }
  }

  private static let zoneStarts = Array("Zz+-".utf8)

  private static func isSeparator(_ byte: UInt8) -> Bool { "Tt ".utf8.contains(byte) }

  /// The date without hyphens; unchanged if they are not where RFC 3339 has them.
  private static func basicDate(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let fields = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return fields.map(\.count) == [4, 2, 2] ? Array(fields.joined()) : Array(bytes)
  }

  /// The time of day without colons and fraction, with seconds.
  private static func basicTime(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var whole = bytes
    if let point = bytes.firstIndex(of: UInt8(ascii: ".")) {
      let fraction = bytes[(point + 1)...]
      let isNumber = !fraction.isEmpty && fraction.allSatisfy { 0x30...0x39 ~= $0 }
      if isNumber { whole = bytes[..<point] }
    }
    let digits = joined(whole, lengths: [2, 2, 2], [2, 2])
    return digits.count == 4 ? digits + [0x30, 0x30] : digits
  }

  /// The fields between colons, joined; unchanged if their lengths are others.
  private static func joined(_ bytes: ArraySlice<UInt8>, lengths: [Int]...) -> [UInt8] {
    let fields = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return lengths.contains(fields.map(\.count)) ? Array(fields.joined()) : Array(bytes)
  }
}
