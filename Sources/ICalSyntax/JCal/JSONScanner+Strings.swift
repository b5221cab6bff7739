// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
  /// Reads a string (RFC 8259 §7), including its quotes.
  mutating func string() throws(JSONError) -> String {
    index += 1
    var result: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case ASCII.quote:
        index += 1
        return String(decoding: result, as: UTF8.self)
      case ASCII.backslash:
        index += 1
        try escape(into: &result)
      case 0..<ASCII.space: throw error(expected: "a control character as \\uXXXX")
      case 0..<0x80:
        result.append(byte)
        index += 1
      default:
        let length = UTF8Check.sequenceLength(bytes.span, at: index)
        guard length > 0 else { throw error(expected: "UTF-8") }
        result.append(contentsOf: bytes[index..<index + length])
        index += length
      }
    }
    throw error(expected: "the quote that ends the string")
  }

  /// Reads an escape sequence after its backslash.
  private mutating func escape(into result: inout [UInt8]) throws(JSONError) {
    guard index < bytes.count else { throw error(expected: "an escape") }
    let byte = bytes[index]
    switch byte {
    case ASCII.quote, ASCII.backslash, ASCII.slash: result.append(byte)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(ASCII.lineFeed)
    case UInt8(ascii: "r"): result.append(ASCII.carriageReturn)
    case UInt8(ascii: "t"): result.append(ASCII.tab)
    case UInt8(ascii: "u"):
      index += 1
      let scalar = try scalar()
      result.append(contentsOf: String(Character(scalar)).utf8)
      return
    default: throw error(expected: "one of the letters \"\\/bfnrtu after a backslash")
    }
    index += 1
  }

  /// Reads the digits of `\uXXXX`, and the second half of a surrogate pair.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let start = index
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if 0xD800...0xDBFF ~= unit, index + 1 < bytes.count, bytes[index] == ASCII.backslash,
      bytes[index + 1] == UInt8(ascii: "u")
    {
      index += 2
      let low = try hexadecimal()
      if 0xDC00...0xDFFF ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    index = start
    throw JSONError(
      position: position,
      message: "expected both halves of a surrogate pair, found one", reference: "RFC 8259 §8.2")
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count, let digit = Self.value(ofDigit: bytes[index]) else {
        throw error(expected: "four hexadecimal digits")
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private static func value(ofDigit byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}
