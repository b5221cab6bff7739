// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// A time zone name that is a UTC offset, or starts with one.
///
/// Examples are `UTC+2`, `GMT-0530`, `(GMT +01.00)` and `(UTC+01:00) Amsterdam, Berlin`.
struct FixedOffsetName {
  /// The offset, positive east of Greenwich.
  let offset: UTCOffset
  /// The text after the offset, without surrounding spaces.
  let rest: String

  /// Parses a name; nil if it does not start with an offset.
  ///
  /// `Etc/GMT+5` does not match: it is a name of the database, with the opposite sign.
  init?(_ name: String) {
    var bytes = Array(name.replacing("\u{2212}", with: "-").utf8)[...]
    let isParenthesized = bytes.first == UInt8(ascii: "(")
    if isParenthesized { bytes.removeFirst() }
    Self.dropSpaces(&bytes)
    let prefix = String(decoding: bytes.prefix(3), as: UTF8.self).asciiUppercased
    let isNamed = prefix == "UTC" || prefix == "GMT"
    if isNamed { bytes.removeFirst(3) }
    Self.dropSpaces(&bytes)
    var seconds = 0
    if let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      bytes.removeFirst()
      guard let magnitude = Self.seconds(&bytes, isNamed: isNamed) else { return nil }
      seconds = sign == UInt8(ascii: "-") ? -magnitude : magnitude
    } else if !isNamed || !isParenthesized {
      // UTC alone is a name.
      return nil
    }
    Self.dropSpaces(&bytes)
    if isParenthesized {
      guard bytes.first == UInt8(ascii: ")") else { return nil }
      bytes.removeFirst()
      Self.dropSpaces(&bytes)
    }
    guard let offset = UTCOffset(seconds: seconds) else { return nil }
    self.offset = offset
    rest = ZoneResolver.normalized(String(decoding: bytes, as: UTF8.self))
  }

  /// The offset of a name that consists only of an offset, or nil.
  static func offset(of name: String) -> UTCOffset? {
    guard let name = FixedOffsetName(name), name.rest.isEmpty else { return nil }
    return name.offset
  }

  /// Whether a name is UTC or GMT in parentheses, without an offset or with a zero offset.
  static func isUTC(_ name: String) -> Bool { name.hasPrefix("(") && offset(of: name) == .zero }

  /// Parses `5`, `05`, `0530`, `5:30`, `05:30` or `05.30`, not followed by another digit.
  ///
  /// Without UTC or GMT before it, an offset needs minutes.
  private static func seconds(_ bytes: inout ArraySlice<UInt8>, isNamed: Bool) -> Int? {
    var digits = bytes.prefix { isDigit($0) }
    bytes = bytes.dropFirst(digits.count)
    var minutes: ArraySlice<UInt8> = []
    if digits.count == 4 {
      minutes = digits.suffix(2)
      digits = digits.prefix(2)
    } else if let mark = bytes.first, mark == UInt8(ascii: ":") || mark == UInt8(ascii: ".") {
      minutes = bytes.dropFirst().prefix { isDigit($0) }
      guard minutes.count == 2 else { return nil }
      bytes = bytes.dropFirst(3)
    }
    guard 1...2 ~= digits.count, isNamed || !minutes.isEmpty,
      let hour = number(digits), let minute = minutes.isEmpty ? 0 : number(minutes),
      hour <= 18, minute < 60
    else { return nil }
    return hour * 3600 + minute * 60
  }

  private static func dropSpaces(_ bytes: inout ArraySlice<UInt8>) {
    bytes = bytes.drop { $0 == UInt8(ascii: " ") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }
}
