// SPDX-License-Identifier: Apache-2.0

import Epact
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

  @Test func exitStatusesHaveAnOrderOfGravity() {
    #expect(ExitStatus.worst(of: []) == .done)
    #expect(ExitStatus.worst(of: [.done, .conflicts, .someFailed]) == .someFailed)
    #expect(ExitStatus.worst(of: [.unavailable, .stoppedByGuard]) == .stoppedByGuard)
    for status in ExitStatus.allCases {
      #expect(ExitStatus.worst(of: [status, .done]) == status, "\(status) is in no order")
    }
  }
}
