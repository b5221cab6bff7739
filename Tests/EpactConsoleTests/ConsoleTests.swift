// SPDX-License-Identifier: Apache-2.0

import EpactConsole
import Testing

struct ConsoleTests {
  struct ColorCase: CustomTestStringConvertible {
    let choice: Console.ColorChoice
    let onTerminal: Bool
    let environment: [String: String]
    let inColor: Bool
    var testDescription: String { "\(choice), terminal: \(onTerminal), \(environment)" }
  }

  static let colorCases = [
    ColorCase(choice: .auto, onTerminal: true, environment: [:], inColor: true),
    ColorCase(choice: .auto, onTerminal: false, environment: [:], inColor: false),
    ColorCase(choice: .auto, onTerminal: true, environment: ["NO_COLOR": "1"], inColor: false),
    ColorCase(choice: .auto, onTerminal: true, environment: ["NO_COLOR": ""], inColor: true),
    ColorCase(choice: .auto, onTerminal: true, environment: ["TERM": "dumb"], inColor: false),
    ColorCase(choice: .always, onTerminal: false, environment: ["NO_COLOR": "1"], inColor: true),
    ColorCase(choice: .never, onTerminal: true, environment: [:], inColor: false),
  ]

  @Test(arguments: colorCases)
  func colorIsUsedWherePeopleExpectIt(_ test: ColorCase) {
    #expect(
      Console.usesColor(
        test.choice, onTerminal: test.onTerminal, environment: test.environment) == test.inColor)
  }

  @Test(arguments: [
    ("abc", 3), ("会議", 4), ("e\u{301}", 1), ("🦊", 2), ("❤️", 2), ("", 0), ("é–…", 3),
    ("a\u{AD}b", 2),
    ("©\u{FE0F}", 2),
  ])
  func widthCountsColumns(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
    #expect(DisplayWidth.padded(text, to: 6).hasPrefix(text))
    #expect(DisplayWidth.of(DisplayWidth.padded(text, to: 6)) == 6)
  }

  @Test(arguments: [
    ("password", "x", "password=[redacted]"),
    ("Authorization", "Basic eA==", "Authorization=[redacted]"),
    ("url", "https://alice:pw@example.org/", "url=https://example.org/"),
    ("note", "two words", "note=\"two words\""), ("syncToken", "abc", "syncToken=abc"),
  ])
  func logsLeaveOutSecrets(key: String, value: String, written: String) {
    #expect(StandardErrorLog.pair(key, value) == written)
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

  @Test func theTextOfANotificationIsNoMarkup() {
    let text = "<b>Lunch</b> & <a href=\"x\">y</a>"
    #expect(
      AlarmNotice.text(text, for: AlarmNotice.usualCommand)
        == "&lt;b&gt;Lunch&lt;/b&gt; &amp; &lt;a href=\"x\"&gt;y&lt;/a&gt;")
    #expect(AlarmNotice.text(text, for: ["/usr/bin/notify-send"]).hasPrefix("&lt;"))
    #expect(AlarmNotice.text(text, for: ["my-notifier"]) == text)
  }
}
