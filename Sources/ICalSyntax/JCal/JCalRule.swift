// SPDX-License-Identifier: Apache-2.0

import CivilTime

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
    // By bytes: what follows a semicolon may be written over it, and is one character with it then.
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
