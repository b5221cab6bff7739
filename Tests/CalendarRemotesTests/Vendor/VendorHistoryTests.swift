// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Random histories with the doubles of vendors.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories with vendors", .timeLimit(.minutes(60)))
struct VendorHistoryTests {
  @Test(
    "Random histories end with the same items on both sides",
    arguments: VendorConformanceTests.kinds)
  func histories(_ kind: VendorDouble.Kind) async throws {
    for seed in Seeds.played(4) {
      var history = try await VendorHistory(kind, seed: seed)
      do { try await history.play() } catch { Issue.record(error, "\(history.told)") }
    }
  }
}
