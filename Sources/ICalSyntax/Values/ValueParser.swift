// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The grammar of values: parses the typed values of one property (RFC 5545 §3.3).
///
/// It reads every value that `UsualValue` does not accept, and reports its problems.
///
/// The caller passes the bytes to each function, so that a value is read in place.
struct ValueParser {
  /// The maximum number of problems that are reported for one property.
  private static let problemLimit = 10

  /// The index of the property's name in its vocabulary and in `PropertyTable`.
  private let nameIndex: Int?
  private let form: ValueForm
  /// The position of the value in a file, so that texts need not be copied.
  private let origin: ValueOrigin?
  private var problems: [ValueProblem] = []

  /// Creates a parser for the values of a property.
  ///
  /// - Parameters:
  ///   - nameIndex: The index of the property's name in its vocabulary.
  ///   - origin: The position of the value, if it is in a file.
  init(nameIndex: Int?, origin: ValueOrigin?) {
    self.origin = origin
    self.nameIndex = nameIndex
    form = nameIndex.map { ValueForm.all[$0] } ?? .unknown
  }

  /// Parses the values.
  ///
  /// - Parameters:
  ///   - value: The bytes after the colon.
  ///   - declared: The VALUE parameter, if there is one.
  /// - Returns: The values and their problems.
  mutating func parse(_ value: Span<UInt8>, declared: String?) -> TypedValues {
    if let prefix = MisplacedPrefix(in: value, name: row?.name, form) {
      return parse(value, declared: declared, after: prefix)
    }
    return parseWhole(value, declared: declared)
  }

  private mutating func parseWhole(_ value: Span<UInt8>, declared: String?) -> TypedValues {
    let type = resolveType(value.extracting(value.trimmedRange), declared)
    guard let separator = form.separator, value.firstIndex(of: separator) != nil else {
      let single = read(value, at: 0..<value.count, type: type)
      return TypedValues(type: type, values: ValueList(single), problems: problems)
    }
    let ranges =
      separator == ASCII.semicolon && type == .float
      ? coordinates(in: value) : TextEscaping.split(value, separator: separator)
    var values: [Value] = []
    values.reserveCapacity(ranges.count)
    for range in ranges { values.append(read(value, at: range, type: type)) }
    return TypedValues(type: type, values: ValueList(values), problems: problems)
  }

  /// Parses the values after a prefix that does not belong there, and reports it.
  private func parse(
    _ value: Span<UInt8>, declared: String?, after prefix: MisplacedPrefix
  ) -> TypedValues {
    var inner = ValueParser(nameIndex: nameIndex, origin: origin?.shifted(by: prefix.count))
    inner.note(
      .warning, .lenientValue, -prefix.count, "expected the value, found \"\(prefix.text)\"",
      row?.reference ?? "")
    let rest = value.extracting(prefix.count..<value.count)
    let values = inner.parseWhole(rest, declared: declared ?? prefix.type?.rawValue)
    return TypedValues(
      type: values.type, values: values.values,
      problems: values.problems.map { $0.shifted(by: prefix.count) })
  }

  /// The ranges of the numbers in a GEO value.
  ///
  /// Lenient: programs write a backslash before the semicolon, although only texts have escapes
  /// (RFC 5545 §3.3.11).
  private mutating func coordinates(in value: Span<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for index in value.indices where value[index] == ASCII.semicolon {
      var end = index
      if index > start, value[index - 1] == ASCII.backslash {
        end = index - 1
        note(
          .warning, .lenientValue, end, "expected \";\" between two numbers, found \"\\;\"",
          "RFC 5545 §3.8.1.6")
      }
      ranges.append(start..<end)
      start = index + 1
    }
    ranges.append(start..<value.count)
    return ranges
  }

  private var row: PropertyTable.Row? { nameIndex.map { PropertyTable.rows[$0] } }

  /// The type in the VALUE parameter, if the property allows it, or else the property's default.
  private mutating func resolveType(_ value: Span<UInt8>, _ declared: String?) -> ValueType {
    let byDefault = form.type
    guard let declared else { return byForm(byDefault, value) }
    guard let type = ValueType(rawValue: declared.asciiUppercased), type != .unknown else {
      note(
        .warning, .valueType, 0, "expected a value type, found VALUE=\(declared)",
        "RFC 5545 §3.2.20")
      return byForm(byDefault, value)
    }
    guard let row, type != row.valueType, !row.alternatives.contains(type) else {
      return byForm(type, value)
    }
    let allowed = ([row.valueType] + row.alternatives).map(\.rawValue).joined(separator: " or ")
    note(
      .warning, .valueType, 0, "expected a value of type \(allowed), found VALUE=\(type.rawValue)",
      row.reference)
    return byForm(row.valueType, value)
  }

  /// The actual type of a date or date-time, whatever the declared type.
  ///
  /// Lenient: files omit VALUE=DATE, or write it before a date-time (RFC 5545 §3.2.20 requires the
  /// parameter to match).
  private mutating func byForm(_ type: ValueType, _ value: Span<UInt8>) -> ValueType {
    guard form.isDateOrDateTime else { return timeOrDuration(type, value) }
    let first = value.firstIndex(of: ASCII.comma) ?? value.count
    let isDate = first == 8 && isDigits(value.extracting(0..<8))
    let isDateTime = first >= 15 && value[8] == UInt8(ascii: "T")
    if type == .dateTime, isDate {
      note(
        .warning, .valueType, 0, "expected VALUE=DATE before a date, found none",
        row?.reference ?? "")
      return .date
    }
    if type == .date, isDateTime {
      note(
        .warning, .valueType, 0, "expected a date as VALUE=DATE says, found a date-time",
        row?.reference ?? "")
      return .dateTime
    }
    return type
  }

  /// The actual type of a trigger: a time or a duration, whatever the declared type.
  ///
  /// Lenient: files omit VALUE=DATE-TIME, or write it before a duration (RFC 5545 §3.8.6.3 requires
  /// the parameter to match).
  private mutating func timeOrDuration(_ type: ValueType, _ value: Span<UInt8>) -> ValueType {
    guard form.type == .duration, let row, row.alternatives.contains(.dateTime) else { return type }
    let isDateTime =
      value.count >= 15 && value[8] == UInt8(ascii: "T") && isDigits(value.extracting(0..<8))
    if type == .duration, isDateTime {
      note(
        .warning, .valueType, 0, "expected VALUE=DATE-TIME before a date-time, found none",
        row.reference)
      return .dateTime
    }
    if type == .dateTime, value.firstIndex(of: UInt8(ascii: "P")).map({ $0 <= 1 }) ?? false {
      note(
        .warning, .valueType, 0, "expected a date-time as VALUE=DATE-TIME says, found a duration",
        row.reference)
      return .duration
    }
    return type
  }

  private func isDigits(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] < 0x30 || bytes[index] > 0x39 { return false }
    return true
  }

  private mutating func read(_ value: Span<UInt8>, at range: Range<Int>, type: ValueType) -> Value {
    let range = type.keepsBlanks ? range : withoutBlanks(range, of: value)
    let part = value.extracting(range)
    do throws(BasicFormatError) {
      return try typed(part, at: range.lowerBound, type: type)
    } catch {
      note(
        .error, .invalidValue, range.lowerBound + error.offset, error.message, error.section)
      return .unknown(text(part, at: range.lowerBound))
    }
  }

  /// The range without the blanks at its ends.
  ///
  /// Lenient: no type but text has blanks there (RFC 5545 §3.3), and they mean nothing.
  private mutating func withoutBlanks(_ range: Range<Int>, of value: Span<UInt8>) -> Range<Int> {
    let inner = value.extracting(range).trimmedRange
    guard inner.count < range.count, !inner.isEmpty else { return range }
    let isFirst = inner.lowerBound > 0
    note(
      .warning, .lenientValue, range.lowerBound + (isFirst ? 0 : inner.upperBound),
      "expected no blank \(isFirst ? "before" : "after") the value, found one", "RFC 5545 §3.3")
    return (range.lowerBound + inner.lowerBound)..<(range.lowerBound + inner.upperBound)
  }

  /// The text of a part of the value; no escapes are decoded unless there are any.
  private func text(_ part: Span<UInt8>, at offset: Int, hasEscapes: Bool = false) -> ValueText {
    if let origin {
      let start = origin.start + offset
      return ValueText(
        origin.block, start..<(start + part.count), isInArena: origin.isInArena,
        hasEscapes: hasEscapes)
    }
    return ValueText(hasEscapes ? TextEscaping.unescape(part) : String(copying: part))
  }

  private mutating func typed(
    _ part: Span<UInt8>, at offset: Int, type: ValueType
  ) throws(BasicFormatError) -> Value {
    switch type {
    case .binary: return .binary(try binary(part, at: offset))
    case .boolean: return .boolean(try boolean(part))
    case .calendarAddress: return .calendarAddress(uri(part, at: offset, "RFC 5545 §3.3.3"))
    case .date: return .date(try BasicFormat.date(part))
    case .dateTime:
      let (value, isUTC) = try BasicFormat.dateTime(part)
      return .dateTime(value, isUTC: isUTC)
    case .duration: return .duration(try duration(part, at: offset))
    case .float: return .float(try BasicFormat.float(part))
    case .integer: return .integer(try BasicFormat.integer(part))
    case .period: return .period(try period(part, at: offset))
    case .recurrence: return recurrence(part, at: offset)
    case .text: return .text(text(part, at: offset, hasEscapes: true))
    case .time:
      let (value, isUTC) = try BasicFormat.time(part)
      return .time(value, isUTC: isUTC)
    case .uri: return .uri(uri(part, at: offset, "RFC 5545 §3.3.13"))
    case .uid, .xmlReference: return .uri(text(part, at: offset))
    case .utcOffset:
      return .utcOffset(accept(try BasicFormat.lenientUTCOffset(part), at: offset))
    case .unknown: return .unknown(text(part, at: offset))
    }
  }

  /// Parses a rule leniently, and reports its issues.
  private mutating func recurrence(_ part: Span<UInt8>, at offset: Int) -> Value {
    if let rule = RecurrenceRule(usual: part) { return .recurrence(rule) }
    do throws(RecurrenceRuleIssue) {
      let reading = try RecurrenceRule.parse(leniently: part)
      for issue in reading.issues where issue.isViolation {
        note(
          .warning, .lenientValue, offset + issue.offset, issue.message, issue.section)
      }
      return .recurrence(reading.rule)
    } catch {
      note(.error, .invalidValue, offset + error.offset, error.message, error.section)
      return .unknown(text(part, at: offset))
    }
  }

  /// Lenient: the padding at the end may be missing (RFC 4648 §3.2 requires it).
  private mutating func binary(
    _ part: Span<UInt8>, at offset: Int
  ) throws(BasicFormatError) -> [UInt8] {
    let bytes = try Base64.decode(part)
    if part.count % 4 != 0 {
      note(
        .warning, .lenientValue, offset + part.count,
        "expected \"=\" up to a multiple of four characters, found the end of the value",
        "RFC 4648 §3.2")
    }
    return bytes
  }

  private func boolean(_ part: Span<UInt8>) throws(BasicFormatError) -> Bool {
    switch String(copying: part).asciiUppercased {
    case "TRUE": return true
    case "FALSE": return false
    default:
      throw BasicFormatError(
        offset: 0, expected: "TRUE or FALSE", found: "\"\(String(copying: part))\"",
        section: "RFC 5545 §3.3.2")
    }
  }

  /// Checks that a URI has a scheme, and nothing else.
  ///
  /// Lenient: a value without a scheme is kept, because people understand `ann@example.org`.
  private mutating func uri(
    _ part: Span<UInt8>, at offset: Int, _ section: String
  ) -> ValueText {
    if !UsualValue.hasScheme(part) {
      let found = part.isEmpty ? "nothing" : "\"\(String(copying: part))\""
      note(
        .warning, .lenientValue, offset,
        "expected a URI, such as mailto:ann@example.org, found \(found)", section)
    }
    return text(part, at: offset)
  }

  private mutating func duration(
    _ part: Span<UInt8>, at offset: Int
  ) throws(BasicFormatError) -> CivilDuration {
    accept(try BasicFormat.lenientDuration(part), at: offset)
  }

  /// Returns a value that was parsed leniently, and reports its deviation.
  private mutating func accept<Result>(_ reading: LenientReading<Result>, at offset: Int) -> Result
  {
    if let deviation = reading.deviation {
      note(
        .warning, .lenientValue, offset + deviation.offset, deviation.message, deviation.section)
    }
    return reading.value
  }

  private mutating func period(
    _ part: Span<UInt8>, at offset: Int
  ) throws(BasicFormatError) -> Period {
    var slash = 0
    while slash < part.count, part[slash] != ASCII.slash { slash += 1 }
    guard slash < part.count else {
      throw BasicFormatError(
        offset: part.count, expected: "\"/\" and an end or a duration",
        found: "the end of the value",
        section: "RFC 5545 §3.3.9")
    }
    let (start, isUTC) = try BasicFormat.dateTime(part.extracting(0..<slash))
    let rest = part.extracting((slash + 1)..<part.count)
    do throws(BasicFormatError) {
      if rest.count > 0, rest[0] == UInt8(ascii: "P") || rest[0] == UInt8(ascii: "+") {
        let length = try duration(rest, at: offset + slash + 1)
        return Period(start: start, isUTC: isUTC, end: .duration(length))
      }
      let (end, endIsUTC) = try BasicFormat.dateTime(rest)
      return Period(start: start, isUTC: isUTC, end: .dateTime(end, isUTC: endIsUTC))
    } catch {
      throw error.shifted(by: slash + 1)
    }
  }

  private mutating func note(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ offset: Int, _ message: String,
    _ reference: String
  ) {
    if problems.count == Self.problemLimit {
      // An unknown value must have an error that explains it, even beyond the limit.
      guard severity == .error, !problems.contains(where: { $0.severity == .error }) else { return }
      problems.removeLast()
    }
    problems.append(
      ValueProblem(severity, code, offset: offset, message, reference: reference))
  }
}
