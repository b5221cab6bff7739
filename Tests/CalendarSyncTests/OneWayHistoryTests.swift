// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import Testing

/// Random histories of one-way syncs.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories of one-way syncs")
struct OneWayHistoryTests {
  private func play(_ direction: SyncDirection) async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["EPACT_SEED"].flatMap(UInt64.init)
    let wanted = environment["EPACT_HISTORIES"].flatMap(UInt64.init)
    let count = max(1, wanted ?? (first == nil ? 500 : 1))
    var overruled = 0
    for seed in (first ?? 1)...((first ?? 1) + count - 1) {
      var history = OneWayHistory(seed: seed, direction)
      try await history.play()
      overruled += history.overruled
    }
    if count >= 100 { #expect(overruled > Int(count), "edits are overruled") }
  }

  @Test("A sync that pulls sends nothing, ends with the items of the remote, and loses no edit")
  func pull() async throws { try await play(.pull) }

  @Test("A sync that pushes writes nothing here, and deletes nothing there that it did not send")
  func push() async throws { try await play(.push) }
}
