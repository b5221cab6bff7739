// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import TestSupport
import Testing

/// Random histories of one-way syncs.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories of one-way syncs")
struct OneWayHistoryTests {
  private func play(_ direction: SyncDirection) async throws {
    let seeds = Seeds.played(60)
    var overruled = 0
    for seed in seeds {
      var history = OneWayHistory(seed: seed, direction)
      try await history.play()
      overruled += history.overruled
    }
    if seeds.count >= 60 { #expect(overruled > seeds.count, "edits are overruled") }
  }

  @Test("A sync that pulls sends nothing, ends with the items of the remote, and loses no edit")
  func pull() async throws { try await play(.pull) }

  @Test("A sync that pushes writes nothing here, and deletes nothing there that it did not send")
  func push() async throws { try await play(.push) }
}
