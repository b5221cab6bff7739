// SPDX-License-Identifier: Apache-2.0

import ICUServices
import ICalSyntax

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
      let charset = Charset(
        of: start.span, declared: Self.declaredCharset(in: start), isPrefix: !isWhole)
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

  /// What decodes single values of vCalendar 1.0, which may each name a charset of their own.
  ///
  /// A value that names none is decoded as the file would be.
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

  /// The charset that the first CHARSET parameter of a file names, or nil if there is none.
  ///
  /// RFC 2445 §4.1.4 took the parameter away; files of the time before, and some since, have it.
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
