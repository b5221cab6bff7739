// SPDX-License-Identifier: Apache-2.0

import Epact
import Testing

struct ShellWordTests {
  @Test(arguments: [
    ("sync", "sync"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
  ])
  func shellWordsAreQuotedWhereTheyMustBe(word: String, typed: String) {
    #expect(ShellWord(word).description == typed)
  }

  @Test(arguments: [
    ("pass show dav", ["pass", "show", "dav"]), ("  a\t b ", ["a", "b"]), ("", []),
    ("lookup name 'my calendar'", ["lookup", "name", "my calendar"]),
    (#"a "b 'c' \"d\" \x" ''"#, ["a", #"b 'c' "d" \x"#, ""]), (#"a\ b 'c'd"e""#, ["a b", "cde"]),
    (#"'a\'"#, [#"a\"#]), ("'open", nil), ("open\"", nil), ("end\\", nil),
  ])
  func aTypedCommandIsReadAsAShellReadsIt(command: String, words: [String]?) {
    #expect(ShellWord.words(in: command) == words)
    if let words {
      let typed = words.map { ShellWord($0).description }.joined(separator: " ")
      #expect(ShellWord.words(in: typed) == words)
    }
  }
}
