// SPDX-License-Identifier: Apache-2.0

/// A property: a name, parameters and a value (RFC 5545 §3.5).
///
/// A property of a file refers to its line and is written back byte for byte; its parts are decoded
/// on access. A modification detaches it from the line, but unmodified parts, such as its
/// parameters, keep their spelling.
///
/// A line that is not a content line is preserved as a property without a name, so that it is
/// written back too.
public struct Property: Sendable {
  /// The storage of a property's parts.
  private enum Storage: Sendable {
    /// A line in the block of a file.
    case record(RecordBlock, UInt32)
    /// A modified or newly created property.
    indirect case edited(EditedLine)
  }

  private var storage: Storage

  init(_ block: RecordBlock, line: Int) {
    storage = .record(block, UInt32(truncatingIfNeeded: line))
  }

  /// Changes this value to another line of the same file.
  @inline(__always)
  mutating func move(toLine line: Int) {
    guard case .record(let block, _) = storage else { return }
    storage = .record(block, UInt32(truncatingIfNeeded: line))
  }

  /// Creates a property from a raw value with escapes; line breaks become `\n`.
  public init(_ name: PropertyName, rawValue: String, parameters: [Parameter] = []) {
    storage = .edited(
      EditedLine(
        name: name, parameters: EditedLine.encode(parameters), value: Array(rawValue.utf8),
        position: nil))
  }

  /// Creates a property from a text, which is escaped (RFC 5545 §3.3.11).
  public init(_ name: PropertyName, text: String, parameters: [Parameter] = []) {
    self.init(name, rawValue: TextEscaping.escape(text), parameters: parameters)
  }

  /// Creates a property that was read from a format other than content lines, such as jCal.
  package init(
    _ name: PropertyName, valueBytes: [UInt8], parameters: [Parameter], position: SourcePosition?
  ) {
    storage = .edited(
      EditedLine(
        name: name, parameters: EditedLine.encode(parameters), value: valueBytes,
        position: position))
  }

  /// The name, case-insensitive; empty for a line that is not a content line.
  public var name: PropertyName {
    switch storage {
    case .record(let block, let line): block.name(of: block.lines[Int(line)])
    case .edited(let line): line.name
    }
  }

  /// Whether the line is a content line: it has a name and a colon.
  public var isWellFormed: Bool {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].nameLength > 0
    case .edited: true
    }
  }

  /// The bytes of the value after the colon, unfolded but with escapes.
  public var valueBytes: [UInt8] {
    withValue { Array(copying: $0) }
  }

  /// The value after the colon with escapes; invalid UTF-8 becomes U+FFFD.
  public var rawValue: String {
    get { withValue { String(copying: $0) } }
    set { setValue(Array(newValue.utf8)) }
  }

  /// The value as a text, without escapes (RFC 5545 §3.3.11).
  public var text: String {
    get { withValue { TextEscaping.unescape($0) } }
    set { rawValue = TextEscaping.escape(newValue) }
  }

  /// The parameters, in file order.
  public var parameters: [Parameter] {
    get { withParameters { ParameterParser.parameters(in: $0) } }
    set { edit { $0.parameters = EditedLine.encode(newValue) } }
  }

  /// The first value of the first parameter with a name, or nil if there is none.
  ///
  /// Setting a value replaces all parameters with the name by a single one; setting nil removes
  /// them.
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

  /// The position in the source file, or nil if there is no source.
  public var position: SourcePosition? {
    switch storage {
    case .record(let block, let line):
      SourcePosition(line: block.lineNumber(of: block.lines[Int(line)]), column: 1)
    case .edited(let line): line.position
    }
  }

  /// Replaces the value without reading the old one.
  ///
  /// A long list is often split into copies of the property with one value each.
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

  /// Calls `body` with the name's index and the raw values of each parameter, in file order.
  ///
  /// The index is nil if the name is unknown. `ParameterParser` decodes the values.
  package func forEachParameter(_ body: (Int?, Span<UInt8>) -> Void) {
    guard hasParameters else { return }
    withParameters { ParameterParser.forEach(in: $0, body) }
  }

  /// Calls `body` with the bytes between the name and the colon, including the first semicolon.
  func withParameters<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      let start = Int(record.nameLength)
      let end = max(start, Int(record.valueStart) - 1)
      return block.withText(of: record) { body($0.extracting(start..<min(end, $0.count))) }
    case .edited(let line): return body(line.parameters.span)
    }
  }

  /// Whether there are parameters; faster than parsing them.
  package var hasParameters: Bool {
    switch storage {
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      return record.valueStart > UInt32(record.nameLength) + 1
    case .edited(let line): return !line.parameters.isEmpty
    }
  }

  /// Whether there may be a VALUE parameter; faster than parsing it.
  var mayDeclareType: Bool {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].mayDeclareType
    case .edited(let line): !line.parameters.isEmpty
    }
  }

  /// The typed values, if the fast path can parse them without problems.
  @inline(__always)
  var usualValues: TypedValues? {
    guard case .record(let block, let line) = storage else { return nil }
    return UsualValue.read(block.lines[Int(line)], in: block)
  }

  /// The origin of the value in the file, or nil if the property was created or modified.
  var origin: ValueOrigin? {
    guard case .record(let block, let line) = storage else { return nil }
    let record = block.lines[Int(line)]
    return ValueOrigin(
      block: block, start: Int(record.textStart &+ min(record.valueStart, record.textCount)),
      isInArena: record.isFolded)
  }

  /// The range in the bytes that the file was read from, or nil after a change.
  package var sourceRange: Range<Int>? { physicalBytes?.indices }

  /// The physical lines of the property with line breaks, or nil if it was modified.
  var physicalBytes: ArraySlice<UInt8>? {
    guard case .record(let block, let line) = storage else { return nil }
    return block.bytes[block.lines[Int(line)].physicalRange]
  }

  /// The line record of the property, or nil if it was modified.
  var record: (block: RecordBlock, line: LineRecord)? {
    guard case .record(let block, let line) = storage else { return nil }
    return (block, block.lines[Int(line)])
  }

  /// Appends the line of a modified property, unfolded and without a line break.
  ///
  /// - Returns: A record of the line.
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

  /// The index of the name in its vocabulary, or nil if the name is unknown.
  package var nameIndex: Int? {
    switch storage {
    case .record(let block, let line): block.lines[Int(line)].nameIndex
    case .edited(let line): line.name.index
    }
  }

  /// Whether the property has this name; faster than comparing `name`.
  package func isNamed(_ other: PropertyName) -> Bool {
    switch storage {
    case .edited(let line): return line.name == other
    case .record(let block, let line):
      let record = block.lines[Int(line)]
      if let index = other.index { return record.isNamed(index) }
      return record.nameIndex == nil && block.name(of: record) == other
    }
  }

  /// Creates a diagnostic at an offset in the value, or at the property if it was modified.
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

  /// Creates a diagnostic about the whole property, at the start of its line.
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
  /// Whether two properties have equal names, parameters and values, regardless of folding.
  public static func == (left: Property, right: Property) -> Bool {
    left.isWellFormed == right.isWellFormed && left.name == right.name
      && left.valueBytes == right.valueBytes && left.parameters == right.parameters
  }

  /// Hashes some of the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(valueBytes)
    // Some files have many lines that differ only in their parameters, such as those of one
    // attendee. Without the parameters, all of them would have the same hash.
    let parameters = hasParameters ? parameters : []
    if !parameters.isEmpty { hasher.combine(parameters) }
  }
}
