// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The canonical forms of the values of a property, by their type.
enum CanonicalValue {
  /// Properties whose texts are words of a fixed list, in whatever case (RFC 5545 §2).
  private static let words: Set<PropertyName> = [
    .classification, .status, .transparency, .action, .busyType,
  ]

  /// The values in a property, each as the list of its parts.
  ///
  /// A list (RFC 5545 §3.1.1) has several values of one part, a structure as GEO one value of several,
  /// and everything else one of one.
  static func values(
    of property: Property, type: ValueType, _ row: PropertyTable.Row?
  ) -> [[[UInt8]]] {
    let bytes = property.valueBytes
    let isWord = words.contains(property.name)
    switch row?.separator {
    case .comma: return parts(of: bytes, separator: .comma, type, isWord).map { [$0] }
    case .semicolon: return [parts(of: bytes, separator: .semicolon, type, isWord)]
    case nil: return [[canonical(bytes, type, isWord)]]
    }
  }

  private static func parts(
    of bytes: [UInt8], separator: PropertyTable.Separator, _ type: ValueType, _ isWord: Bool
  ) -> [[UInt8]] {
    let mark: UInt8 = separator == .comma ? UInt8(ascii: ",") : UInt8(ascii: ";")
    return TextEscaping.split(bytes.span, separator: mark).map {
      canonical(Array(bytes[$0]), type, isWord)
    }
  }

  private static func canonical(_ bytes: [UInt8], _ type: ValueType, _ isWord: Bool) -> [UInt8] {
    switch type {
    case .text:
      let text = TextEscaping.unescape(bytes.span)
      return Array((isWord ? text.asciiUppercased : text).utf8)
    case .calendarAddress: return Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
    case .recurrence: return rule(word(bytes))
    case .integer: return integer(word(bytes))
    case .float: return float(word(bytes))
    case .duration: return duration(bytes)
    case .boolean, .date, .dateTime, .period, .time, .utcOffset:
      return Array(word(bytes).utf8)
    case .binary, .uri, .uid, .xmlReference, .unknown: return bytes
    }
  }

  /// The value in upper case without spaces around it.
  private static func word(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self).asciiUppercased
    let start = text.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }

  /// The parts of a rule sorted, and without those that may be left out (RFC 5545 §3.3.10).
  private static func rule(_ text: String) -> [UInt8] {
    var parts: [String] = []
    for part in text.split(separator: ";") where part != "INTERVAL=1" && part != "WKST=MO" {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let name = sides.first, let value = sides.last else {
        parts.append(String(part))
        continue
      }
      parts.append("\(name)=\(value.split(separator: ",").sorted().joined(separator: ","))")
    }
    return Array(parts.sorted().joined(separator: ";").utf8)
  }

  /// The days and the seconds of a duration, which are all that it means (RFC 5545 §3.3.6).
  private static func duration(_ bytes: [UInt8]) -> [UInt8] {
    guard let duration = try? BasicFormat.lenientDuration(bytes.span).value else {
      return Array(word(bytes).utf8)
    }
    return Array("\(duration.nominalDays)D\(duration.exactSeconds)S".utf8)
  }

  private static func integer(_ text: String) -> [UInt8] {
    Array((Int(text).map(String.init) ?? text).utf8)
  }

  /// A number without its sign of plus and its last zeros.
  private static func float(_ text: String) -> [UInt8] {
    guard text.contains("."), Double(text) != nil else { return integer(text) }
    var digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    if digits.hasSuffix(".") { digits = digits.dropLast() }
    return Array(digits.utf8)
  }
}
