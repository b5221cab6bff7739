// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The extended formats of dates, times and offsets in jCal (RFC 7265 §3.6).
///
/// ```text
/// date  1997-09-02   time  09:00:00   date-time  1997-09-02T13:00:00Z   utc-offset  -05:00
/// ```
enum ExtendedFormat {
  /// The extended form of a date.
  static func text(_ date: CivilDate) -> String {
    var bytes: [UInt8] = []
    append(date, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The extended form of a time of day.
  static func text(_ time: TimeOfDay, isUTC: Bool) -> String {
    var bytes: [UInt8] = []
    append(time, isUTC: isUTC, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The extended form of a date-time.
  static func text(_ value: CivilDateTime, isUTC: Bool) -> String {
    var bytes: [UInt8] = []
    append(value, isUTC: isUTC, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the extended form of a date-time.
  static func append(_ value: CivilDateTime, isUTC: Bool, to bytes: inout [UInt8]) {
    append(value.date, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(value.time, isUTC: isUTC, to: &bytes)
  }

  /// Appends the extended form of a date.
  static func append(_ date: CivilDate, to bytes: inout [UInt8]) {
    append(twoDigits: date.year / 100, to: &bytes)
    append(twoDigits: date.year % 100, to: &bytes)
    bytes.append(ASCII.hyphen)
    append(twoDigits: date.month, to: &bytes)
    bytes.append(ASCII.hyphen)
    append(twoDigits: date.day, to: &bytes)
  }

  private static func append(_ time: TimeOfDay, isUTC: Bool, to bytes: inout [UInt8]) {
    append(twoDigits: time.hour, to: &bytes)
    bytes.append(ASCII.colon)
    append(twoDigits: time.minute, to: &bytes)
    bytes.append(ASCII.colon)
    append(twoDigits: time.second, to: &bytes)
    if isUTC { bytes.append(UInt8(ascii: "Z")) }
  }

  private static func append(twoDigits number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
    bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }

  /// The extended form of an offset.
  static func text(_ offset: UTCOffset) -> String {
    let basic = offset.description
    let seconds = basic.count > 5 ? ":\(basic.suffix(2))" : ""
    return "\(basic.prefix(3)):\(basic.dropFirst(3).prefix(2))\(seconds)"
  }

  /// The basic format of a value in extended format, or nil if it does not match.
  ///
  /// Only digits and separators are checked; the parser of the basic format checks whether the date
  /// exists.
  static func basic(_ text: String, _ type: ValueType) -> String? {
    switch type {
    case .date: basic(text, patterns: ["0000-00-00"])
    case .time: basic(text, patterns: ["00:00:00", "00:00:00Z"])
    case .dateTime: basic(text, patterns: ["0000-00-00T00:00:00", "0000-00-00T00:00:00Z"])
    case .utcOffset: basic(text, patterns: ["±00:00", "±00:00:00"])
    default: nil
    }
  }

  /// The basic format of UNTIL: a date or a date-time.
  static func basicUntil(_ text: String) -> String? {
    basic(text, .date) ?? basic(text, .dateTime)
  }

  private static func basic(_ text: String, patterns: [String]) -> String? {
    guard let pattern = patterns.first(where: { matches(text, $0) }) else { return nil }
    // In an offset the hyphen is the sign, which is kept.
    let isOffset = pattern.hasPrefix("±")
    return String(text.filter { $0 != ":" && ($0 != "-" || isOffset) })
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    text.unicodeScalars.count == pattern.unicodeScalars.count
      && zip(text.unicodeScalars, pattern.unicodeScalars).allSatisfy { scalar, wanted in
        switch wanted {
        case "0": ("0"..."9").contains(scalar)
        case "±": scalar == "+" || scalar == "-"
        default: scalar == wanted
        }
      }
  }
}

/// Numbers in iCalendar (RFC 5545 §3.3.7, §3.3.8) and JSON (RFC 8259 §6) syntax.
enum JCalNumber {
  /// The maximum exponent that is converted to digits.
  private static let exponentLimit = 400

  /// Converts an iCalendar number to JSON, without a plus sign or leading zeros.
  static func json(_ text: String) -> String {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    digits = digits.drop { $0 == "0" }
    if digits.first?.isNumber != true { digits = "0" + digits }
    return (isNegative ? "-" : "") + digits
  }

  /// Converts an integer to JSON, or returns nil if the text is not an integer.
  static func wholeNumber(_ text: String) -> String? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard 1...18 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return json(text)
  }

  /// Converts a JSON number to iCalendar, which has no exponents, or nil if it is too long.
  static func iCalendar(_ text: String) -> String? {
    guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return text }
    guard let exponent = Int(text[text.index(after: mark)...]),
      -exponentLimit...exponentLimit ~= exponent
    else { return nil }
    var mantissa = text[..<mark]
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    if !sign.isEmpty { mantissa = mantissa.dropFirst() }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(parts[0])
    let digits = whole + (parts.count > 1 ? parts[1] : "")
    let point = whole.count + exponent
    let zeros = String(repeating: "0", count: max(0, -point, point - digits.count))
    if point <= 0 { return "\(sign)0.\(zeros)\(digits)" }
    if point >= digits.count { return "\(sign)\(digits)\(zeros)" }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }
}

/// Recurrence rules as JSON objects (RFC 7265 §3.6.10), with lists as arrays.
///
/// The parts are converted as written instead of parsed, so that unknown parts are preserved.
enum JCalRule {
  /// Writes a rule such as `FREQ=YEARLY;BYDAY=-1SU,2MO;COUNT=5`.
  static func write(_ rule: String, to json: inout JSONBuilder) {
    json.beginObject()
    for (name, values) in parts(of: rule) {
      json.name(name.asciiLowercased)
      if values.count > 1 { json.beginArray() }
      for value in values { write(value, of: name, to: &json) }
      if values.count > 1 { json.endArray() }
    }
    json.endObject()
  }

  /// The parts of a rule; of duplicates, only the first, which is the one that counts.
  private static func parts(of rule: String) -> [(name: String, values: [String])] {
    var result: [(name: String, values: [String])] = []
    var names: Set<[UInt8]> = []
    // By bytes, because a combining character after a semicolon forms one character with it.
    for part in rule.utf8.split(separator: ASCII.semicolon) {
      let halves = part.split(
        separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(Substring(halves[0]))
      guard names.insert(Array(name.asciiUppercased.utf8)).inserted else { continue }
      let values = halves.dropFirst().flatMap {
        $0.split(separator: ASCII.comma, omittingEmptySubsequences: false)
      }
      result.append((name, values.isEmpty ? [""] : values.map { String(Substring($0)) }))
    }
    return result
  }

  private static func write(_ value: String, of name: String, to json: inout JSONBuilder) {
    if name.isEqualIgnoringASCIICase(to: "UNTIL") {
      json.string(extendedUntil(value))
    } else if let number = JCalNumber.wholeNumber(value) {
      json.literal(number)
    } else {
      json.string(value)
    }
  }

  private static func extendedUntil(_ value: String) -> String {
    let bytes = Array(value.utf8)
    if let date = try? BasicFormat.date(bytes.span) { return ExtendedFormat.text(date) }
    if let (value, isUTC) = try? BasicFormat.dateTime(bytes.span) {
      return ExtendedFormat.text(value, isUTC: isUTC)
    }
    return value
  }

  /// Converts a rule object to iCalendar syntax.
  ///
  /// - Returns: The rule, or nil if a member is not a valid part.
  static func text(of members: [JSONNode.Member]) -> String? {
    var parts: [String] = []
    for member in members {
      // No name may contain the separators. A part without a name is kept, because `write` creates
      // one from `FREQ=DAILY;=3`.
      guard !member.name.utf8.contains(where: { $0 == 0x3B || $0 == 0x3D }),
        let values = texts(of: member.value)
      else { return nil }
      let name = member.name.asciiUppercased
      let basic = name == "UNTIL" ? values.map { ExtendedFormat.basicUntil($0) ?? $0 } : values
      parts.append("\(name)=\(basic.joined(separator: ","))")
    }
    return parts.joined(separator: ";")
  }

  private static func texts(of node: JSONNode) -> [String]? {
    switch node.content {
    case .string(let text): return [text]
    case .number(let text): return [text]
    case .array(let elements):
      var result: [String] = []
      for element in elements {
        guard element.elements == nil, let texts = texts(of: element) else { return nil }
        result += texts
      }
      return result
    default: return nil
    }
  }
}
