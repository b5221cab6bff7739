// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The encodings of mail bodies (Content-Transfer-Encoding, RFC 2045 §6).
package enum TransferEncoding {
  /// The maximum length of a quoted-printable line without its line break (RFC 2045 §6.7).
  private static let lineLength = 76

  /// Decodes a body; an unknown encoding leaves it unchanged.
  package static func decode(_ body: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
    switch encoding {
    case "base64": base64(body)
    case "quoted-printable": quotedPrintable(body)
    default: Array(body)
    }
  }

  /// Decodes BASE64; other characters are skipped (RFC 2045 §6.8), and a truncated end is dropped.
  static func base64(_ body: some Collection<UInt8>) -> [UInt8] {
    var digits = body.filter { byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "/"): true
      default: false
      }
    }
    if digits.count % 4 == 1 { digits.removeLast() }
    return (try? Base64.decode(digits.span)) ?? []
  }

  /// Decodes quoted-printable: soft line breaks, trailing white space and `=XX`.
  static func quotedPrintable(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var joined: [UInt8] = []
    joined.reserveCapacity(body.count)
    var start = body.startIndex
    while start < body.endIndex {
      let feed = body[start...].firstIndex(of: 0x0A)
      var line = body[start..<(feed ?? body.endIndex)]
      while let last = line.last, last.isBlank { line.removeLast() }
      start = feed.map { $0 + 1 } ?? body.endIndex
      if line.last == UInt8(ascii: "=") {
        joined += line.dropLast()
      } else {
        joined += line
        if feed != nil { joined += [0x0D, 0x0A] }
      }
    }
    return QuotedPrintable.decode(joined)
  }

  /// A body with CRLF line breaks and its encoding: unchanged if that is safe, or quoted-printable.
  ///
  /// Lines that begin with `From ` are encoded, because mailboxes change them.
  package static func encode(_ body: [UInt8]) -> (name: String, body: [UInt8]) {
    let lines = lines(of: body)
    let isPlain = lines.allSatisfy { line in
      line.count <= lineLength && line.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
        && line.last.map { !$0.isBlank } ?? true && !line.starts(with: "From ".utf8)
    }
    let ending: [UInt8] = [0x0D, 0x0A]
    if isPlain { return ("7bit", lines.flatMap { $0 + ending }) }
    return ("quoted-printable", lines.flatMap { quoted($0) + ending })
  }

  /// The lines without their line breaks; the last one is not empty.
  private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = body.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func quoted(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    var length = 0
    for (offset, byte) in line.enumerated() {
      let isLast = offset == line.count - 1
      let isSafe =
        0x21...0x7E ~= byte && byte != UInt8(ascii: "=")
        || byte.isBlank && !isLast
          && byte != 0x0D
      let isFrom = offset == 0 && line.starts(with: "From ".utf8)
      let unit =
        isSafe && !isFrom
        ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      if length + unit.count > lineLength - 1 {
        result += [UInt8(ascii: "="), 0x0D, 0x0A]
        length = 0
      }
      result += unit
      length += unit.count
    }
    return result
  }
}
