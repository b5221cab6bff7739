// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random dialogues between an organizer and three attendees.
///
/// `EPACT_SEED` replays one dialogue; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Dialogues", .timeLimit(.minutes(60)))
struct DialogueTests {
  @Test("Calendars have the latest revision and the last answer, in whatever order messages come")
  func dialogues() throws {
    let seeds = Seeds.played(60)
    var (applied, stale) = (0, 0)
    for seed in seeds {
      var dialogue = try Dialogue(seed: seed)
      do {
        try dialogue.play()
      } catch {
        Issue.record("seed \(seed): \(error); EPACT_SEED=\(seed) replays it")
        return
      }
      applied += dialogue.counts.applied
      stale += dialogue.counts.stale
    }
    guard seeds.count >= 40 else { return }
    #expect(applied > 0 && stale > 0, "both happen")
  }
}
