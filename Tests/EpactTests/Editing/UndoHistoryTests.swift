// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random sequences of own changes, syncs, edits by others, undos and redos.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite(.timeLimit(.minutes(60)))
struct UndoHistoryTests {
  @Test("An undo takes back the own last change and nothing else, and a redo restores the bytes")
  func histories() async throws {
    let seeds = Seeds.played(40)
    var (exact, merged, refused) = (0, 0, 0)
    for seed in seeds {
      var history = try await UndoHistory(seed: seed)
      try await history.play()
      exact += history.exact
      merged += history.merged
      refused += history.refused
    }
    guard seeds.count >= 40 else { return }
    #expect(exact > 0 && merged > 0 && refused > 0, "all of them happen")
  }
}
