// SPDX-License-Identifier: Apache-2.0

/// Writes single lines in their canonical form, see `Serializer.Form.canonical`.
///
/// A line that is canonical already, as nearly all are, is copied in one piece; one that is not is put
/// together from its parts. Either is looked through once.
struct CanonicalLineWriter {
  let rules = CanonicalRule.all
  private let typeNames = CanonicalRule.typeNames
  /// The line that is put together, kept from one line to the next for its room.
  private var line: [UInt8] = []
  private var parameters = ParameterPlaces()
  private var found = Findings()

  /// Whether a line is written as its physical lines stand in the file; if not, `write` has to be asked
  /// next, which knows what was found out about it.
  @inline(__always)
  mutating func isCopied(_ record: LineRecord, _ text: Span<UInt8>, file: Span<UInt8>) -> Bool {
    let nameLength = Int(record.nameLength)
    guard nameLength > 0 else { return false }
    let range = record.textRange
    let nameEnd = range.lowerBound &+ nameLength
    let valueStart = range.lowerBound &+ Int(record.valueStart)
    let index = record.nameIndex ?? rules.count &- 1
    let rule = rules[index]
    var type = DeclaredType(isText: rule.isText)
    if valueStart > nameEnd &+ 1 {
      type = readParameters(text, nameEnd..<(valueStart &- 1), rule, index)
    }
    let deviation =
      type.isText
      ? TextEscaping.firstDeviation(
        in: text, from: valueStart, to: range.upperBound, separator: rule.separator)
      : range.upperBound
    let isUnchanged =
      type.isAsItStands && deviation == range.upperBound
      && (record.hasCanonicalName || text.isUppercase(from: range.lowerBound, to: nameEnd))
    if isUnchanged, isFoldedRightly(record, file) { return true }
    found = Findings(
      type: type, separator: rule.separator, deviation: deviation, isUnchanged: isUnchanged)
    return false
  }

  /// Appends the line that `isCopied` was asked about, folded.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: The bytes that the record's text lies in.
  ///   - bytes: What is appended to.
  mutating func write(_ record: LineRecord, _ text: Span<UInt8>, to bytes: inout [UInt8]) {
    guard record.nameLength > 0 else {
      writeMalformed(record, text, to: &bytes)
      return
    }
    let range = record.textRange
    guard !found.isUnchanged else {
      LineFolder.write(text, from: range.lowerBound, to: range.upperBound, to: &bytes)
      return
    }
    let nameEnd = range.lowerBound &+ Int(record.nameLength)
    let deviation = found.deviation
    let colon = range.lowerBound &+ Int(record.valueStart) &- 1
    line.removeAll(keepingCapacity: true)
    line.append(uppercasing: text, from: range.lowerBound, to: nameEnd)
    if found.type.isAsItStands {
      line.append(copying: text, from: nameEnd, to: deviation)
    } else if parameters.areToBeMoved {
      line.append(addingCapacity: deviation - nameEnd + OutputSpan<UInt8>.copiedLength) { output in
        parameters.write(text, to: &output)
        output.append(copying: text, from: colon, to: deviation)
      }
    } else {
      parameters.write(text, withoutValue: found.type.isDefault, to: &line)
      line.append(copying: text, from: colon, to: deviation)
    }
    if deviation < range.upperBound {
      TextEscaping.appendCanonically(
        text, from: deviation, to: range.upperBound, separator: found.separator, to: &line)
    }
    LineFolder.write(line.span, to: &bytes)
  }

  /// Whether the folds and the line end are as they are written.
  @inline(__always)
  private func isFoldedRightly(_ record: LineRecord, _ file: Span<UInt8>) -> Bool {
    let range = record.textRange
    let lines = record.physicalRange
    return record.isFolded
      ? LineFolder.isFolded(file, lines, count: range.count)
      : range.count <= LineFolder.limit && lines.upperBound == range.upperBound &+ 2
  }

  /// Writes what is no content line as it is; a space at its start would make it part of the line before.
  private func writeMalformed(
    _ record: LineRecord, _ text: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    let end = record.textRange.upperBound
    var start = record.textRange.lowerBound
    while start < end, text[start].isFoldSpace { start += 1 }
    LineFolder.write(text, from: start, to: end, to: &bytes)
  }

  /// Finds the parameters, sorts them by name and tells what they say of the type of the value.
  private mutating func readParameters(
    _ text: Span<UInt8>, _ range: Range<Int>, _ rule: CanonicalRule, _ ruleIndex: Int
  ) -> DeclaredType {
    parameters.read(text, range)
    var type = DeclaredType(isText: rule.isText)
    if let value = parameters.value { type = declaredType(value, text, rule, ruleIndex) }
    type.isAsItStands =
      !parameters.areNamed || type.isAsItStands && parameters.areAsTheyStand
    return type
  }

  /// What the VALUE parameter says of a property; the first one counts (RFC 5545 §3.2.20).
  private func declaredType(
    _ place: ParameterPlace, _ text: Span<UInt8>, _ rule: CanonicalRule, _ index: Int
  ) -> DeclaredType {
    var type = DeclaredType(isText: rule.isText)
    if index < typeNames.count, place.names(typeNames[index], in: text) {
      type.isDefault = true
      type.isAsItStands = false
      return type
    }
    let range = place.values
    type.isAsItStands = text.isUppercase(from: range.lowerBound, to: range.upperBound)
    if rule.mayBeText {
      let name = ParameterParser.firstValue(in: text.extracting(range))
      let declared = ValueType(rawValue: name.asciiUppercased) ?? .unknown
      let row = PropertyTable.rows[index]
      type.isText = (row.alternatives.contains(declared) ? declared : row.valueType) == .text
    }
    return type
  }
}

/// What is found out about a line that is not copied.
private struct Findings {
  var type = DeclaredType(isText: false)
  var separator: UInt8 = 0
  /// Where its value is not spelled canonically any more.
  var deviation = 0
  /// Whether only its folds or its line end are others.
  var isUnchanged = false
}

/// What is known of the type of a property's value, and of its parameters.
private struct DeclaredType {
  var isText: Bool
  /// Whether a VALUE parameter names the type that the value has without it.
  var isDefault = false
  /// Whether the parameters, if there are any, are written as they stand.
  var isAsItStands = true

  init(isText: Bool) {
    self.isText = isText
  }
}

extension Span<UInt8> {
  /// Whether there are no small ASCII letters in a range.
  @inline(__always)
  func isUppercase(from start: Int, to end: Int) -> Bool {
    var index = start
    while index < end {
      let part = ByteWord.prefix(word(at: index), end &- index)
      guard ByteWord.uppercased(part) == part else { return false }
      index &+= 8
    }
    return true
  }
}

extension [UInt8] {
  /// Appends bytes with their small ASCII letters in upper case.
  mutating func append(uppercasing bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard !bytes.isUppercase(from: start, to: end) else {
      append(copying: bytes, from: start, to: end)
      return
    }
    for index in start..<end { append(bytes[index].asciiUppercased) }
  }
}
