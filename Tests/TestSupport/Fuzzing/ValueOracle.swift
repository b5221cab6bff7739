// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// What must hold of typed values and of their scanners, whatever bytes they are given.
public enum ValueOracle {
  /// Tries some bytes as content lines of a calendar, and what follows their first colon as values.
  ///
  /// - Throws: `OracleFailure`, the first promise that does not hold.
  public static func check(_ input: [UInt8]) throws(OracleFailure) {
    let lines = Array("BEGIN:VCALENDAR\r\n".utf8) + input + Array("\r\nEND:VCALENDAR\r\n".utf8)
    for case .property(let property) in ReadingTrace(reading: lines).elements {
      try check(property)
      try checkEdits(of: property)
    }
    let value = input.firstIndex(of: 0x3A).map { Array(input[($0 + 1)...]) } ?? input
    try checkScanners(value)
    try checkRule(value)
    try checkText(value)
  }

  /// The typed values of a property, and what is said of them.
  static func check(_ property: Property) throws(OracleFailure) {
    let typed = property.typedValues
    let length = property.valueBytes.count
    try promise(!typed.values.isEmpty, "no values at all")
    for problem in typed.problems {
      try promise(0...length ~= problem.offset, "a problem at \(problem.offset) of \(length)")
      try promise(!problem.message.isEmpty, "a problem that says nothing")
      let diagnostic = property.diagnostic(
        problem.severity, problem.code, atValueOffset: problem.offset, problem.message)
      try promise(
        property.position.map { $0 <= diagnostic.position } ?? true,
        "a diagnostic stands before its property")
    }
    let hasErrors = typed.problems.contains { $0.severity == .error }
    for value in typed.values {
      if case .unknown = value {
        try promise(hasErrors || typed.type == .unknown, "a value is unknown, and nobody says why")
      }
      try checkWriters(value)
    }
  }

  /// What a value says of itself reads back as the same value.
  private static func checkWriters(_ value: Value) throws(OracleFailure) {
    switch value {
    case .date(let date): try reads(date, date.description) { try BasicFormat.date($0) }
    case .dateTime(let value, _):
      try reads(value, value.description) { try BasicFormat.localDateTime($0) }
    case .duration(let value): try checkDuration(value)
    case .period(let period):
      try reads(period.start, period.start.description) { try BasicFormat.localDateTime($0) }
      if case .duration(let duration) = period.end { try checkDuration(duration) }
    case .time(let value, _):
      try reads(value, value.description) { try BasicFormat.time($0).value }
    case .utcOffset(let value):
      try reads(value, value.description) { try BasicFormat.utcOffset($0) }
    case .recurrence(let rule): try checkRule(Array(rule.description.utf8))
    case .float(let number): try promise(number.isFinite, "a number is not finite")
    case .integer(let number):
      try promise(Int(Int32.min)...Int(Int32.max) ~= number, "\(number) has more than 32 bits")
    case .text(let text):
      try checkValueText(text)
      try checkText(Array(text.string.utf8))
    case .calendarAddress(let text), .uri(let text), .unknown(let text): try checkValueText(text)
    case .binary, .boolean: break
    }
  }

  /// A text in a file is the same as one in memory; bytes that are not UTF-8 become longer.
  private static func checkValueText(_ text: ValueText) throws(OracleFailure) {
    let copy = ValueText(text.string)
    try promise(text == copy && text.hashValue == copy.hashValue, "\(text) is not itself")
    try promise(
      text.utf8Count == copy.utf8Count || text.string.unicodeScalars.contains("\u{FFFD}"),
      "\(text.debugDescription) is said to have \(text.utf8Count) bytes")
  }

  /// Weeks beside days become days when they are written, which are as long.
  private static func checkDuration(_ duration: CivilDuration) throws(OracleFailure) {
    let again = try? BasicFormat.duration(duration.description.utf8.span)
    try promise(
      again?.nominalDays == duration.nominalDays && again?.exactSeconds == duration.exactSeconds,
      "\(duration) is written for another duration")
  }

  private static func reads<Result: Equatable>(
    _ value: Result, _ text: String, as read: (Span<UInt8>) throws -> Result
  ) throws(OracleFailure) {
    let again = try? read(text.utf8.span)
    try promise(
      again == value, "\(text) is written for \(value) and reads as \(String(describing: again))")
  }

  /// Setting what is there already changes nothing.
  private static func checkEdits(of property: Property) throws(OracleFailure) {
    guard property.isWellFormed else { return }
    var edited = property
    let text = property.text
    edited.text = text
    try promise(
      edited.text == unifiedLineEnds(text), "a text that is set reads back as \(edited.text)")
    try readsBack(edited)
    edited = property
    edited.parameters = property.parameters
    try promise(
      edited.parameters.map(\.name) == property.parameters.map(\.name), "parameters got lost")
    if property.parameters.allSatisfy({ isName($0.name.rawName) }) { try readsBack(edited) }
  }

  private static func readsBack(_ property: Property) throws(OracleFailure) {
    var bytes = Array("BEGIN:VCALENDAR\r\n".utf8)
    Serializer().write(property, to: &bytes)
    bytes += Array("END:VCALENDAR\r\n".utf8)
    let again = ReadingTrace(reading: bytes).elements.compactMap {
      if case .property(let property) = $0 { property } else { nil }
    }
    try promise(
      again == [property],
      "an edited property reads back differently: \(String(decoding: bytes, as: UTF8.self).debugDescription)"
    )
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
  }

  /// Every scanner, on bytes that may be meant for another one.
  private static func checkScanners(_ bytes: [UInt8]) throws(OracleFailure) {
    let span = bytes.span
    if let date = try? BasicFormat.date(span) { try checkWriters(.date(date)) }
    if let (value, isUTC) = try? BasicFormat.dateTime(span) {
      try checkWriters(.dateTime(value, isUTC: isUTC))
    }
    if let (value, isUTC) = try? BasicFormat.time(span) {
      try checkWriters(.time(value, isUTC: isUTC))
    }
    if let reading = try? BasicFormat.lenientDuration(span) {
      try checkDuration(reading.value)
      try promise(
        reading.isLenient != ((try? BasicFormat.duration(span)) == reading.value),
        "the strict and the lenient duration disagree")
    }
    if let reading = try? BasicFormat.lenientUTCOffset(span) {
      try checkWriters(.utcOffset(reading.value))
    }
    if let number = try? BasicFormat.integer(span) { try checkWriters(.integer(number)) }
    if let number = try? BasicFormat.float(span) { try checkWriters(.float(number)) }
  }

  /// The lenient reading of a rule takes whatever the strict one does, and says more.
  private static func checkRule(_ bytes: [UInt8]) throws(OracleFailure) {
    let strict = try? RecurrenceRule(parsing: bytes.span)
    guard let reading = try? RecurrenceRule.parse(leniently: bytes.span) else {
      try promise(strict == nil, "a rule that is right is not read leniently")
      return
    }
    let isRight = !reading.issues.contains(where: \.isViolation)
    try promise(isRight == (strict != nil), "the strict reading of a rule disagrees")
    try promise(reading.issues.count <= 50, "\(reading.issues.count) issues")
    for issue in reading.issues {
      try promise(0...bytes.count ~= issue.offset, "an issue at \(issue.offset) of \(bytes.count)")
    }
    for type in RecurrenceRuleReading.StartType.allCases { _ = reading.issues(forStart: type) }
    let text = reading.rule.description
    let again = try? RecurrenceRule.parse(leniently: text)
    try promise(again?.rule == reading.rule, "\(text) reads back as another rule")
    if isRight {
      try promise(
        (try? RecurrenceRule(parsing: text)) == strict, "\(text) is not right any more")
    }
  }

  /// Escaping and its way back give the text, but for line ends, which are all one.
  private static func checkText(_ bytes: [UInt8]) throws(OracleFailure) {
    let text = String(decoding: bytes, as: UTF8.self)
    let escaped = TextEscaping.escape(text)
    try promise(
      TextEscaping.unescape(escaped.utf8.span) == unifiedLineEnds(text),
      "\(text.debugDescription) is escaped as \(escaped.debugDescription)")
    _ = TextEscaping.unescape(bytes.span)
    try promise(
      TextEscaping.split(escaped.utf8.span, separator: 0x2C).count == 1,
      "a comma of \(text.debugDescription) is not escaped")
  }

  private static func unifiedLineEnds(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && previous != "\r") { scalars.append("\n") }
      if scalar != "\r", scalar != "\n" { scalars.append(scalar) }
      previous = scalar
    }
    return String(scalars)
  }
}
