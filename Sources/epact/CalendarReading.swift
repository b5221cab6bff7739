// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICUServices
import ICalSyntax

/// A calendar file that is being read: chunks of bytes in, one element after the other out.
///
/// It cannot be copied, because two copies would each read half of the file.
struct CalendarReading: ~Copyable {
  /// How many bytes are looked at to find out the charset of a file.
  private static let sampleSize = 1 << 20

  /// What a file turned out to be.
  private enum Form {
    /// Not enough was read to know.
    case unknown
    /// iCalendar, or anything else, which the reader will say.
    case lines
    /// vCalendar 1.0, which says so before its first component.
    case vCalendar
    /// jCal (RFC 7265), which begins with a bracket as no content line can.
    case json
  }

  private var stream: InputStream
  private var decoder: TextDecoder
  private var form = Form.unknown
  private var lines = ComponentReader()
  private var vCalendar: VCalendarReader
  private var json = JCalReader()
  /// What was read before it was known what the file is.
  private var held: [UInt8] = []
  /// What was read to find out the charset, and is still to be parsed.
  private var start: [UInt8]
  private var isOver = false
  private var isAtStart = true
  private let isCharsetChosen: Bool
  /// Why the file is not read, until that was told.
  private var objection: Diagnostic?
  /// What looks at the length of the lines, for whoever asks.
  private var lengths = LineChecker()
  private var hasComponents = false
  /// The note about line ends, which are of interest only to a check.
  private var lineEnd: Diagnostic?
  /// What drops components that nobody asks for, before they are parsed.
  private(set) var sieve: ComponentSieve?
  /// What puts floating times into the zone that the file declares; nil if they float.
  private var zoning: CalendarZoning?
  /// An element that comes after the one before it.
  private var following: ReaderElement?

  /// Opens a file.
  ///
  /// - Throws: `SystemError`, `ICUError` if there is no such charset, or `CancellationError`.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - charset: What a person says about its charset.
  ///   - sieve: What drops components before they are parsed.
  ///   - zones: The time zones, if floating times are to be read in the zone that the file declares.
  init(
    _ source: InputFiles.Source, charset: CharsetChoice? = nil, sieve: ComponentSieve? = nil,
    zones: ZoneResolver? = nil
  ) throws {
    zoning = zones.map(CalendarZoning.init)
    var stream = try source.open()
    // What comes from a pipe cannot be read again, if the sieve should have dropped too much.
    self.sieve = try stream.facts().isRegular ? sieve : nil
    let start = charset == .auto ? try stream.readStart(atLeast: Self.sampleSize) : []
    decoder = try TextDecoder(charset, start: start, isWhole: start.count < Self.sampleSize)
    vCalendar = VCalendarReader(
      isConverted: decoder.finding != nil, decoder: TextDecoder.decoderOfValues(charset))
    self.stream = stream
    self.start = start
    isCharsetChosen = charset != nil
  }

  /// The charset that the text is converted from, for people; nil if it is not.
  var charset: String? { decoder.finding }

  /// The next thing that is found, or nil at the end of the file.
  ///
  /// A limit of the parser ends the file; the diagnostic that says so comes like the others.
  ///
  /// - Throws: `SystemError`, `ICUError` at bytes that are not in the charset, or
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

  /// Whether the file is no iCalendar, but something that is read as such.
  var isTranslated: Bool {
    switch form {
    case .json, .vCalendar: true
    case .unknown, .lines: false
    }
  }

  /// What is said of a file in UTF-16 without a byte order mark, which would otherwise be garbage.
  private static func objection(to charset: String) -> Diagnostic {
    Diagnostic(
      .error, .invalidUTF8, at: SourcePosition(line: 1, column: 1),
      "expected UTF-8, found \(charset) without a byte order mark; --charset auto reads it",
      reference: "RFC 5545 §3.1.4")
  }

  /// What a check reports about the lines of a calendar once it is read.
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

  /// Whether a whole file is iCalendar, or anything else that is no calendar at all.
  static func isLines(_ file: [UInt8]) -> Bool {
    if case .lines = form(of: Array(file.prefix(VCalendarReader.prefixSize)), isWhole: true) {
      true
    } else {
      false
    }
  }

  /// What a file is that begins like this.
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
