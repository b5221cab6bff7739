// SPDX-License-Identifier: Apache-2.0

import ICUServices
import TestSupport
import Testing

@Suite struct CharsetConverterTests {
  /// Bytes in a character set and the same text.
  struct Case: CustomTestStringConvertible {
    let charset: String
    let bytes: [UInt8]
    let text: String

    init(_ charset: String, _ bytes: [UInt8], _ text: String) {
      (self.charset, self.bytes, self.text) = (charset, bytes, text)
    }

    var testDescription: String { charset }
  }

  static let cases = [
    Case("windows-1252", [0x43, 0x61, 0x66, 0xE9, 0x20, 0x80], "Café €"),
    Case("ISO-8859-15", [0xA4], "€"),
    Case("UTF-16LE", [0x3D, 0xD8, 0x4D, 0xDC, 0x41, 0], "\u{1F44D}A"),
    Case("UTF-16BE", [0xD8, 0x3D, 0xDC, 0x4D], "\u{1F44D}"),
    Case("UTF-32LE", [0x4D, 0xF4, 0x01, 0x00], "\u{1F44D}"),
    Case("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
    Case("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
    Case("gb2312", [0xC8, 0xD5, 0xB1, 0xBE], "日本"),
    Case("GB18030", [0xC8, 0xD5, 0x81, 0x39, 0xEF, 0x30], "日㐁"),
    Case("KOI8-R", [0xF0, 0xD2], "Пр"),
    // A half of a character without the other one, in the middle and at the end.
    Case("UTF-7", Array("+2AA-x+3AA-y+2AA-".utf8), "\u{FFFD}x\u{FFFD}y\u{FFFD}"),
    Case("UTF-7", Array("+2ADYPdxN-".utf8), "\u{FFFD}\u{1F44D}"),
    Case("UTF-8", Array("Café 日本 \u{1F44D}".utf8), "Café 日本 \u{1F44D}"),
    Case("utf-8", [], ""),
  ]

  @Test("Converts a whole text", arguments: cases)
  func wholeText(_ example: Case) throws {
    let output = try CharsetConverter.convert(example.bytes.span, from: example.charset)
    #expect(String(decoding: output, as: UTF8.self) == example.text)
  }

  @Test("The cuts between chunks never change the text", arguments: cases)
  func chunks(_ example: Case) throws {
    for size in 1...max(1, example.bytes.count) {
      var converter = try CharsetConverter(from: example.charset)
      var output: [UInt8] = []
      for start in stride(from: 0, to: example.bytes.count, by: size) {
        let chunk = Array(example.bytes[start..<min(start + size, example.bytes.count)])
        try converter.convert(chunk.span, into: &output)
      }
      try converter.finish(into: &output)
      #expect(String(decoding: output, as: UTF8.self) == example.text, "chunks of \(size)")
    }
  }

  /// Bytes that are not valid, and where.
  struct Fault: CustomTestStringConvertible {
    let charset: String
    let bytes: [UInt8]
    let offset: Int

    init(_ charset: String, _ bytes: [UInt8], at offset: Int) {
      (self.charset, self.bytes, self.offset) = (charset, bytes, offset)
    }

    var testDescription: String { "\(charset) \(bytes)" }
  }

  static let faults = [
    Fault("UTF-8", [0x41, 0xFF, 0x42], at: 1),
    Fault("UTF-8", [0x41, 0xC3, 0x41], at: 1),
    Fault("UTF-8", [0x41, 0x42, 0xE6, 0x97], at: 2),
    Fault("UTF-8", [0xED, 0xA0, 0x80], at: 0),
    Fault("US-ASCII", [0x41, 0x41, 0xE9], at: 2),
    Fault("UTF-16LE", [0x41, 0, 0x00, 0xDC, 0x41, 0], at: 2),
    Fault("UTF-16LE", [0x41, 0, 0x41], at: 2),
    Fault("Shift_JIS", [0x41, 0x93], at: 1),
  ]

  @Test("Says where bytes are not valid, wherever the chunks are cut", arguments: faults)
  func invalidBytes(_ example: Fault) throws {
    for size in 1...example.bytes.count {
      let error = #expect(throws: ICUError.self) {
        var converter = try CharsetConverter(from: example.charset)
        var output: [UInt8] = []
        for start in stride(from: 0, to: example.bytes.count, by: size) {
          let chunk = Array(example.bytes[start..<min(start + size, example.bytes.count)])
          try converter.convert(chunk.span, into: &output)
        }
        try converter.finish(into: &output)
      }
      #expect(error?.code == .malformedText)
      #expect(error?.offset == example.offset, "chunks of \(size)")
      #expect(
        error?.message
          == "byte \(example.offset) is not valid in the character set \(example.charset)")
    }
  }

  @Test(
    "Refuses names of no character set",
    arguments: ["", "no-such-set", "../../etc/passwd", "ibm-1047,swaplfnl", "UTF-8\0", "é"])
  func unknown(_ name: String) {
    let error = #expect(throws: ICUError.self) { _ = try CharsetConverter(from: name) }
    #expect(error?.code == .unknownCharset)
    #expect(error?.offset == nil)
  }

  @Test("Texts longer than a piece are converted whole")
  func longText() throws {
    let bytes = [UInt8](repeating: 0xE9, count: 3_000_001)
    let output = try CharsetConverter.convert(bytes.span, from: "windows-1252")
    #expect(output.count == 6_000_002)
    #expect(output.prefix(4) == [0xC3, 0xA9, 0xC3, 0xA9] && output.suffix(2) == [0xC3, 0xA9])
    var spoiled = [UInt8](repeating: 0x41, count: 3_000_001)
    spoiled[2_500_000] = 0xFF
    let error = #expect(throws: ICUError.self) {
      try CharsetConverter.convert(spoiled.span, from: "UTF-8")
    }
    #expect(error?.offset == 2_500_000)
  }

  @Test("Random bytes are converted or refused, and what comes out is valid UTF-8")
  func randomBytes() throws {
    let charsets = [
      "UTF-8", "UTF-16", "UTF-16LE", "UTF-32BE", "UTF-7", "ISO-2022-JP", "ISO-2022-KR", "GB18030",
      "Shift_JIS", "EUC-KR", "Big5", "windows-1251", "HZ-GB-2312",
    ]
    for seed in UInt64(0)..<3000 {
      var random = SeededGenerator(seed: seed)
      let charset = charsets[Int(random.next() % UInt64(charsets.count))]
      let bytes = (0..<random.next() % 40).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      guard let output = try? CharsetConverter.convert(bytes.span, from: charset) else { continue }
      #expect(
        String(validating: output, as: UTF8.self) != nil, "seed \(seed), \(charset), \(bytes)")
      _ = Charset(of: bytes.span, declared: charset)
    }
  }
}
