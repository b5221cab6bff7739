// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// Names of time zones that are an offset from UTC, or begin with one: `UTC+2`, `GMT-0530`,
/// `(GMT +01.00)`, `(UTC+01:00) Amsterdam, Berlin`.
struct FixedOffsetName {
  /// The offset, positive east of Greenwich.
  let offset: UTCOffset
  /// What stands behind the offset, without spaces around it.
  let rest: String

  /// Reads a name; nil if it does not begin with an offset.
  ///
  /// `Etc/GMT+5` does not: it is a name of the database, with its sign the other way.
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
      // UTC alone is a name of its own.
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

  /// The offset that a name is and nothing else, or nil if it is another name.
  static func offset(of name: String) -> UTCOffset? {
    guard let name = FixedOffsetName(name), name.rest.isEmpty else { return nil }
    return name.offset
  }

  /// Whether a name is UTC or GMT in parentheses, with an offset of nothing or none.
  static func isUTC(_ name: String) -> Bool { name.hasPrefix("(") && offset(of: name) == .zero }

  /// Takes `5`, `05`, `0530`, `5:30`, `05:30` or `05.30`, which no other digit follows.
  ///
  /// Without UTC or GMT before it, only what has minutes is an offset.
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
