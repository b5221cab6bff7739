// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A value of vCalendar 1.0, decoded from its transfer encoding and character set.
struct VCalendarValue {
  /// The bytes; UTF-8 unless the conversion failed.
  var bytes: [UInt8]
  /// Whether the value was quoted-printable, so that it has no escapes for line breaks.
  let isQuotedPrintable: Bool
  /// Whether the value is binary data, still in BASE64.
  let isBase64: Bool
  /// The problem with the character set, or nil.
  let problem: String?

  init(
    _ property: Property, isConverted: Bool, decoder: VCalendarReader.CharsetDecoder
  ) {
    var encoding = property[.encoding]?.asciiUppercased ?? ""
    // The encoding may also be a bare parameter.
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

  /// The value as an unescaped text.
  var text: String { String(decoding: unescaped, as: UTF8.self) }

  /// The value as an iCalendar TEXT (RFC 5545 §3.3.11).
  ///
  /// The escaping works on bytes, so that invalid UTF-8 is preserved.
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

  /// The unmodified value, except that line breaks from quoted-printable become `\n`.
  var rawBytes: [UInt8] {
    guard bytes.contains(where: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) else {
      return bytes
    }
    return escapedText
  }

  /// The bytes of the text, without the escapes of vCalendar 1.0.
  ///
  /// Lenient: outside of quoted-printable values `\n` is a line break, because programs write it.
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

  /// The parts between semicolons, trimmed.
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

/// A date or time of vCalendar 1.0: in UTC with a `Z`, otherwise in the calendar's zone.
struct VCalendarTime {
  /// The time; midnight for a date.
  let value: CivilDateTime
  let isUTC: Bool
  let isDate: Bool

  /// Parses a time in basic or extended ISO 8601 format, or returns nil.
  init?(_ text: String) {
    let trimmed = String(text.filter { !$0.isWhitespace })
    let basic =
      ExtendedFormat.basic(trimmed, .dateTime) ?? ExtendedFormat.basic(trimmed, .date) ?? trimmed
    let bytes = Array(basic.utf8)
    if let (value, isUTC) = try? BasicFormat.dateTime(bytes.span) {
      self.value = value
      self.isUTC = isUTC
      isDate = false
    } else if let date = try? BasicFormat.date(bytes.span) {
      value = CivilDateTime(date, .midnight)
      isUTC = false
      isDate = true
    } else {
      return nil
    }
  }

  /// The time in iCalendar syntax (RFC 5545 §3.3.4, §3.3.5).
  var text: String {
    isDate ? value.date.description : isUTC ? "\(value)Z" : value.description
  }
}
