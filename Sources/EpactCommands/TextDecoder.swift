// SPDX-License-Identifier: Apache-2.0

import Epact
import ICUServices
import ICalSyntax

/// Converts a stream of bytes in any charset to UTF-8.
///
/// It cannot be copied, because two copies would each hold half of a character.
struct TextDecoder: ~Copyable {
  private var converter: CharsetConverter?
  /// The number of bytes of a byte order mark that are still to be skipped.
  private var skipped: Int

  /// The detected charset and its evidence as text; nil without conversion.
  let finding: String?

  /// Creates a decoder; without a choice, bytes are not converted, and the parser diagnoses them.
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
      let charset = Charset(
        of: start.span, declared: Self.declaredCharset(in: start), isPrefix: !isWhole)
      if case .byteOrderMark(let count) = charset.evidence { skipped = count }
      converter = charset.isUTF8 ? nil : try CharsetConverter(from: charset.name)
      finding = charset.isUTF8 ? nil : Self.sentence(for: charset)
    }
  }

  /// Converts the next bytes.
  ///
  /// - Throws: `ICUError` at the first invalid byte.
  mutating func decode(_ chunk: [UInt8]) throws(ICUError) -> [UInt8] {
    let start = min(skipped, chunk.count)
    skipped -= start
    guard converter != nil else { return start == 0 ? chunk : Array(chunk[start...]) }
    var output: [UInt8] = []
    try converter?.convert(chunk.span.extracting(start..<chunk.count), into: &output)
    return output
  }

  /// Converts the rest at the end of the stream.
  ///
  /// - Throws: `ICUError` if the stream ends inside a character.
  mutating func finish() throws(ICUError) -> [UInt8] {
    var output: [UInt8] = []
    try converter.take()?.finish(into: &output)
    return output
  }

  /// The decoder of single vCalendar 1.0 values, each of which may name its own charset.
  ///
  /// A value without a charset is decoded like the file.
  static func decoderOfValues(_ choice: CharsetChoice?) -> VCalendarReader.CharsetDecoder {
    { bytes, charset in
      let name: String? =
        switch (charset, choice) {
        case (let charset?, _): charset
        case (nil, .named(let name)?): name
        case (nil, .auto?): Charset(of: bytes.span).name
        case (nil, nil): nil
        }
      return name.flatMap { try? CharsetConverter.convert(bytes.span, from: $0) }
    }
  }

  /// The charset in the first CHARSET parameter of a file, or nil if there is none.
  ///
  /// RFC 2445 §4.1.4 removed the parameter; older files and some newer ones have it.
  static func declaredCharset(in start: [UInt8]) -> String? {
    let wanted = Array(";CHARSET=".utf8)
    var place = start.startIndex
    while let semicolon = start[place...].firstIndex(of: wanted[0]) {
      place = semicolon + 1
      guard semicolon + wanted.count < start.count else { return nil }
      let isMatch = zip(start[semicolon...], wanted).allSatisfy { byte, wanted in
        byte == wanted || byte & 0xDF == wanted && wanted >= 0x41
      }
      guard isMatch else { continue }
      let name = start[(semicolon + wanted.count)...].prefix(40).prefix { byte in
        ![0x22, 0x3A, 0x3B, 0x0A, 0x0D].contains(byte)
      }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  private static func sentence(for charset: Charset) -> String {
    switch charset.evidence {
    case .byteOrderMark: "\(charset.name), by its byte order mark"
    case .validUTF8: charset.name
    case .declared: "\(charset.name), which it names itself"
    case .detected(let confidence): "\(charset.name), which is a guess (\(confidence) %)"
    case .fallback: "\(charset.name), since nothing else fits"
    }
  }
}
