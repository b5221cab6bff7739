// SPDX-License-Identifier: Apache-2.0

/// Writes single lines in their canonical form, see `Serializer.Form.canonical`.
///
/// A line that is canonical already, as nearly all are, is copied in one piece.
struct CanonicalLineWriter {
  let rules = CanonicalRule.all
  /// The line that is put together, kept from one line to the next for its room.
  private var line: [UInt8] = []
  /// The line of a property that is in no file, kept likewise.
  private var edited: [UInt8] = []
  private var parameters: [ParameterPlace] = []

  /// Appends a property that was changed or made in memory.
  mutating func write(edited property: Property, to bytes: inout [UInt8]) {
    edited.removeAll(keepingCapacity: true)
    let record = property.writeEdited(to: &edited)
    let text = edited
    write(text.span, record, to: &bytes)
  }

  /// Appends the line that a record describes, folded.
  mutating func write(_ source: Span<UInt8>, _ record: LineRecord, to bytes: inout [UInt8]) {
    let text = source.extracting(record.textRange)
    let nameLength = Int(record.nameLength)
    guard nameLength > 0 else {
      writeMalformed(text, to: &bytes)
      return
    }
    let valueStart = Int(record.valueStart)
    let rule = record.nameIndex.map { rules[$0] } ?? .unknown
    var type = DeclaredType(isText: rule.isText)
    var isCanonical = record.hasCanonicalName || text.extracting(0..<nameLength).isUppercase
    let hasParameters = valueStart > nameLength &+ 1
    if hasParameters, !ParameterPlace.areCanonical(text, nameLength..<(valueStart &- 1)) {
      isCanonical = readParameters(text, nameLength..<(valueStart &- 1)) && isCanonical
      type = declaredType(text, record, rule)
      isCanonical = isCanonical && type.isCanonical
    }
    let deviation =
      type.isText
      ? TextEscaping.firstDeviation(in: text, from: valueStart, separator: rule.separator) : nil
    guard !isCanonical || deviation != nil else {
      writeUnchanged(source, record, to: &bytes)
      return
    }
    line.removeAll(keepingCapacity: true)
    line.append(uppercasing: text.extracting(0..<nameLength))
    if hasParameters {
      appendParameters(text, nameLength..<(valueStart &- 1), type)
    }
    let valueEnd = deviation ?? text.count
    line.append(copying: text.extracting((valueStart &- 1)..<valueEnd))
    if let deviation {
      TextEscaping.appendCanonically(
        text, from: deviation, separator: rule.separator, to: &line)
    }
    let whole = line
    LineFolder.write(whole.span, to: &bytes)
  }

  /// Appends a line that is canonical as it stands, with its line end where it has the right one.
  @inline(__always)
  private func writeUnchanged(
    _ source: Span<UInt8>, _ record: LineRecord, to bytes: inout [UInt8]
  ) {
    let range = record.textRange
    if !record.isFolded, record.textCount <= LineFolder.limit,
      Int(record.end) == range.upperBound &+ 2
    {
      bytes.append(copying: source.extracting(range.lowerBound..<(range.upperBound &+ 2)))
    } else {
      LineFolder.write(source.extracting(range), to: &bytes)
    }
  }

  /// Writes what is no content line as it is; a space at its start would make it part of the line before.
  private func writeMalformed(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    while start < text.count, text[start].isFoldSpace { start += 1 }
    LineFolder.write(text.extracting(start..<text.count), to: &bytes)
  }

  /// Finds the parameters and sorts them by name; those of one name stay in order.
  ///
  /// Tells whether they may be written as they stand.
  private mutating func readParameters(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    parameters.removeAll(keepingCapacity: true)
    var isCanonical = true
    var isInOrder = true
    var index = range.lowerBound
    while index < range.upperBound, text[index] == ASCII.semicolon {
      let place = ParameterPlace(text, at: index &+ 1, end: range.upperBound)
      index = place.values.upperBound
      isCanonical = isCanonical && place.isCanonical
      if let last = parameters.last, place.precedes(last, in: text) { isInOrder = false }
      parameters.append(place)
    }
    // What has no name cannot be moved, since quotes in it count for the parameters after it.
    guard parameters.allSatisfy(\.hasName) else { return true }
    guard !isInOrder else { return isCanonical }
    parameters.sort {
      $0.precedes($1, in: text)
        || !$1.precedes($0, in: text) && $0.name.lowerBound < $1.name.lowerBound
    }
    return false
  }

  private mutating func appendParameters(
    _ text: Span<UInt8>, _ range: Range<Int>, _ type: DeclaredType
  ) {
    if readParameters(text, range), type.isCanonical {
      line.append(copying: text.extracting(range))
      return
    }
    for place in parameters where !(type.isDefault && place.isValue) {
      place.write(text, to: &line)
    }
  }

  /// What the VALUE parameter says of a property; the first one counts (RFC 5545 §3.2.20).
  private func declaredType(
    _ text: Span<UInt8>, _ record: LineRecord, _ rule: CanonicalRule
  ) -> DeclaredType {
    var type = DeclaredType(isText: rule.isText)
    guard let place = parameters.first(where: \.isValue) else { return type }
    let areNamed = parameters.allSatisfy(\.hasName)
    if let name = rule.typeName, place.names(name, in: text) {
      type.isDefault = areNamed
      type.isCanonical = !areNamed
      return type
    }
    type.isCanonical = !areNamed || text.extracting(place.values).isUppercase
    if rule.mayBeText, let index = record.nameIndex {
      let range = Int(record.nameLength)..<(Int(record.valueStart) - 1)
      let name = ParameterParser.firstValue(of: .value, in: text.extracting(range)) ?? ""
      let declared = ValueType(rawValue: name.asciiUppercased) ?? .unknown
      let row = PropertyTable.rows[index]
      type.isText = (row.alternatives.contains(declared) ? declared : row.valueType) == .text
    }
    return type
  }
}

/// What is known of the type of a property's value.
private struct DeclaredType {
  var isText: Bool
  /// Whether a VALUE parameter names the type that the value has without it.
  var isDefault = false
  /// Whether the VALUE parameter, if there is one, is written as it stands.
  var isCanonical = true
}

extension Span<UInt8> {
  /// Whether there are no small ASCII letters.
  var isUppercase: Bool {
    var index = 0
    while index < count {
      let word = word(at: index)
      guard ByteWord.uppercased(word) == word else { return false }
      index &+= 8
    }
    return true
  }

  /// Whether the bytes come before others, in whatever case of ASCII letters.
  func isBeforeIgnoringCase(_ other: Span<UInt8>) -> Bool {
    for index in 0..<Swift.min(count, other.count) {
      let (left, right) = (self[index].asciiUppercased, other[index].asciiUppercased)
      if left != right { return left < right }
    }
    return count < other.count
  }
}

extension [UInt8] {
  /// Appends bytes with their small ASCII letters in upper case.
  mutating func append(uppercasing bytes: Span<UInt8>) {
    guard !bytes.isUppercase else { return append(copying: bytes) }
    for index in bytes.indices { append(bytes[index].asciiUppercased) }
  }
}
