// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import ICUServices
import ICalSyntax

/// Reads a calendar file incrementally: consumes chunks of bytes and returns elements.
///
/// It cannot be copied, because two copies would each read half of the file.
struct CalendarReading: ~Copyable {
  /// The number of bytes used to detect the charset of a file.
  private static let sampleSize = 1 << 20

  /// The format of the file.
  private enum Form {
    /// Undetermined: more bytes are needed.
    case unknown
    /// iCalendar, or any other format, which the parser will report.
    case lines
    /// vCalendar 1.0, declared before the first component.
    case vCalendar
    /// jCal (RFC 7265), which starts with a bracket, unlike any content line.
    case json
  }

  private var stream: InputStream
  private var decoder: TextDecoder
  private var form = Form.unknown
  private var lines = ComponentReader()
  private var vCalendar: VCalendarReader
  private var json = JCalReader()
  /// The bytes read before the format was determined.
  private var held: [UInt8] = []
  /// The bytes read for charset detection that are not parsed yet.
  private var start: [UInt8]
  private var isOver = false
  private var isAtStart = true
  private let isCharsetChosen: Bool
  /// The diagnostic for a file that is not read, until it is returned.
  private var objection: Diagnostic?
  /// The checker of line lengths.
  private var lengths = LineChecker()
  private var hasComponents = false
  /// The diagnostic about line ends, which only `epact check` reports.
  private var lineEnd: Diagnostic?
  /// The filter that drops unneeded components before parsing.
  private(set) var sieve: ComponentSieve?
  /// The conversion of floating times to the declared zone; nil if floating times are kept.
  private var zoning: CalendarZoning?
  /// The element that follows an inserted definition.
  private var following: ReaderElement?

  /// Opens a file.
  ///
  /// - Throws: `SystemError`; `ICUError` if the charset is unknown; `CancellationError`.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - charset: The charset of the file if the user specified it.
  ///   - sieve: The filter that drops components before parsing.
  ///   - zones: The time zones for floating times if the calendar's declared zone applies.
  init(
    _ source: InputFiles.Source, charset: CharsetChoice? = nil, sieve: ComponentSieve? = nil,
    zones: ZoneResolver? = nil
  ) throws {
    zoning = zones.map(CalendarZoning.init)
    var stream = try source.open()
    // A pipe cannot be read again if the sieve drops too much.
    self.sieve = try stream.facts().isRegular ? sieve : nil
    let start = charset == .auto ? try stream.readStart(atLeast: Self.sampleSize) : []
    decoder = try TextDecoder(charset, start: start, isWhole: start.count < Self.sampleSize)
    vCalendar = VCalendarReader(
      isConverted: decoder.finding != nil, decoder: TextDecoder.decoderOfValues(charset))
    self.stream = stream
    self.start = start
    isCharsetChosen = charset != nil
  }

  /// The source charset and its evidence as text; nil without conversion.
  var charset: String? { decoder.finding }

  /// The next element, or nil at the end of the file.
  ///
  /// Reading ends at a parser limit; the diagnostic about the limit is returned as an element.
  ///
  /// - Throws: `SystemError`; `ICUError` for bytes that are invalid in the charset;
  ///   `CancellationError`.
  mutating func next() throws -> ReaderElement? {
    if let element = following.take() { return element }
    guard let element = try nextRead() else { return nil }
    guard let (zoned, definition) = zoning?.take(element) else { return element }
    guard let definition else { return zoned }
    following = zoned
    return .component(definition)
  }

  private mutating func nextRead() throws -> ReaderElement? {
    while true {
      if let element = lines.next() ?? vCalendar.next() ?? json.next() {
        switch element {
        case .calendarBegan, .component: hasComponents = true
        case .diagnostic(let diagnostic) where diagnostic.code == .lineEnd:
          lineEnd = isTranslated ? diagnostic.with(nil) : diagnostic
          continue
        case .diagnostic(let diagnostic):
          if let sieve { return .diagnostic(sieve.lineMap.moved(diagnostic)) }
        default: break
        }
        return element
      }
      if let diagnostic = objection.take() { return .diagnostic(diagnostic) }
      guard !isOver else { return nil }
      try readChunk()
    }
  }

  /// Whether the file is not iCalendar text, but converted from jCal or vCalendar 1.0.
  var isTranslated: Bool {
    switch form {
    case .json, .vCalendar: true
    case .unknown, .lines: false
    }
  }

  /// The diagnostic for UTF-16 or UTF-32 without a byte order mark, which would be unreadable.
  private static func objection(to charset: String) -> Diagnostic {
    Diagnostic(
      .error, .invalidUTF8, at: SourcePosition(line: 1, column: 1),
      "expected UTF-8, found \(charset) without a byte order mark; --charset auto reads it",
      reference: "RFC 5545 §3.1.4")
  }

  /// The diagnostics about lines, available at the end of the file.
  mutating func lineDiagnostics() -> [Diagnostic] {
    let lengths = hasComponents && !isTranslated ? lengths.finish() : []
    return lengths + [lineEnd].compactMap { $0 }
  }

  private mutating func readChunk() throws {
    var chunk = start
    start = []
    if chunk.isEmpty { chunk = try stream.nextChunk() }
    if isAtStart, !isCharsetChosen, let name = Charset.wideName(of: chunk.span) {
      objection = Self.objection(to: name)
      isOver = true
      return
    }
    isAtStart = false
    isOver = chunk.isEmpty
    let text = isOver ? try decoder.finish() : try decoder.decode(chunk)
    do throws(SyntaxError) {
      try parse(text)
    } catch {
      isOver = true
    }
  }

  private mutating func parse(_ text: [UInt8]) throws(SyntaxError) {
    var text = text
    if case .unknown = form {
      held += text
      form = Self.form(of: held, isWhole: isOver)
      text = held
      if case .unknown = form { return }
      held = []
    }
    switch form {
    case .unknown: break
    case .lines:
      if sieve == nil {
        lengths.consume(text.span)
      } else if let sifted = sieve?.sift(text, isLast: isOver) {
        text = sifted
      }
      try lines.consume(text.span)
      if isOver { try lines.finish() }
    case .vCalendar:
      try vCalendar.consume(text.span)
      if isOver { try vCalendar.finish() }
    case .json:
      try json.consume(text.span)
      if isOver { json.finish() }
    }
  }

  /// Whether a complete file is iCalendar text, or not a calendar in any supported format.
  static func isLines(_ file: [UInt8]) -> Bool {
    if case .lines = form(of: Array(file.prefix(VCalendarReader.prefixSize)), isWhole: true) {
      true
    } else {
      false
    }
  }

  /// The format of a file with these first bytes.
  private static func form(of start: [UInt8], isWhole: Bool) -> Form {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
    let first = text.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if first == UInt8(ascii: "[") { return .json }
    switch VCalendarReader.recognizes(start) {
    case true?: return .vCalendar
    case false?: return .lines
    case nil: return isWhole ? .lines : .unknown
    }
  }
}
