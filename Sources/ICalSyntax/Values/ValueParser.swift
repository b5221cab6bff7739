// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Reads the typed values of one property (RFC 5545 §3.3).
struct ValueParser {
  /// The most problems that are told of one property, however many values it has.
  private static let problemLimit = 10

  private let row: PropertyTable.Row?
  private let declared: String?
  private let bytes: [UInt8]
  private var problems: [ValueProblem] = []

  init(_ property: Property) {
    row = PropertyTable.row(for: property.name)
    declared = property[.value]
    bytes = property.valueBytes
  }

  mutating func parse() -> TypedValues {
    let type = resolveType()
    let ranges = parts(of: type)
    var values: [Value] = []
    values.reserveCapacity(ranges.count)
    for range in ranges { values.append(value(in: range, type: type)) }
    return TypedValues(type: type, values: values, problems: problems)
  }

  /// The type that the VALUE parameter names, if the property may have it, or the property's own.
  private mutating func resolveType() -> ValueType {
    let byDefault = row?.valueType ?? .unknown
    guard let declared else { return byForm(byDefault) }
    guard let type = ValueType(rawValue: declared.asciiUppercased), type != .unknown else {
      note(
        .warning, .valueType, 0, "expected a value type, found VALUE=\(declared)",
        "RFC 5545 §3.2.20")
      return byForm(byDefault)
    }
    guard let row, type != row.valueType, !row.alternatives.contains(type) else {
      return byForm(type)
    }
    let allowed = ([row.valueType] + row.alternatives).map(\.rawValue).joined(separator: " or ")
    note(
      .warning, .valueType, 0, "expected a value of type \(allowed), found VALUE=\(type.rawValue)",
      row.reference)
    return byForm(row.valueType)
  }

  /// A date where a date-time is declared, or the other way round, is taken for what it is.
  ///
  /// Lenient: files forget VALUE=DATE, or write it before a date-time (RFC 5545 §3.2.20 wants the
  /// parameter to tell).
  private mutating func byForm(_ type: ValueType) -> ValueType {
    guard let row, row.valueType == .dateTime, row.alternatives.contains(.date) else { return type }
    let first = bytes.firstIndex(of: ASCII.comma) ?? bytes.count
    let isDate = first == 8 && bytes[..<8].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    let isDateTime = first >= 15 && bytes[8] == UInt8(ascii: "T")
    if type == .dateTime, isDate {
      note(.warning, .valueType, 0, "expected VALUE=DATE before a date, found none", row.reference)
      return .date
    }
    if type == .date, isDateTime {
      note(
        .warning, .valueType, 0, "expected a date as VALUE=DATE says, found a date-time",
        row.reference)
      return .dateTime
    }
    return type
  }

  private func parts(of type: ValueType) -> [Range<Int>] {
    switch row?.separator {
    case nil: [0..<bytes.count]
    case .comma: TextEscaping.split(bytes.span, separator: ASCII.comma)
    case .semicolon: TextEscaping.split(bytes.span, separator: ASCII.semicolon)
    }
  }

  private mutating func value(in range: Range<Int>, type: ValueType) -> Value {
    do throws(BasicFormatError) {
      return try typed(in: range, type: type)
    } catch {
      note(
        .error, .invalidValue, range.lowerBound + error.offset, error.message, error.section)
      return .unknown(text(range))
    }
  }

  private mutating func typed(
    in range: Range<Int>, type: ValueType
  ) throws(BasicFormatError) -> Value {
    let source = bytes  // `self` takes notes while a part of it is read
    let part = source.span.extracting(range)
    switch type {
    case .binary: return .binary(try Base64.decode(part))
    case .boolean: return .boolean(try boolean(part))
    case .calendarAddress: return .calendarAddress(uri(range, "RFC 5545 §3.3.3"))
    case .date: return .date(try BasicFormat.date(part))
    case .dateTime:
      let (value, isUTC) = try BasicFormat.dateTime(part)
      return .dateTime(value, isUTC: isUTC)
    case .duration: return .duration(try duration(part, at: range.lowerBound))
    case .float: return .float(try BasicFormat.float(part))
    case .integer: return .integer(try BasicFormat.integer(part))
    case .period: return .period(try period(part, at: range.lowerBound))
    case .recurrence: return recurrence(part, range)
    case .text: return .text(TextEscaping.unescape(part))
    case .time:
      let (value, isUTC) = try BasicFormat.time(part)
      return .time(value, isUTC: isUTC)
    case .uri: return .uri(uri(range, "RFC 5545 §3.3.13"))
    case .uid, .xmlReference: return .uri(text(range))
    case .utcOffset:
      return .utcOffset(accept(try BasicFormat.lenientUTCOffset(part), at: range.lowerBound))
    case .unknown: return .unknown(text(range))
    }
  }

  /// A rule that has faults is read as its writer must have meant it, and the faults are told.
  private mutating func recurrence(_ part: Span<UInt8>, _ range: Range<Int>) -> Value {
    do throws(RecurrenceRuleIssue) {
      let reading = try RecurrenceRule.parse(leniently: part)
      for issue in reading.issues where issue.isViolation {
        note(
          .warning, .lenientValue, range.lowerBound + issue.offset, issue.message, issue.section)
      }
      return .recurrence(reading.rule)
    } catch {
      note(.error, .invalidValue, range.lowerBound + error.offset, error.message, error.section)
      return .unknown(text(range))
    }
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

  /// A URI needs a scheme; the rest is left to whoever uses it.
  ///
  /// Lenient: a value without a scheme is kept, since people know what `ann@example.org` means.
  private mutating func uri(_ range: Range<Int>, _ section: String) -> String {
    let text = text(range)
    let scheme = text.utf8.prefix { $0.isNameByte || $0 == 0x2B || $0 == 0x2E }
    guard
      scheme.isEmpty || scheme.endIndex == text.endIndex
        || text.utf8[scheme.endIndex] != ASCII.colon
    else { return text }
    note(
      .warning, .lenientValue, range.lowerBound,
      "expected a URI, such as mailto:ann@example.org, found \(text.isEmpty ? "nothing" : "\"\(text)\"")",
      section)
    return text
  }

  private mutating func duration(
    _ part: Span<UInt8>, at offset: Int
  ) throws(BasicFormatError) -> CivilDuration {
    accept(try BasicFormat.lenientDuration(part), at: offset)
  }

  /// Takes a value that is clear though not written as it must be, and says what deviates.
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

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func note(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ offset: Int, _ message: String,
    _ reference: String
  ) {
    guard problems.count < Self.problemLimit else { return }
    problems.append(
      ValueProblem(severity, code, offset: offset, message, reference: reference))
  }
}
