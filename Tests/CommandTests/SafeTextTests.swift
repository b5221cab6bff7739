// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

import EpactCommands

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

  @Test func interpolatedTextIsEscapedAndLiteralTextIsNot() {
    let title = "\u{1B}[31mred"
    let line: ConsoleText = "added\n\(title) \("bold", .bold)"
    #expect(line.plain == "added\n\\u{1B}[31mred bold")
    #expect(line.rendered(inColor: true) == "added\n\\u{1B}[31mred \u{1B}[1mbold\u{1B}[0m")
  }

  @Test func linesOfOutsideTextKeepTheirEndsOnly() {
    #expect(ConsoleText(lines: "a\nb\u{7}").plain == "a\nb\\u{7}")
  }
}
