// SPDX-License-Identifier: Apache-2.0

/// The encodings of a document: UTF-8, UTF-16, ISO-8859-1 and US-ASCII.
///
/// All bytes after this step are in UTF-8, so that the limits are checked on the characters that
/// the parser reads. A document in another encoding is rejected, because its markup could be
/// invisible to the checks.
enum XMLEncoding: Hashable {
  case utf8, latin1, utf16(isLittle: Bool)

  /// The maximum length of an XML declaration, in bytes.
  private static let declarationLimit = 256
  /// The names of the encodings in declarations (§4.3.3), in lower case.
  ///
  /// The first bytes decide on the byte order of UTF-16.
  private static let names: [String: Self] = [
    "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "iso-8859-1": .latin1,
    "iso_8859-1": .latin1, "iso8859-1": .latin1, "latin1": .latin1,
    "utf-16": .utf16(isLittle: false), "utf16": .utf16(isLittle: false),
    "utf-16le": .utf16(isLittle: true), "utf-16be": .utf16(isLittle: false),
  ]

  /// Converts a document to UTF-8, without a byte order mark.
  ///
  /// A byte order mark takes precedence over the declaration (RFC 7303 §3.3).
  ///
  /// - Throws: `XMLDocumentError` for any other encoding, or for text that is invalid in it.
  static func decode(_ bytes: [UInt8]) throws(XMLDocumentError) -> [UInt8] {
    let (detected, markLength) = try detect(bytes)
    if case .utf16(let isLittle) = detected {
      let text = try convert(utf16: bytes[markLength...], isLittle: isLittle)
      _ = try declared(in: text)
      return text
    }
    let isMarked = markLength > 0
    let text = isMarked ? Array(bytes[markLength...]) : bytes
    let declared = try declared(in: text)
    switch isMarked ? .utf8 : declared {
    case .utf8: return text
    case .latin1: return convert(latin1: text)
    case .utf16:
      throw XMLDocumentError(
        line: 1, message: "a document that declares UTF-16, but has another encoding")
    }
  }

  /// The encoding by the first bytes (appendix F.1), and the length of the byte order mark.
  private static func detect(_ bytes: [UInt8]) throws(XMLDocumentError) -> (Self, Int) {
    let start = Array(bytes.prefix(4))
    switch start {
    case [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0, 0x3C], [0x3C, 0, 0, 0]:
      throw unsupported("UTF-32")
    case [0x4C, 0x6F, 0xA7, 0x94]: throw unsupported("EBCDIC")
    default: break
    }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16(isLittle: true), 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16(isLittle: false), 2) }
    if start.starts(with: [0x3C, 0]) { return (.utf16(isLittle: true), 0) }
    if start.starts(with: [0, 0x3C]) { return (.utf16(isLittle: false), 0) }
    return (.utf8, 0)
  }

  /// The encoding that the XML declaration names; UTF-8 if there is none.
  private static func declared(in text: [UInt8]) throws(XMLDocumentError) -> Self {
    guard text.starts(with: "<?xml".utf8), text.count > 5, isSpace(text[5]) else { return .utf8 }
    let start = text.prefix(declarationLimit)
    guard let end = start.firstIndex(of: UInt8(ascii: ">")) else {
      // An unfinished document is rejected by the parser.
      guard text.count > declarationLimit else { return .utf8 }
      throw XMLDocumentError(
        line: 1, message: "an XML declaration over \(declarationLimit) bytes")
    }
    let words = String(decoding: start[..<end], as: UTF8.self)
    guard let name = words.firstRange(of: "encoding") else { return .utf8 }
    let value = words[name.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = value.first else { return .utf8 }
    let declared = value.dropFirst().prefix { $0 != quote }
    guard let encoding = names[declared.lowercased()] else { throw unsupported(String(declared)) }
    return encoding
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func convert(latin1 bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(0xC0 | byte >> 6)
        text.append(0x80 | byte & 0x3F)
      }
    }
    return text
  }

  private static func convert(
    utf16 bytes: ArraySlice<UInt8>, isLittle: Bool
  ) throws(XMLDocumentError) -> [UInt8] {
    let (low, high) = isLittle ? (0, 1) : (1, 0)
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + high]) << 8
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    let isInvalid = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
    ) { text.append($0) }
    guard !isInvalid, bytes.count.isMultiple(of: 2) else {
      throw XMLDocumentError(line: 1, message: "text that is not valid UTF-16")
    }
    return text
  }

  private static func unsupported(_ name: String) -> XMLDocumentError {
    XMLDocumentError(
      line: 1,
      message: "the encoding \(ServerText.escaped(String(name.prefix(40)))), which is not supported"
    )
  }
}
