// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Foundation
import TestSupport
import Testing

/// Random histories: people edit both sides while runs fail, lose answers and crash.
///
/// `EPACT_SEED` replays one history, `EPACT_HISTORIES` sets how many there are.
@Suite("Random histories")
struct HistoryTests {
  @Test("The sides agree in the end, every edit survives, and then there is nothing left to do")
  func histories() async throws {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["EPACT_SEED"].flatMap(UInt64.init) {
      var history = History(seed: seed)
      try await history.play()
      return
    }
    for seed in 1...(environment["EPACT_HISTORIES"].flatMap(UInt64.init) ?? 150) {
      var history = History(seed: seed)
      try await history.play()
    }
  }
}
