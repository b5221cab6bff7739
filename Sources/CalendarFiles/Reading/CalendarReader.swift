// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICUServices
public import ICalSyntax

/// The format of a calendar file.
public enum FileForm: Hashable, Sendable {
  /// iCalendar (RFC 5545).
  case iCalendar
  /// vCalendar 1.0, declared before the first component.
  case vCalendar
  /// jCal (RFC 7265), which starts with a bracket, unlike any content line.
  case jCal
}

/// The choices for reading files.
public struct ReadingOptions: Sendable {
  /// The charset of the files.
  public var charset: CharsetChoice
  /// The resolver for floating times of calendars that declare a zone (X-WR-TIMEZONE).
  ///
  /// If it is nil, floating times remain floating.
  public var declaredZones: ZoneResolver?
  /// The limits of the parser, such as `ParserLimits.upload`; those of lines do not apply to jCal.
  ///
  /// Reading ends at a limit, which is one of the diagnostics.
  public var limits: ParserLimits

  /// Creates options; by default the charset is detected, and floating times remain floating.
  public init(
    charset: CharsetChoice = .auto, declaredZones: ZoneResolver? = nil,
    limits: ParserLimits = ParserLimits()
  ) {
    self.limits = limits
    self.charset = charset
    self.declaredZones = declaredZones
  }
}

/// Reads a calendar file of any format and charset as a stream of elements.
///
/// ```
/// FileSource ──► TextDecoder ──► ComponentReader, VCalendarReader or JCalReader ──► elements
/// ```
///
/// Memory is bounded by the largest component. It cannot be copied, because two copies would each
/// read half of the file.
package struct CalendarReader: ~Copyable {
  /// The number of bytes used to detect the charset of a file.
  private static let sampleSize = 1 << 20
  /// The number of bytes used to detect a mail.
  private static let mailSampleSize = 1 << 12
  /// The size of a batch of elements, in bytes of the file.
  private static let batchSize = 1 << 18

  private var stream: InputStream
  private var decoder: TextDecoder
  /// The format; nil until enough bytes are read.
  package private(set) var form: FileForm?
  private var lines: ComponentReader
  private var vCalendar: VCalendarReader
  private var json: JCalReader
  /// The bytes read before the format was determined.
  private var held: [UInt8] = []
  /// The bytes read for charset detection that are not parsed yet.
  private var start: [UInt8]
  private var isOver = false
  private var isAtStart = true
  private let isCharsetChosen: Bool
  /// The diagnostic for a file that is not read, until it is returned.
  private var objection: Diagnostic?
  /// The checker of line lengths; nil if lines are not checked.
  private var lengths: LineChecker?
  private var hasComponents = false
  /// The diagnostic about line ends, which only `epact check` reports.
  private var lineEnd: Diagnostic?
  /// The filter that drops unneeded components before parsing.
  package private(set) var sieve: ComponentSieve?
  /// The conversion of floating times to the declared zone; nil if floating times are kept.
  private var declaredZone: DeclaredZone?
  /// The element that follows an inserted definition.
  private var following: ReaderElement?
  /// The error that ended the last batch, until it is thrown.
  private var failure: (any Error)?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - options: The charset and the treatment of floating times.
  ///   - sieve: A filter that drops components before parsing; ignored for a pipe, which cannot be
  ///     read again if the filter drops too much.
  ///   - checksLines: Whether the lengths of lines are checked, for `lineDiagnostics()`.
  /// - Throws: `SystemError`; `ICUError` if the charset is unknown; `CancellationError`.
  package init(
    _ source: FileSource, options: ReadingOptions, sieve: ComponentSieve? = nil,
    checksLines: Bool = false
  ) throws {
    lengths = checksLines ? LineChecker() : nil
    declaredZone = options.declaredZones.map(DeclaredZone.init)
    var stream = try source.open()
    self.sieve = try stream.facts().isRegular ? sieve : nil
    let charset = options.charset
    let start = try stream.readStart(
      atLeast: charset == .auto ? Self.sampleSize : Self.mailSampleSize)
    decoder = try TextDecoder(charset, start: start, isWhole: start.count < Self.sampleSize)
    json = JCalReader(limits: options.limits)
    lines = ComponentReader(limits: options.limits)
    vCalendar = VCalendarReader(
      limits: options.limits, isConverted: decoder.charset != nil,
      decoder: TextDecoder.decoderOfValues(charset))
    self.stream = stream
    self.start = start
    isCharsetChosen = charset != .utf8
  }

  /// The first bytes of the file; empty after the first element.
  package var firstBytes: [UInt8] { isAtStart ? start : [] }

  /// Reads the file without parsing it, instead of its elements.
  ///
  /// - Returns: All bytes, or nil if there are more than `limit`.
  package mutating func readAll(limit: Int) throws -> [UInt8]? {
    guard let rest = try stream.readAll(limit: limit) else { return nil }
    return start.count + rest.count <= limit ? start + rest : nil
  }

  /// The source charset; nil without conversion.
  package var charset: FileCharset? { decoder.charset }

  /// The next element, or nil at the end of the file.
  ///
  /// Reading ends at a parser limit; the diagnostic about the limit is returned as an element.
  ///
  /// - Throws: `SystemError`; `ICUError` for bytes that are invalid in the charset;
  ///   `CancellationError`.
  package mutating func next() throws -> ReaderElement? {
    if let element = following.take() { return element }
    guard let element = try nextRead() else { return nil }
    guard let (zoned, definition) = declaredZone?.take(element) else { return element }
    guard let definition else { return zoned }
    following = zoned
    return .component(definition)
  }

  /// The next elements, those of about 256 KiB, or nil at the end of the file.
  ///
  /// The elements before an error are returned; the next call throws the error.
  ///
  /// - Throws: As `next()`.
  package mutating func nextBatch() throws -> [ReaderElement]? {
    if let failure = failure.take() { throw failure }
    var elements: [ReaderElement] = []
    var size = 0
    do {
      while size < Self.batchSize, let element = try next() {
        elements.append(element)
        size += element.approximateSize
      }
    } catch {
      guard !elements.isEmpty else { throw error }
      failure = error
    }
    return elements.isEmpty ? nil : elements
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
  package var isTranslated: Bool { form == .jCal || form == .vCalendar }

  /// The diagnostic for UTF-16 or UTF-32 without a byte order mark, which would be unreadable.
  private static func objection(to charset: String) -> Diagnostic {
    Diagnostic(
      .error, .invalidUTF8, at: SourcePosition(line: 1, column: 1),
      "expected UTF-8, found \(charset) without a byte order mark; detect the charset to read it",
      reference: "RFC 5545 §3.1.4")
  }

  /// The diagnostics about lines, available at the end of the file.
  package mutating func lineDiagnostics() -> [Diagnostic] {
    let lengths = hasComponents && !isTranslated ? lengths?.finish() ?? [] : []
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
    if form == nil {
      held += text
      form = FileForm(of: held, isWhole: isOver)
      text = held
      if form == nil { return }
      held = []
    }
    switch form {
    case nil: break
    case .iCalendar?:
      if sieve == nil {
        lengths?.consume(text.span)
      } else if let sifted = sieve?.sift(text, isLast: isOver) {
        text = sifted
      }
      try lines.consume(text.span)
      if isOver { try lines.finish() }
    case .vCalendar?:
      try vCalendar.consume(text.span)
      if isOver { try vCalendar.finish() }
    case .jCal?:
      try json.consume(text.span)
      if isOver { json.finish() }
    }
  }
}

extension ReaderElement {
  /// The approximate number of bytes in the file.
  fileprivate var approximateSize: Int {
    guard case .component(let component) = self else { return 64 }
    return component.sourceSize ?? component.properties.count * 64
  }
}

extension FileForm {
  /// Detects the format of a file; nil if more bytes are needed.
  ///
  /// A file that is not a calendar counts as iCalendar, whose parser reports it.
  ///
  /// - Parameters:
  ///   - start: The first bytes, in UTF-8.
  ///   - isWhole: Whether these are all bytes of the file.
  init?(of start: [UInt8], isWhole: Bool) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
    let first = text.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if first == UInt8(ascii: "[") {
      self = .jCal
      return
    }
    switch VCalendarReader.recognizes(start) {
    case true?: self = .vCalendar
    case false?: self = .iCalendar
    case nil where isWhole: self = .iCalendar
    case nil: return nil
    }
  }

  /// Detects the format of a complete file.
  init(of file: [UInt8]) {
    self = FileForm(of: Array(file.prefix(VCalendarReader.prefixSize)), isWhole: true) ?? .iCalendar
  }
}

/// Converts floating times of a file to its declared zone, and adds a missing definition.
private struct DeclaredZone {
  private let zones: ZoneResolver
  private var zone = CalendarZone()
  private var uses = TimeZoneUses()
  private var isDefined = false

  init(_ zones: ZoneResolver) {
    self.zones = zones
  }

  /// The converted element, and a definition to insert before it.
  mutating func take(_ element: ReaderElement) -> (ReaderElement, definition: Component?) {
    switch element {
    case .calendarBegan: self = DeclaredZone(zones)
    case .property(let property): zone.take(property)
    case .component(let component) where component.name == .timeZone:
      if component[.tzID]?.text == zone.tzID { isDefined = true }
    case .component(let component):
      let zoned = zone.applied(to: component)
      if zone.tzID != nil { uses.add(zoned) }
      return (.component(zoned), nil)
    case .calendarEnded: return (element, definition)
    case .diagnostic: break
    }
    return (element, nil)
  }

  /// The definition of the zone if the calendar uses it without defining it.
  private var definition: Component? {
    guard !isDefined, let tzID = zone.tzID, let use = uses[tzID] else { return nil }
    return try? zones.makeDefinition(of: tzID, for: use)
  }
}
