// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random sequences of changes of own meetings, undos and redos, whose mails guests apply.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite(.timeLimit(.minutes(60)))
struct MeetingUndoHistoryTests {
  @Test("After each change, undo and redo, the guests have the organizer's meetings")
  func histories() async throws {
    let seeds = Seeds.played(15)
    var mails = 0
    for seed in seeds {
      var history = try MeetingUndoHistory(seed: seed)
      do {
        try await history.play()
      } catch {
        Issue.record("EPACT_SEED=\(seed): \(error)")
      }
      mails += history.mails
    }
    guard seeds.count >= 15 else { return }
    #expect(mails > 0, "guests are informed")
  }
}
