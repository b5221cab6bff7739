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
  ]

  @Test(arguments: cases)
  func escapesWhatCouldHarmATerminal(_ test: Case) {
    #expect(SafeText.escaped(test.text) == test.escaped)
  }
}
