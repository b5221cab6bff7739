// SPDX-License-Identifier: Apache-2.0

/// Writes single lines in canonical form, see `Serializer.Form.canonical`.
///
/// A line that is already canonical, as nearly all are, is copied at once; other lines are
/// assembled from their parts. Either is scanned once.
struct CanonicalLineWriter {
  let rules = CanonicalRule.all
  private let typeNames = CanonicalRule.typeNames
  /// The line being assembled; reused to keep its capacity.
  private var line: [UInt8] = []
  private var parameters = ParameterPlaces()
  private var found = Findings()

  /// Whether a line can be copied from its physical lines in the file.
  ///
  /// If not, the caller must call `write` next, which uses the findings about the line.
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

  /// Appends the line that was last passed to `isCopied`, folded.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: The bytes that contain the record's text.
  ///   - bytes: The output.
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

  /// Whether the folds and the line break are canonical.
  @inline(__always)
  private func isFoldedRightly(_ record: LineRecord, _ file: Span<UInt8>) -> Bool {
    let range = record.textRange
    let lines = record.physicalRange
    return record.isFolded
      ? LineFolder.isFolded(file, lines, count: range.count)
      : range.count <= LineFolder.limit && lines.upperBound == range.upperBound &+ 2
  }

  /// Writes a malformed line without leading space, which would join it to the previous line.
  private func writeMalformed(
    _ record: LineRecord, _ text: Span<UInt8>, to bytes: inout [UInt8]
  ) {
    let end = record.textRange.upperBound
    var start = record.textRange.lowerBound
    while start < end, text[start].isFoldSpace { start += 1 }
    LineFolder.write(text, from: start, to: end, to: &bytes)
  }

  /// Reads the parameters, sorts them by name, and returns the declared type of the value.
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

  /// The type that the VALUE parameter declares; the first one counts (RFC 5545 §3.2.20).
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

/// The findings about a line that cannot be copied.
private struct Findings {
  var type = DeclaredType(isText: false)
  var separator: UInt8 = 0
  /// The offset where its value stops being canonical.
  var deviation = 0
  /// Whether only its folds or line break differ.
  var isUnchanged = false
}

/// The properties of a value's declared type and of its parameters.
private struct DeclaredType {
  var isText: Bool
  /// Whether a VALUE parameter names the default type.
  var isDefault = false
  /// Whether the parameters, if any, are written unchanged.
  var isAsItStands = true

  init(isText: Bool) {
    self.isText = isText
  }
}

extension Span<UInt8> {
  /// Whether a range contains no lowercase ASCII letters.
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
  /// Appends bytes with their ASCII letters in upper case.
  mutating func append(uppercasing bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard !bytes.isUppercase(from: start, to: end) else {
      append(copying: bytes, from: start, to: end)
      return
    }
    for index in start..<end { append(bytes[index].asciiUppercased) }
  }
}
