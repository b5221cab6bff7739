// SPDX-License-Identifier: Apache-2.0

/// Reads vCalendar 1.0, the predecessor of iCalendar, and converts it to iCalendar (RFC 5545).
///
/// ```
/// bytes ─► SoftLineBreaks ─► ComponentReader ─► VCalendarTranslator ─► ReaderElement
/// ```
///
/// The elements are those that a `ComponentReader` finds in the equivalent iCalendar, with
/// positions in the original file. Properties without an equivalent are renamed with the prefix
/// `X-VCAL-` and reported by a diagnostic.
///
/// It cannot be copied, because two copies would each hold half of a component.
public struct VCalendarReader: ~Copyable {
  /// Decodes a text from a character set to UTF-8, or returns nil.
  ///
  /// It returns nil if the character set is unknown, or if the bytes are not valid in it. The name
  /// is nil if the text declares no character set and is not UTF-8.
  public typealias CharsetDecoder = @Sendable (_ bytes: [UInt8], _ charset: String?) -> [UInt8]?

  /// The maximum number of bytes that are needed to detect the version of a calendar.
  public static let prefixSize = 1 << 16

  private var lines: SoftLineBreaks
  private var reader: ComponentReader
  private var translator: VCalendarTranslator
  private var elements: [ReaderElement] = []
  private var nextElement = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: The limits of the parser.
  ///   - isConverted: Whether the whole stream was converted to UTF-8, so that CHARSET parameters
  ///     only apply to quoted-printable values.
  ///   - decoder: The decoder of other character sets.
  public init(
    limits: ParserLimits = ParserLimits(), isConverted: Bool = false,
    decoder: @escaping CharsetDecoder = { _, _ in nil }
  ) {
    lines = SoftLineBreaks(limit: limits.lineLength)
    reader = ComponentReader(limits: limits)
    translator = VCalendarTranslator(isConverted: isConverted, decoder: decoder)
  }

  /// Whether a file that starts with these bytes is vCalendar 1.0.
  ///
  /// - Returns: The result, or nil if more bytes are needed.
  public static func recognizes(_ prefix: [UInt8]) -> Bool? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = prefix.starts(with: mark) ? prefix.dropFirst(mark.count) : prefix[...]
    var isCalendar = false
    var rest = text
    while let end = rest.firstIndex(where: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) {
      let line = String(decoding: rest[..<end], as: UTF8.self).asciiUppercased
      rest = rest[(end + 1)...]
      if line.allSatisfy(\.isWhitespace) { continue }
      if !isCalendar {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard start.hasPrefix("BEGIN:VCALENDAR") else { return false }
        isCalendar = true
      } else if line.hasPrefix("BEGIN:") {
        return false
      } else if line.hasPrefix("VERSION:") || line.hasPrefix("VERSION;") {
        return line.split(separator: ":").last?.filter { !$0.isWhitespace } == "1.0"
      }
    }
    return prefix.count < prefixSize ? nil : false
  }

  /// Reads the next bytes of the stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached; earlier elements remain available.
  public mutating func consume(_ chunk: Span<UInt8>) throws(SyntaxError) {
    let text = lines.convert(chunk)
    try reader.consume(text.span)
  }

  /// Ends the input and closes open components.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public mutating func finish() throws(SyntaxError) {
    let text = lines.finish()
    try reader.consume(text.span)
    try reader.finish()
  }

  /// Returns the next element, or nil until more bytes are consumed.
  public mutating func next() -> ReaderElement? {
    while nextElement == elements.count {
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      guard let element = reader.next() else { return nil }
      elements = translator.translate(element)
    }
    nextElement += 1
    return elements[nextElement - 1]
  }
}
