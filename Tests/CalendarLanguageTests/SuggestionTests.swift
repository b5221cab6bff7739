// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import Testing

struct SuggestionTests {
  static let commands = ["access", "bench", "check", "export", "import", "sync", "tour"]

  @Test(arguments: [
    ("snyc", "sync"), ("syn", "sync"), ("SYNC", "sync"), ("improt", "import"), ("chekc", "check"),
    ("exprot", "export"), ("acces", "access"), ("benhc", "bench"), ("exp", "export"),
  ])
  func findsWhatWasMeant(word: String, meant: String) {
    #expect(Suggestion.nearest(to: word, among: Self.commands) == meant)
  }

  @Test(arguments: ["", "agenda", "xyz", "doctor", String(repeating: "s", count: 100_000)])
  func doesNotGuessWildly(word: String) {
    #expect(Suggestion.nearest(to: word, among: Self.commands) == nil)
  }
}
