// SPDX-License-Identifier: Apache-2.0

/// A property: a name, parameters and a value (RFC 5545 §3.5).
///
/// A property that came from a file points at its line there and is written back byte for byte; only
/// what is asked for is decoded. Changing it detaches it from the line; what was not changed, the
/// spelling of its parameters for one, stays as it was.
///
/// A line that is no content line at all is kept as a property without a name, so that it is not
/// lost when the file is written again.
public struct Property: Sendable {
  /// Where the parts of a property are.
  private enum Storage: Sendable {
    /// In a line of a file.
    case record(RecordBlock, UInt32)
    /// In memory, after a change.
    indirect case edited(EditedLine)
  }

  private var storage: Storage

  init(_ block: RecordBlock, line: Int) {
    storage = .record(block, UInt32(truncatingIfNeeded: line))
  }

  /// Becomes the property of another line of the same file.
  @inline(__always)
  mutating func move(toLine line: Int) {
    guard case .record(let block, _) = storage else { return }
    storage = .record(block, UInt32(truncatingIfNeeded: line))
  }

  /// Creates a property from its raw value, with all escapes in place; line breaks become `\n`.
  public init(_ name: PropertyName, rawValue: String, parameters: [Parameter] = []) {
    storage = .edited(
      EditedLine(
        name: name, parameters: EditedLine.encode(parameters), value: Array(rawValue.utf8),
        position: nil))
  }

  /// Creates a property from a text, which is escaped as needed (RFC 5545 §3.3.11).
  public init(_ name: PropertyName, text: String, parameters: [Parameter] = []) {
    self.init(name, rawValue: TextEscaping.escape(text), parameters: parameters)
  }

  /// Creates a property that was read from a file in another form than content lines, such as jCal.
  package init(
    _ name: PropertyName, valueBytes: [UInt8], parameters: [Parameter], position: SourcePosition?
  ) {
    storage = .edited(
      EditedLine(
        name: name, parameters: EditedLine.encode(parameters), value: valueBytes,
        position: position))
  }

  /// The name, case-insensitive; empty for a line that is no content line.
  public var name: PropertyName {
    switch storage {
    case .record(let block, let line): block.name(of: block.lines[Int(line)])
    case .edited(let line): line.name
    }
  }

  /// Whether the line has a name and a colon, as every content line must.
  public var isWellFormed: Bool {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].nameLength > 0
    case .edited: true
    }
  }

  /// The bytes of the value as they stand after the colon: unfolded, with all escapes.
  public var valueBytes: [UInt8] {
    withValue { Array(copying: $0) }
  }

  /// The value as it stands after the colon; bytes that are not UTF-8 read as U+FFFD.
  public var rawValue: String {
    get { withValue { String(copying: $0) } }
    set { setValue(Array(newValue.utf8)) }
  }

  /// The value as a text, without its escapes (RFC 5545 §3.3.11).
  public var text: String {
    get { withValue { TextEscaping.unescape($0) } }
    set { rawValue = TextEscaping.escape(newValue) }
  }

  /// The parameters, in the order of the file.
  public var parameters: [Parameter] {
    get { withParameters { ParameterParser.parameters(in: $0) } }
    set { edit { $0.parameters = EditedLine.encode(newValue) } }
  }

  /// The first value of the first parameter of a name, or nil if there is none.
  ///
  /// Setting a value replaces all parameters of the name by one; setting nil removes them.
  public subscript(parameter: ParameterName) -> String? {
    get {
      guard hasParameters else { return nil }
      return withParameters { ParameterParser.firstValue(of: parameter, in: $0) }
    }
    set {
      var all = parameters
      let place = all.firstIndex { $0.name == parameter } ?? all.endIndex
      all.removeAll { $0.name == parameter }
      if let newValue { all.insert(Parameter(parameter, newValue), at: min(place, all.count)) }
      parameters = all
    }
  }

  /// Where the property begins in the file that it was read from, or nil if it was made in memory.
  public var position: SourcePosition? {
    switch storage {
    case .record(let block, let line):
      SourcePosition(line: block.lineNumber(of: block.lines[Int(line)]), column: 1)
    case .edited(let line): line.position
    }
  }

  /// Replaces the value without reading the old one: the values of a long list are often taken apart one
  /// by one, each as a copy of the property.
  private mutating func setValue(_ value: [UInt8]) {
    guard case .record = storage else { return edit { $0.setValue(value) } }
    storage = .edited(
      EditedLine(
        name: name, parameters: withParameters { Array(copying: $0) }, value: value,
        position: position))
  }

  private mutating func edit(_ change: (inout EditedLine) -> Void) {
    var line = edited
    change(&line)
    storage = .edited(line)
  }

  private var edited: EditedLine {
    if case .edited(let line) = storage { return line }
    return EditedLine(
      name: name, parameters: withParameters { Array(copying: $0) }, value: valueBytes,
      position: position)
  }
}

extension Property {
  /// Calls `body` with the bytes of the value.
  package func withValue<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      return block.withText(of: record) {
        body($0.extracting(min(Int(record.valueStart), $0.count)..<$0.count))
      }
    case .edited(let line): return body(line.value.span)
    }
  }

  /// Calls `body` with each parameter, in the order of the file: with the number of its name in its
  /// vocabulary, nil if it is not one of them, and with its values as they are written.
  ///
  /// `ParameterParser` decodes the values.
  package func forEachParameter(_ body: (Int?, Span<UInt8>) -> Void) {
    guard hasParameters else { return }
    withParameters { ParameterParser.forEach(in: $0, body) }
  }

  /// Calls `body` with the bytes between the name and the colon, the first semicolon included.
  private func withParameters<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      let start = Int(record.nameLength)
      let end = max(start, Int(record.valueStart) - 1)
      return block.withText(of: record) { body($0.extracting(start..<min(end, $0.count))) }
    case .edited(let line): return body(line.parameters.span)
    }
  }

  /// Whether there are parameters; cheaper than asking for them.
  package var hasParameters: Bool {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      return record.valueStart > UInt32(record.nameLength) + 1
    case .edited(let line): return !line.parameters.isEmpty
    }
  }

  /// Whether there may be a VALUE parameter; cheaper than asking for it.
  var mayDeclareType: Bool {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].mayDeclareType
    case .edited(let line): !line.parameters.isEmpty
    }
  }

  /// The typed values, if there is nothing to say about them.
  @inline(__always)
  var usualValues: TypedValues? {
    guard case .record(let block, let line) = storage else { return nil }
    return UsualValue.read(block.lines[Int(line)], in: block)
  }

  /// Where the value lies in the file, or nil if the property was made or changed in memory.
  var origin: ValueOrigin? {
    guard case .record(let block, let line) = storage else { return nil }
    let record = block.lines[Int(line)]
    return ValueOrigin(
      block: block, start: Int(record.textStart &+ min(record.valueStart, record.textCount)),
      isInArena: record.isFolded)
  }

  /// The lines of the file that hold the property, with their ends, or nil if it was changed.
  var physicalBytes: ArraySlice<UInt8>? {
    guard case .record(let block, let line) = storage else { return nil }
    return block.bytes[block.lines[Int(line)].physicalRange]
  }

  /// The line of a file that the property is, or nil if it was changed.
  var record: (block: RecordBlock, line: LineRecord)? {
    guard case .record(let block, let line) = storage else { return nil }
    return (block, block.lines[Int(line)])
  }

  /// Appends the line that is written for a property that was changed, unfolded and without its end;
  /// gives a record of it.
  @discardableResult
  func writeEdited(to bytes: inout [UInt8]) -> LineRecord {
    let line = edited
    let start = bytes.count
    bytes.append(copying: line.name.rawName.utf8.span)
    let nameEnd = bytes.count
    bytes.append(copying: line.parameters.span)
    bytes.append(ASCII.colon)
    let valueStart = bytes.count
    bytes.append(copying: line.value.span)
    var parts = LineParts(nameLength: nameEnd - start)
    if let index = line.name.index {
      parts = LineParts(nameLength: nameEnd - start, index: index, isCanonical: false)
    }
    parts.valueStart = UInt32(truncatingIfNeeded: valueStart - start)
    return LineRecord(
      from: 0, to: 0, textStart: start, textCount: bytes.count - start, isFolded: false,
      lineNumber: 0, parts: parts)
  }

  /// The number of the name in its vocabulary, or nil if it is not one of them.
  package var nameIndex: Int? {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].nameIndex
    case .edited(let line): line.name.index
    }
  }

  /// Whether the name is this one; cheaper than asking for `name`.
  package func isNamed(_ other: PropertyName) -> Bool {
    switch storage {
    case .edited(let line): return line.name == other
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      if let index = other.index { return record.isNamed(index) }
      return record.nameIndex == nil && block.name(of: record) == other
    }
  }

  /// A diagnostic about a place in the value; about the position as a whole if it was changed.
  package func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, atValueOffset offset: Int = 0,
    _ message: String, reference: String? = nil
  ) -> Diagnostic {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      return block.diagnostic(
        severity, code, in: record, at: Int(record.valueStart) + offset, message,
        reference: reference)
    case .edited(let line):
      return Diagnostic(
        severity, code, at: line.position ?? SourcePosition(line: 1, column: 1), message,
        reference: reference)
    }
  }

  /// A diagnostic about the property as a whole, at the beginning of its line.
  package func diagnostic(
    aboutName severity: Diagnostic.Severity, _ code: DiagnosticCode, _ message: String,
    reference: String? = nil
  ) -> Diagnostic {
    guard case .record(let block, let line) = storage else {
      return diagnostic(severity, code, message, reference: reference)
    }
    return block.diagnostic(
      severity, code, in: block.lines[Int(line)], at: 0, message, reference: reference)
  }
}

extension Property: Hashable {
  /// Whether two properties say the same: equal names, parameters and values, in whatever folding.
  public static func == (left: Property, right: Property) -> Bool {
    left.isWellFormed == right.isWellFormed && left.name == right.name
      && left.valueBytes == right.valueBytes && left.parameters == right.parameters
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(valueBytes)
    // Lines of one value that differ in their parameters, such as those of one attendee, are many in some
    // files: without this they would all meet in one place of a table.
    let parameters = hasParameters ? parameters : []
    if !parameters.isEmpty { hasher.combine(parameters) }
  }
}
