// SPDX-License-Identifier: Apache-2.0

import EpactServe
import Testing

/// The escaping of texts in HTML and in addresses.
struct HTMLTextTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let escaped: String
    var testDescription: String { escaped }

    init(_ text: String, _ escaped: String) {
      (self.text, self.escaped) = (text, escaped)
    }
  }

  static let cases = [
    Case("", ""), Case("Dinner at eight", "Dinner at eight"),
    Case("<script>", "&lt;script&gt;"), Case("a & b", "a &amp; b"), Case("&amp;", "&amp;amp;"),
    Case("\" onload=x", "&quot; onload&#61;x"), Case("'", "&#39;"), Case("`", "&#96;"),
    // A mark makes one character with the scalar before it, which stays what it is for a browser.
    Case("\"\u{301}", "&quot;\u{301}"), Case("<\u{338}", "&lt;\u{338}"),
    Case(">\u{20D2}", "&gt;\u{20D2}"), Case("'\u{FE0F}", "&#39;\u{FE0F}"),
    Case("&\u{200D}", "&amp;\u{200D}"), Case("=\u{338}", "&#61;\u{338}"),
    Case("\r\n", "\u{FFFD}\n"), Case("a\nb\tc", "a\nb\tc"),
    Case("\0", "\u{FFFD}"), Case("\u{1B}[31m", "\u{FFFD}[31m"), Case("\u{7F}", "\u{FFFD}"),
    Case("\u{80}\u{9F}", "\u{FFFD}\u{FFFD}"), Case("\u{A0}", "\u{A0}"),
    Case(scalars(0xFDD0, 0xFDEF), "\u{FFFD}\u{FFFD}"),
    Case(scalars(0xFFFE, 0xFFFF), "\u{FFFD}\u{FFFD}"),
    Case(scalars(0x1FFFE, 0x10FFFF), "\u{FFFD}\u{FFFD}"),
    Case("\u{FDCF}\u{FDF0}", "\u{FDCF}\u{FDF0}"),
    // The bidirectional controls end with the element around them, which is a bdi.
    Case("\u{202E}evil\u{202C}", "\u{202E}evil\u{202C}"), Case("\u{2066}a", "\u{2066}a"),
    Case("🦊❤️", "🦊❤️"), Case("日本", "日本"), Case("{{x}}", "{{x}}"),
  ]

  /// The noncharacters, which literals cannot have.
  private static func scalars(_ values: UInt32...) -> String {
    String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
  }

  @Test("Each scalar with a meaning in HTML becomes a reference", arguments: cases)
  func escaping(_ test: Case) {
    #expect(Array(HTMLText(test.text).escaped.unicodeScalars) == Array(test.escaped.unicodeScalars))
  }

  @Test("Bytes that are no UTF-8 become text before they are escaped")
  func invalidBytes() {
    let text = String(decoding: [0xED, 0xA0, 0x80, 0x3C, 0xC3, 0x22], as: UTF8.self)
    let escaped = HTMLText(text).escaped
    #expect(escaped.hasSuffix("&quot;"))
    #expect(!escaped.unicodeScalars.contains("<"))
  }

  @Test("No scalar below the first letters stays that a browser takes for a tag or a reference")
  func allScalars() {
    for value in UInt32(0)...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "\(scalar)\u{301}", "a\(scalar)"] {
        let escaped = HTMLText(text).escaped
        let isPlain = !"<>\"'`=".unicodeScalars.contains { escaped.unicodeScalars.contains($0) }
        let isReference =
          escaped.unicodeScalars.contains("&") == escaped.unicodeScalars.contains(";")
        #expect(isPlain && (isReference || scalar == ";"), "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("A text is shortened at its limit, however many marks a character has")
  func shortening() {
    #expect(ShortText("abc", limit: 3).text == "abc")
    #expect(ShortText("abcd", limit: 3).text == "abc…")
    #expect(ShortText("ééé", limit: 3).text == "ééé")
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(ShortText(marks).text.unicodeScalars.count <= 4 * ShortText.titleLimit + 1)
    #expect(
      ShortText(String(repeating: "x", count: 1 << 20)).text.count == ShortText.titleLimit + 1)
  }

  @Test(
    "A part of an address is the same text after escaping and unescaping",
    arguments: [
      "", "a", "a/b", "../..", "..", ".", "...", "%2F", "a%41", "ü", "a b", "a+b", "?x#y", "\r\n",
      "🦊", "\"'<>", "~", "~..", "a.b", "\0", "%", "%%", "%zz",
    ])
  func pathText(_ text: String) {
    let escaped = PathText.escaped(text)
    #expect(PathText.unescaped(escaped) == text)
    #expect(escaped.utf8.allSatisfy { !"/?#\"'<>&= \r\n.".utf8.contains($0) }, "\(escaped)")
    // Browsers remove parts that are dots, escaped or not (URL Standard §4.4).
    let dots = escaped.lowercased().replacing("%2e", with: ".")
    #expect(dots != "." && dots != "..", "\(escaped)")
  }

  @Test("Escapes that are no UTF-8 are no text", arguments: ["%FF", "%ED%A0%80", "a%C3"])
  func invalidPathText(_ text: String) {
    #expect(PathText.unescaped(text) == nil)
  }
}
