// SPDX-License-Identifier: Apache-2.0

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
