// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random histories of mirrors, with runs that fail or are killed.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories of mirrors")
struct MirrorHistoryTests {
  @Test("Each shown item has one copy, nothing else is changed, and no hidden text is shown")
  func play() async throws {
    let seeds = Seeds.played(15)
    var faulted = 0
    for seed in seeds {
      var history = try MirrorHistory(seed: seed)
      try await history.play()
      faulted += history.faulted
    }
    if seeds.count >= 40 { #expect(faulted > seeds.count, "runs are cut off") }
  }
}
