// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Random histories of mirrors, with runs that fail or are killed.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories of mirrors")
struct MirrorHistoryTests {
  @Test("Each shown item has one copy, nothing else is changed, and no hidden text is shown")
  func play() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["EPACT_SEED"].flatMap(UInt64.init)
    let wanted = environment["EPACT_HISTORIES"].flatMap(UInt64.init)
    let count = max(1, wanted ?? (first == nil ? 40 : 1))
    var faulted = 0
    for seed in (first ?? 1)...((first ?? 1) + count - 1) {
      var history = try MirrorHistory(seed: seed)
      try await history.play()
      faulted += history.faulted
    }
    if count >= 40 { #expect(faulted > Int(count), "runs are cut off") }
  }
}
