// SPDX-License-Identifier: Apache-2.0

import ICUServices

/// Turns a stream of bytes in some charset into UTF-8.
///
/// It cannot be copied, because two copies would each hold half of a character.
struct TextDecoder: ~Copyable {
  private var converter: CharsetConverter?
  /// How many bytes of a byte order mark are still to be left out.
  private var skipped: Int

  /// What was found out, for people; nil if the bytes are passed on as they are.
  let finding: String?

  /// Creates a decoder.
  ///
  /// Without a choice nothing is converted: bytes that are not UTF-8 are kept, and diagnosed.
  init(_ choice: CharsetChoice?, start: [UInt8], isWhole: Bool) throws(ICUError) {
    skipped = 0
    switch choice {
    case nil:
      converter = nil
      finding = nil
    case .named(let name)?:
      let named = try CharsetConverter(from: name)
      finding = named.charset
      converter = consume named
    case .auto?:
      let charset = Charset(of: start.span, isPrefix: !isWhole)
      if case .byteOrderMark(let count) = charset.evidence { skipped = count }
      converter = charset.isUTF8 ? nil : try CharsetConverter(from: charset.name)
      finding = charset.isUTF8 ? nil : Self.sentence(for: charset)
    }
  }

  /// Converts the next bytes.
  ///
  /// - Throws: `ICUError` at the first byte that is not valid.
  mutating func decode(_ chunk: [UInt8]) throws(ICUError) -> [UInt8] {
    let start = min(skipped, chunk.count)
    skipped -= start
    guard converter != nil else { return start == 0 ? chunk : Array(chunk[start...]) }
    var output: [UInt8] = []
    try converter?.convert(chunk.span.extracting(start..<chunk.count), into: &output)
    return output
  }

  /// Converts what is left at the end of the stream.
  ///
  /// - Throws: `ICUError` if the stream ends inside a character.
  mutating func finish() throws(ICUError) -> [UInt8] {
    var output: [UInt8] = []
    try converter.take()?.finish(into: &output)
    return output
  }

  private static func sentence(for charset: Charset) -> String {
    switch charset.evidence {
    case .byteOrderMark: "\(charset.name), by its byte order mark"
    case .validUTF8, .declared: charset.name
    case .detected(let confidence): "\(charset.name), which is a guess (\(confidence) %)"
    case .fallback: "\(charset.name), since nothing else fits"
    }
  }
}
