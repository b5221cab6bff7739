// SPDX-License-Identifier: Apache-2.0

/// Numbers as iCalendar (RFC 5545 §3.3.7, §3.3.8) and as JSON (RFC 8259 §6) spell them.
enum JCalNumber {
  /// The greatest power of ten that is written out in digits.
  private static let exponentLimit = 400

  /// A number of iCalendar as JSON spells it: no plus sign and no zeros in front.
  static func json(_ text: String) -> String {
    var digits = Substring(text)
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    digits = digits.drop { $0 == "0" }
    if digits.first?.isNumber != true { digits = "0" + digits }
    return (isNegative ? "-" : "") + digits
  }

  /// A whole number as JSON spells it, or nil if the text is none.
  static func wholeNumber(_ text: String) -> String? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard 1...18 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return json(text)
  }

  /// A number of JSON without a power of ten, which iCalendar does not have; nil if that is too long.
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
