// SPDX-License-Identifier: Apache-2.0

package import ICUServices
package import ICalSyntax

/// The charset of files, as the caller specifies it.
public enum CharsetChoice: Sendable, Hashable {
  /// UTF-8, as RFC 5545 requires; other bytes are reported.
  case utf8
  /// Detected for each file.
  case auto
  /// The named charset, without detection.
  case named(String)
}

/// Converts a stream of bytes in any charset to UTF-8.
///
/// It cannot be copied, because two copies would each hold half of a character.
package struct TextDecoder: ~Copyable {
  private var converter: CharsetConverter?
  /// The number of bytes of a byte order mark that are still to be skipped.
  private var skipped = 0

  /// The source charset; nil without conversion.
  package let charset: FileCharset?

  /// Creates a decoder from the first bytes of a stream.
  package init(_ choice: CharsetChoice, start: [UInt8], isWhole: Bool) throws(ICUError) {
    switch choice {
    case .utf8:
      converter = nil
      charset = nil
    case .named(let name):
      let named = try CharsetConverter(from: name)
      charset = FileCharset(name: named.charset, evidence: nil)
      converter = consume named
    case .auto:
      let found = Charset(
        of: start.span, declared: Self.declaredCharset(in: start), isPrefix: !isWhole)
      if case .byteOrderMark(let count) = found.evidence { skipped = count }
      converter = found.isUTF8 ? nil : try CharsetConverter(from: found.name)
      charset = found.isUTF8 ? nil : FileCharset(name: found.name, evidence: found.evidence)
    }
  }

  /// Converts the next bytes.
  ///
  /// - Throws: `ICUError` at the first invalid byte.
  package mutating func decode(_ chunk: [UInt8]) throws(ICUError) -> [UInt8] {
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
  package mutating func finish() throws(ICUError) -> [UInt8] {
    var output: [UInt8] = []
    try converter.take()?.finish(into: &output)
    return output
  }

  /// The decoder of single vCalendar 1.0 values, each of which may name its own charset.
  ///
  /// A value without a charset is decoded like the file.
  package static func decoderOfValues(_ choice: CharsetChoice) -> VCalendarReader.CharsetDecoder {
    { bytes, charset in
      let name: String? =
        switch (charset, choice) {
        case (let charset?, _): charset
        case (nil, .named(let name)): name
        case (nil, .auto): Charset(of: bytes.span).name
        case (nil, .utf8): nil
        }
      return name.flatMap { try? CharsetConverter.convert(bytes.span, from: $0) }
    }
  }

  /// The charset in the first CHARSET parameter of a file, or nil if there is none.
  ///
  /// RFC 2445 §4.1.4 removed the parameter; older files and some newer ones have it.
  private static func declaredCharset(in start: [UInt8]) -> String? {
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
}
