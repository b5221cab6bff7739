// SPDX-License-Identifier: Apache-2.0

/// Converts a stream of bytes in some character set to UTF-8, strictly.
///
/// The stream may be cut into chunks anywhere, also inside a character. Bytes that are not valid are
/// an error with their place, never a U+FFFD in silence.
///
/// It cannot be copied, because two copies would each hold half of a character.
///
/// ```swift
/// var converter = try CharsetConverter(from: "windows-1252")
/// try converter.convert(chunk, into: &text)
/// try converter.finish(into: &text)
/// ```
public struct CharsetConverter: ~Copyable {
  /// The usual name of the character set.
  public let charset: String
  private var handle: ConverterHandle
  /// How many bytes of the stream were converted.
  private var offset = 0

  /// Opens a converter.
  ///
  /// - Parameter charset: The name of the character set, or one of its other names, in any case.
  /// - Throws: `ICUError` with the code `unknownCharset` if there is none of that name.
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
  ///   - output: Where the text is appended in UTF-8, as far as it is valid.
  /// - Throws: `ICUError` with the code `malformedText` and the offset of the first byte that is not
  ///   valid, from the start of the stream. Nothing more can be converted then.
  public mutating func convert(
    _ chunk: Span<UInt8>, into output: inout [UInt8]
  ) throws(ICUError) {
    try convert(chunk, isLast: false, into: &output)
  }

  /// Ends the stream.
  ///
  /// - Parameter output: Where the rest of the text is appended in UTF-8.
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
  /// - Throws: `ICUError` if there is no such character set, or the bytes are not valid in it.
  public static func convert(
    _ bytes: Span<UInt8>, from charset: String
  ) throws(ICUError) -> [UInt8] {
    var converter = try CharsetConverter(from: charset)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    try converter.convert(bytes, isLast: true, into: &output)
    return output
  }

  /// How many bytes are handed to C at a time, so that its answer has room whatever they become.
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
    // Only three things can be wrong with bytes; the rest is memory.
    guard outcome.invalidCount > 0 else {
      return ICUError(.failed, "ICU failed with \(ICUCalls.errorName(outcome.status))")
    }
    let place = offset - outcome.invalidCount
    return ICUError(
      .malformedText, offset: place, "byte \(place) is not valid in the character set \(charset)")
  }
}
