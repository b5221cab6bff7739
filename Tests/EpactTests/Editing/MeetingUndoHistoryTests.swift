// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Random sequences of changes of own meetings, undos and redos, whose mails guests apply.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite(.timeLimit(.minutes(60)))
struct MeetingUndoHistoryTests {
  @Test("After each change, undo and redo, the guests have the organizer's meetings")
  func histories() async throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["EPACT_SEED"].flatMap(UInt64.init)
    let wanted = environment["EPACT_HISTORIES"].flatMap(UInt64.init)
    let start = first ?? 1
    let count = max(1, wanted ?? (first == nil ? 40 : 1))
    var mails = 0
    for seed in start..<(start + count) {
      var history = try MeetingUndoHistory(seed: seed)
      do {
        try await history.play()
      } catch {
        Issue.record("EPACT_SEED=\(seed): \(error)")
      }
      mails += history.mails
    }
    guard count >= 40 else { return }
    #expect(mails > 0, "guests are informed")
  }
}
