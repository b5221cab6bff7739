// SPDX-License-Identifier: Apache-2.0

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
    /// Nothing but spaces was read so far.
    case unknown
    /// iCalendar, or anything else, which the reader will say.
    case lines
    /// jCal (RFC 7265), which begins with a bracket as no content line can.
    case json
  }

  private var stream: InputStream
  private var decoder: TextDecoder
  private var form = Form.unknown
  private var lines = ComponentReader()
  private var json = JCalReader()
  /// What was read to find out the charset, and is still to be parsed.
  private var start: [UInt8]
  private var isOver = false
  /// What looks at the length of the lines, for whoever asks.
  private var lengths = LineChecker()
  private var hasComponents = false

  /// Opens a file.
  ///
  /// - Throws: `SystemError`, `ICUError` if there is no such charset, or `CancellationError`.
  init(_ source: InputFiles.Source, charset: CharsetChoice? = nil) throws {
    var stream = try source.open()
    let start = charset == .auto ? try stream.readStart(atLeast: Self.sampleSize) : []
    decoder = try TextDecoder(charset, start: start, isWhole: start.count < Self.sampleSize)
    self.stream = stream
    self.start = start
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
    while true {
      if let element = lines.next() ?? json.next() {
        switch element {
        case .calendarBegan, .component: hasComponents = true
        default: break
        }
        return element
      }
      guard !isOver else { return nil }
      try readChunk()
    }
  }

  /// Whether the file is jCal and not iCalendar.
  var isJSON: Bool { if case .json = form { true } else { false } }

  /// What there is to say about the lines of a calendar once it is read.
  mutating func lineDiagnostics() -> [Diagnostic] {
    hasComponents && !isJSON ? lengths.finish() : []
  }

  private mutating func readChunk() throws {
    var chunk = start
    start = []
    if chunk.isEmpty { chunk = try stream.nextChunk() }
    isOver = chunk.isEmpty
    let text = isOver ? try decoder.finish() : try decoder.decode(chunk)
    if case .unknown = form { form = Self.form(of: text) }
    do throws(SyntaxError) {
      if case .json = form {
        try json.consume(text.span)
        if isOver { json.finish() }
      } else {
        lengths.consume(text.span)
        try lines.consume(text.span)
        if isOver { try lines.finish() }
      }
    } catch {
      isOver = true
    }
  }

  /// What a file is that goes on like this, after nothing but spaces.
  private static func form(of text: [UInt8]) -> Form {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
    guard let first = text.first(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) else {
      return .unknown
    }
    return first == UInt8(ascii: "[") ? .json : .lines
  }
}
