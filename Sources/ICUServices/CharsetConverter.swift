// SPDX-License-Identifier: Apache-2.0

/// A strict converter from some character set to UTF-8, for streams of bytes.
///
/// The stream may be split into chunks anywhere, even inside a character. Invalid bytes are
/// reported as an error with their offset; they are never replaced with U+FFFD.
///
/// It cannot be copied, because two copies would each hold half of a character.
///
/// ```swift
/// var text: [UInt8] = []
/// var converter = try CharsetConverter(from: "windows-1252")
/// try converter.convert(chunk.span, into: &text)
/// try converter.finish(into: &text)
/// ```
public struct CharsetConverter: ~Copyable {
  /// The canonical name of the character set.
  public let charset: String
  private var handle: ConverterHandle
  /// The number of bytes converted so far.
  private var offset = 0

  /// Opens a converter.
  ///
  /// - Parameter charset: The name of the character set, or an alias of it, in any case.
  /// - Throws: `ICUError` with the code `unknownCharset` if ICU does not know the name.
  public init(from charset: String) throws(ICUError) {
    guard Charset.isPlainName(charset), let handle = ConverterHandle(charset: charset) else {
      throw ICUError(.unknownCharset, "there is no character set \"\(charset)\"")
    }
    self.charset = handle.name ?? charset
    self.handle = handle
  }

  /// Converts the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - chunk: The bytes.
  ///   - output: The buffer to which the valid part of the text is appended in UTF-8.
  /// - Throws: `ICUError` with the code `malformedText` and the offset of the first invalid byte
  ///   from the start of the stream. The converter cannot be used after that.
  public mutating func convert(
    _ chunk: Span<UInt8>, into output: inout [UInt8]
  ) throws(ICUError) {
    try convert(chunk, isLast: false, into: &output)
  }

  /// Ends the stream.
  ///
  /// - Parameter output: The buffer to which the rest of the text is appended in UTF-8.
  /// - Throws: `ICUError` with the code `malformedText` if the stream ends inside a character.
  public consuming func finish(into output: inout [UInt8]) throws(ICUError) {
    try convert([UInt8]().span, isLast: true, into: &output)
  }

  /// Converts a whole text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - charset: The name of its character set.
  /// - Returns: The text in UTF-8.
  /// - Throws: `ICUError` if the character set is unknown, or the bytes are not valid in it.
  public static func convert(
    _ bytes: Span<UInt8>, from charset: String
  ) throws(ICUError) -> [UInt8] {
    var converter = try CharsetConverter(from: charset)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    try converter.convert(bytes, isLast: true, into: &output)
    return output
  }

  /// The number of bytes per call to C, small enough that the output always fits.
  private static let pieceSize = 1 << 20

  private mutating func convert(
    _ chunk: Span<UInt8>, isLast: Bool, into output: inout [UInt8]
  ) throws(ICUError) {
    var start = 0
    repeat {
      let end = min(start + CharsetConverter.pieceSize, chunk.count)
      let outcome = try handle.convert(
        chunk.extracting(start..<end), isLast: isLast && end == chunk.count)
      output.append(contentsOf: outcome.output)
      offset += outcome.consumed
      guard outcome.status <= 0 else { throw error(outcome) }
      start = end
    } while start < chunk.count
  }

  private func error(_ outcome: ConverterHandle.Outcome) -> ICUError {
    // The bytes can be invalid in only three ways; any other failure is a lack of memory.
    guard outcome.invalidCount > 0 else {
      return ICUError(.failed, "ICU failed with \(ICUCalls.errorName(outcome.status))")
    }
    let place = offset - outcome.invalidCount
    return ICUError(
      .malformedText, offset: place, "byte \(place) is not valid in the character set \(charset)")
  }
}
