// SPDX-License-Identifier: Apache-2.0

import ICUServices
import ICalSyntax

/// A calendar file that is being read: chunks of bytes in, one element after the other out.
///
/// It cannot be copied, because two copies would each read half of the file.
struct CalendarReading: ~Copyable {
  /// How many bytes are looked at to find out the charset of a file.
  private static let sampleSize = 1 << 20

  private var stream: InputStream
  private var decoder: TextDecoder
  private var reader = ComponentReader()
  /// What was read to find out the charset, and is still to be parsed.
  private var start: [UInt8]
  private var isOver = false

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
      if let element = reader.next() { return element }
      guard !isOver else { return nil }
      try readChunk()
    }
  }

  private mutating func readChunk() throws {
    var chunk = start
    start = []
    if chunk.isEmpty { chunk = try stream.nextChunk() }
    isOver = chunk.isEmpty
    let text = isOver ? try decoder.finish() : try decoder.decode(chunk)
    do throws(SyntaxError) {
      try reader.consume(text.span)
      if isOver { try reader.finish() }
    } catch {
      isOver = true
    }
  }
}
