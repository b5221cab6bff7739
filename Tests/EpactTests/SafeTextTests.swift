// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

struct SafeTextTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let escaped: String
    var testDescription: String { escaped }
  }

  static let cases = [
    Case(text: "Café 会議 🦊", escaped: "Café 会議 🦊"),
    Case(text: "👩‍👩‍👧", escaped: "👩‍👩‍👧"),
    Case(text: "a\u{1B}[2Jb", escaped: "a\\u{1B}[2Jb"),
    Case(text: "a\u{9B}2Jb", escaped: "a\\u{9B}2Jb"),
    Case(text: "line\nnext\ttab\rback", escaped: "line\\nnext\\ttab\\rback"),
    Case(text: "\u{202E}evil", escaped: "\\u{202E}evil"),
    Case(text: "a\u{2066}b\u{2069}", escaped: "a\\u{2066}b\\u{2069}"),
    Case(text: "zero\u{200B}width", escaped: "zero\\u{200B}width"),
    Case(text: "\u{7F}\u{0}", escaped: "\\u{7F}\\u{0}"),
    Case(text: "שלום", escaped: "\u{2068}שלום\u{2069}"),
    Case(text: "a שלום\u{200F}!", escaped: "\u{2068}a שלום\u{200F}!\u{2069}"),
    Case(text: "a\u{200F}b", escaped: "a\\u{200F}b"),
    Case(text: "שלום\u{202E}x", escaped: "\u{2068}שלום\\u{202E}x\u{2069}"),
    Case(text: "اجتماع\u{2067}x\u{2069}", escaped: "\u{2068}اجتماع\\u{2067}x\\u{2069}\u{2069}"),
    Case(text: "\u{2069}שלום\u{2068}", escaped: "\u{2068}\\u{2069}שלום\\u{2068}\u{2069}"),
    Case(text: "\u{2068}שלום\u{2069} 10:00", escaped: "\u{2068}שלום\u{2069} 10:00"),
    Case(text: "\u{2068}a", escaped: "\\u{2068}a"),
  ]

  @Test(arguments: cases)
  func escapesWhatCouldHarmATerminal(_ test: Case) {
    #expect(SafeText.escaped(test.text) == test.escaped)
  }

  @Test(arguments: cases)
  func escapedTextStaysAsItIs(_ test: Case) {
    #expect(SafeText.escaped(test.escaped) == test.escaped)
  }
}
