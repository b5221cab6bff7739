// SPDX-License-Identifier: Apache-2.0

/// A value of vCalendar 1.0 without its encoding and its character set.
struct VCalendarValue {
  /// The bytes; UTF-8 unless that could not be had.
  var bytes: [UInt8]
  /// Whether the value was quoted-printable, so that it has no escapes for line ends.
  let isQuotedPrintable: Bool
  /// Whether the value is binary data, still in BASE64.
  let isBase64: Bool
  /// What is wrong with the character set, or nil.
  let problem: String?

  init(
    _ property: Property, isConverted: Bool, decoder: VCalendarReader.CharsetDecoder
  ) {
    var encoding = property[.encoding]?.asciiUppercased ?? ""
    // A parameter may stand there by its value alone.
    for parameter in property.parameters {
      let name = parameter.name.canonicalName
      if ["QUOTED-PRINTABLE", "BASE64"].contains(name) { encoding = name }
    }
    isQuotedPrintable = encoding == "QUOTED-PRINTABLE"
    isBase64 = encoding == "BASE64"
    let raw = property.valueBytes
    guard !isBase64 else {
      bytes = raw.filter { !$0.isFoldSpace }
      problem = nil
      return
    }
    let decoded = isQuotedPrintable ? QuotedPrintable.decode(raw) : raw
    let isWhole = isConverted && !isQuotedPrintable
    let charset = isWhole ? nil : property[.charset]
    let isValid = UTF8Check.firstInvalidOffset(decoded.span) == nil
    let isUTF8 = isValid && (charset.map(Self.isUTF8) ?? true || !decoded.contains { $0 >= 0x80 })
    if !isUTF8, let text = decoder(decoded, charset) {
      bytes = text
      problem = nil
      return
    }
    bytes = decoded
    let wanted = charset.map { "text in the character set \"\($0)\"" }
    problem =
      isUTF8
      ? nil
      : "expected \(wanted ?? "a CHARSET parameter or UTF-8"), found other bytes; they are kept"
  }

  /// The value as a text, for people and for what is made of it.
  var text: String { String(decoding: unescaped, as: UTF8.self) }

  /// The value as iCalendar writes a text (RFC 5545 §3.3.11), byte by byte, so that what is not UTF-8
  /// stays too.
  var escapedText: [UInt8] {
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in unescaped {
      switch byte {
      case ASCII.backslash, ASCII.semicolon, ASCII.comma: result += [ASCII.backslash, byte]
      case ASCII.lineFeed where previous == ASCII.carriageReturn: break
      case ASCII.lineFeed, ASCII.carriageReturn: result += [ASCII.backslash, UInt8(ascii: "n")]
      default: result.append(byte)
      }
      previous = byte
    }
    return result
  }

  /// The value as it stands; a line end in it, which quoted-printable can hold, is written as `\n`.
  var rawBytes: [UInt8] {
    guard bytes.contains(where: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) else {
      return bytes
    }
    return escapedText
  }

  /// The bytes of the text without the few escapes that vCalendar 1.0 has.
  ///
  /// Lenient: `\n` is a line end where the value is not quoted-printable, since programs write it.
  private var unescaped: [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == ASCII.backslash, index < bytes.count else {
        result.append(byte)
        continue
      }
      switch bytes[index] {
      case ASCII.semicolon: result.append(ASCII.semicolon)
      case ASCII.comma where !isQuotedPrintable: result.append(ASCII.comma)
      case ASCII.backslash where !isQuotedPrintable: result.append(ASCII.backslash)
      case UInt8(ascii: "n") where !isQuotedPrintable, UInt8(ascii: "N") where !isQuotedPrintable:
        result.append(ASCII.lineFeed)
      default:
        result.append(byte)
        continue
      }
      index += 1
    }
    return result
  }

  /// The parts between semicolons, each trimmed of the spaces around it.
  var parts: [VCalendarValue] {
    TextEscaping.split(bytes.span, separator: ASCII.semicolon).map { range in
      var part = self
      part.bytes = Array(bytes[range].drop { $0.isFoldSpace })
      while part.bytes.last?.isFoldSpace == true { part.bytes.removeLast() }
      return part
    }
  }

  private static func isUTF8(_ charset: String) -> Bool {
    ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(charset.asciiUppercased)
  }
}
