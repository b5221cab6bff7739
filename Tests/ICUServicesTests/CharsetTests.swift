// SPDX-License-Identifier: Apache-2.0

import ICUServices
import Testing

@Suite struct CharsetTests {
  /// Bytes, what was declared about them, and what they are.
  struct Case: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let declared: String?
    let charset: String
    let evidence: Charset.Evidence

    init(
      _ name: String, _ bytes: [UInt8], declared: String? = nil, is charset: String,
      _ evidence: Charset.Evidence
    ) {
      self.name = name
      self.bytes = bytes
      self.declared = declared
      self.charset = charset
      self.evidence = evidence
    }

    var testDescription: String { name }
  }

  static let latin: [UInt8] = Array("SUMMARY:Caf".utf8) + [0xE9]
  static let japanese: [UInt8] =
    Array("SUMMARY:".utf8) + [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42]

  static let cases = [
    Case("nothing", [], is: "UTF-8", .validUTF8),
    Case("ASCII", Array("BEGIN".utf8), is: "UTF-8", .validUTF8),
    Case("UTF-8", Array("Café".utf8), is: "UTF-8", .validUTF8),
    Case(
      "UTF-8 that was declared as something else", Array("Café".utf8), declared: "ISO-8859-1",
      is: "UTF-8", .validUTF8),
    Case(
      "UTF-8 with a mark", [0xEF, 0xBB, 0xBF, 0x41], is: "UTF-8", .byteOrderMark(count: 3)),
    Case("UTF-16LE", [0xFF, 0xFE, 0x41, 0], is: "UTF-16LE", .byteOrderMark(count: 2)),
    Case("UTF-16BE", [0xFE, 0xFF, 0, 0x41], is: "UTF-16BE", .byteOrderMark(count: 2)),
    Case("UTF-32LE", [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], is: "UTF-32LE", .byteOrderMark(count: 4)),
    Case("half a mark", [0xEF, 0xBB], declared: "latin1", is: "ISO-8859-1", .declared),
    Case("Latin as declared", latin, declared: "iso-8859-15", is: "ISO-8859-15", .declared),
    Case("a declared name that is none", latin, declared: "../etc", is: "windows-1252", .fallback),
    Case(
      "what is not valid as declared", latin, declared: "UTF-8", is: "windows-1252", .fallback),
    Case(
      "Japanese escape codes as declared", japanese, declared: "ISO-2022-JP", is: "ISO-2022-JP",
      .declared),
  ]

  @Test("Finds the character set by the surest evidence", arguments: cases)
  func detection(_ example: Case) {
    let charset = Charset(of: example.bytes.span, declared: example.declared)
    if example.evidence == .fallback {
      // Of so few bytes ICU may or may not make a guess; both lead to the same set here.
      #expect(charset.name == example.charset)
    } else {
      #expect(charset.name == example.charset && charset.evidence == example.evidence)
    }
    #expect(charset.isUTF8 == (example.charset == "UTF-8"))
  }

  @Test("Guesses UTF-16 without a mark and Japanese without a declaration")
  func guesses() {
    let text = "BEGIN:VCALENDAR\r\nSUMMARY:Jahresempfang der Gemeinde\r\nEND:VCALENDAR\r\n"
    let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(Charset(of: wide.span).name == "UTF-16LE")
    #expect(Charset(of: Self.japanese.span).name == "ISO-2022-JP")
    let german =
      Array("SUMMARY:Gr".utf8) + [0xFC] + Array("nes Licht f".utf8) + [0xFC]
      + Array("r die Stra".utf8) + [0xDF] + Array("e nach M".utf8) + [0xFC] + Array("nchen".utf8)
    #expect(Charset(of: german.span).name == "windows-1252")
  }

  @Test("A character that is cut at the end is no fault in a prefix")
  func prefixes() {
    let cut = Array("Caf".utf8) + [0xC3]
    #expect(Charset(of: cut.span, isPrefix: true).evidence == .validUTF8)
    #expect(Charset(of: cut.span).evidence != .validUTF8)
    let bad = Array("Caf".utf8) + [0xE9, 0x41]
    #expect(!Charset(of: bad.span, isPrefix: true).isUTF8)
  }
}
