// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The canonical forms of the values of a property, by their type.
struct CanonicalValue {
  private let type: ValueType
  private let separator: PropertyTable.Separator?
  /// Whether a text is a word of a fixed list, in whatever case (RFC 5545 §2).
  private let isWord: Bool

  init(_ type: ValueType, _ separator: PropertyTable.Separator?, isWord: Bool) {
    self.type = type
    self.separator = separator
    self.isWord = isWord
  }

  /// Whether there is one value, and its bytes are its canonical form.
  var areBytes: Bool {
    switch type {
    case .binary, .uri, .uid, .xmlReference, .unknown: separator == nil
    default: false
    }
  }

  /// The values in a property, each as the list of its parts.
  ///
  /// A list (RFC 5545 §3.1.1) has several values of one part, a structure as GEO one value of several,
  /// and everything else one of one.
  func of(_ property: Property) -> [[[UInt8]]] {
    let bytes = property.valueBytes
    switch separator {
    case .comma: return parts(of: bytes, UInt8(ascii: ",")).map { [$0] }
    case .semicolon: return [parts(of: bytes, UInt8(ascii: ";"))]
    case nil: return [[canonical(bytes)]]
    }
  }

  private func parts(of bytes: [UInt8], _ separator: UInt8) -> [[UInt8]] {
    TextEscaping.split(bytes.span, separator: separator).map { canonical(Array(bytes[$0])) }
  }

  private func canonical(_ bytes: [UInt8]) -> [UInt8] {
    switch type {
    case .text:
      if !isWord, !bytes.contains(UInt8(ascii: "\\")) { return bytes }
      let text = TextEscaping.unescape(bytes.span)
      return Array((isWord ? text.asciiUppercased : text).utf8)
    case .calendarAddress: return Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
    case .recurrence: return Self.rule(String(decoding: Self.word(bytes), as: UTF8.self))
    case .integer: return Self.integer(String(decoding: Self.word(bytes), as: UTF8.self))
    case .float: return Self.float(String(decoding: Self.word(bytes), as: UTF8.self))
    case .duration: return Self.duration(bytes)
    case .boolean, .date, .dateTime, .period, .time, .utcOffset: return Self.word(bytes)
    case .binary, .uri, .uid, .xmlReference, .unknown: return bytes
    }
  }

  /// The value in upper case without spaces around it.
  private static func word(_ bytes: [UInt8]) -> [UInt8] {
    let space = UInt8(ascii: " ")
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[end - 1] == space { end -= 1 }
    return bytes[..<end].drop { $0 == space }.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }
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
      return word(bytes)
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
