// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Reads the names and the dates of vCards 2.1, 3.0 and 4.0 (RFC 2426, RFC 6350).
///
/// ```
/// bytes ─► VCardLines ─► ContentLineReader ─► VCardBuilder ─► VCardElement
/// ```
///
/// Memory is bounded by the limits for a line and a card instead of the file. A card that cannot be
/// read is reported, and does not affect the others.
///
/// ```swift
/// var reader = VCardReader()
/// try reader.consume(chunk.span)
/// try reader.finish()
/// while let element = reader.next() { print(element) }
/// ```
///
/// It cannot be copied, because two copies would each hold half of a card.
package struct VCardReader: ~Copyable {
  private var lines: VCardLines
  private var reader = ContentLineReader()
  private var builder: VCardBuilder
  private var nextElement = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: The limits of cards and their lines.
  ///   - decoder: The decoder of character sets other than UTF-8.
  package init(
    limits: VCardLimits = VCardLimits(),
    decoder: @escaping VCalendarReader.CharsetDecoder = { _, _ in nil }
  ) {
    lines = VCardLines(limit: limits.lineLength)
    builder = VCardBuilder(limits: limits, decoder: decoder)
  }

  /// Reads the next bytes of the stream.
  ///
  /// - Throws: `SyntaxError` if a limit of content lines is reached.
  package mutating func consume(_ chunk: Span<UInt8>) throws(SyntaxError) {
    let text = lines.convert(chunk)
    builder.cutLines += lines.takeCutLines()
    try reader.consume(text.span, into: &builder)
  }

  /// Ends the input; a card without an END line is reported, and so is a stream without a card.
  ///
  /// - Throws: `SyntaxError` if a limit of content lines is reached.
  package mutating func finish() throws(SyntaxError) {
    let text = lines.finish()
    builder.cutLines += lines.takeCutLines()
    try reader.consume(text.span, into: &builder)
    try reader.finish(into: &builder)
    builder.finish()
  }

  /// Returns the next element, or nil until more bytes are consumed.
  package mutating func next() -> VCardElement? {
    guard nextElement < builder.elements.count else {
      builder.elements.removeAll(keepingCapacity: true)
      nextElement = 0
      return nil
    }
    nextElement += 1
    return builder.elements[nextElement - 1]
  }
}

/// An element that `VCardReader` finds, in stream order.
package enum VCardElement: Hashable, Sendable {
  /// A complete card.
  case card(VCard)
  /// A card that cannot be read, or a stream without a card.
  case rejected(Diagnostic)
}

/// Limits of cards, which prevent hostile files from exhausting memory.
///
/// Lines that are not read, such as photos and notes, do not count.
package struct VCardLimits: Hashable, Sendable {
  /// The maximum number of bytes in a content line, including folds.
  package var lineLength = 64 << 10
  /// The maximum number of content lines of a card.
  package var lines = 1_000
  /// The maximum number of bytes of a card.
  package var cardSize = 256 << 10

  /// Creates the default limits.
  package init() {}
}

/// Collects the content lines of a card.
struct VCardBuilder: ContentLineHandler {
  /// A card that has begun.
  private struct OpenCard {
    let line: Int
    var properties: [Property] = []
    var size = 0
    /// The number of open cards that are values of AGENT (vCard 2.1).
    var nested = 0
    /// The first violation of a limit.
    var fault: Diagnostic?

    /// Whether the last line is an AGENT whose value is the next card.
    var isAtAgent: Bool {
      properties.last.map { $0.isNamed("AGENT") && $0.valueBytes.isEmpty } ?? false
    }
  }

  private let limits: VCardLimits
  private let decoder: VCalendarReader.CharsetDecoder
  private var card: OpenCard?
  private var hasCards = false
  private var lastLine = 1
  /// The elements found so far.
  var elements: [VCardElement] = []
  /// The numbers of incomplete lines that are not assigned to a card yet.
  var cutLines: [Int] = []

  init(limits: VCardLimits, decoder: @escaping VCalendarReader.CharsetDecoder) {
    self.limits = limits
    self.decoder = decoder
  }

  /// Ignores problems of lines: old phones write parameters without names, and each value has a charset.
  mutating func take(_ diagnostic: Diagnostic) {}

  mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
    lastLine = line.lineNumber
    switch line.role {
    case .begin, .end:
      let value = text.extracting(line.value)
      guard
        String(copying: value.extracting(value.trimmedRange)).isEqualIgnoringASCIICase(to: "VCARD")
      else { return }
      if line.role == .begin { begin(line.lineNumber) } else { end(line.lineNumber) }
    case .property: add(line, text)
    case .malformed: break
    }
  }

  /// Ends the stream.
  mutating func finish() {
    if let card { rejectUnended(card, "the end of the file", at: lastLine) }
    card = nil
    if !hasCards {
      reject(.noCalendar, at: 1, "expected BEGIN:VCARD, found no vCard")
    }
  }

  private mutating func begin(_ line: Int) {
    hasCards = true
    if let open = card {
      // A card in a card is the value of the property before it (vCard 2.1 §2.4.2).
      if open.nested > 0 || open.isAtAgent {
        card?.nested += 1
        return
      }
      rejectUnended(open, "BEGIN:VCARD", at: line)
    }
    card = OpenCard(line: line)
  }

  private mutating func end(_ line: Int) {
    guard let open = card else {
      hasCards = true
      reject(.unexpectedEnd, at: line, "expected BEGIN:VCARD, found END:VCARD")
      return
    }
    guard open.nested == 0 else {
      card?.nested -= 1
      return
    }
    card = nil
    let cut = cutLines.first { $0 >= open.line && $0 <= line }
    cutLines.removeAll { $0 <= line }
    if let cut {
      reject(
        .lineLength, at: cut,
        "expected a content line of at most \(limits.lineLength) bytes, found a longer one")
    } else if let fault = open.fault {
      elements.append(.rejected(fault))
    } else {
      let fields = VCardFields(open.properties, decoder: decoder)
      elements.append(.card(VCard(fields, line: open.line)))
    }
  }

  private mutating func add(_ line: ContentLine, _ text: Span<UInt8>) {
    guard var open = card, open.nested == 0, open.fault == nil else { return }
    // Only one reference to the properties is left, so that they are not copied.
    card = nil
    defer { card = open }
    guard open.properties.count < limits.lines, open.size + text.count <= limits.cardSize else {
      let (code, limit): (DiagnosticCode, String) =
        open.properties.count < limits.lines
        ? (.componentSize, "\(limits.cardSize) bytes") : (.propertyCount, "\(limits.lines) lines")
      open.fault = Diagnostic(
        .error, code, at: SourcePosition(line: line.lineNumber, column: 1),
        "expected a card of at most \(limit), found more")
      open.properties = []
      return
    }
    open.size += text.count
    open.properties.append(
      Property(
        line.propertyName(in: text), valueBytes: Array(copying: text.extracting(line.value)),
        parameters: ParameterParser.parameters(in: text.extracting(line.parameters)),
        position: SourcePosition(line: line.lineNumber, column: 1)))
  }

  private mutating func rejectUnended(_ card: OpenCard, _ found: String, at line: Int) {
    reject(
      .missingEnd, at: line,
      "expected END:VCARD for the card that begins in line \(card.line), found \(found)")
  }

  private mutating func reject(_ code: DiagnosticCode, at line: Int, _ message: String) {
    elements.append(
      .rejected(
        Diagnostic(
          .error, code, at: SourcePosition(line: line, column: 1), message,
          reference: "RFC 6350 §6.1")))
  }
}
