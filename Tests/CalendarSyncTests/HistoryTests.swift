// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// Random histories: people edit both sides while runs fail, lose answers and crash.
///
/// `EPACT_SEED` replays one history; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Random histories")
struct HistoryTests {
  @Test("The sides agree in the end, every edit survives, and then there is nothing left to do")
  func histories() async throws {
    // In the last ones, a copy took the place of an item whose write was not recorded, undos were cut
    // short before deletions there, and a late listing followed additions above the limit. In the last
    // two, the old text of a copy returned beside another.
    for seed in Array(Seeds.played(50)) + [2_573, 22_946, 23_499, 28_342, 25_705, 25_889] {
      var history = History(seed: seed)
      try await history.play()
    }
  }

  @Test("The same holds for two calendars between which items are moved")
  func moves() async throws {
    // In the last one, an edit here after a run that was cut short before a download dropped a property,
    // as the download would have done.
    for seed in Array(Seeds.played(30)) + [23_347] {
      var history = MoveHistory(seed: seed)
      try await history.play()
    }
  }

  @Test("A restored remote loses no version in silence, and an undo deletes no last copy")
  func restored() async throws {
    var (stops, kept) = (0, 0)
    let seeds = Seeds.played(50)
    for seed in seeds {
      var history = RestoredHistory(seed: seed)
      try await history.play()
      stops += history.stops
      kept += history.kept
    }
    guard seeds.count >= 50 else { return }
    #expect(stops > 0 && kept > 0, "both happen")
  }

  @Test("The same holds for a whole account whose calendars come and go on both sides")
  func accounts() async throws {
    var seen: Set<AccountServer.Event> = []
    let seeds = Seeds.played(50)
    for seed in seeds {
      var history = AccountHistory(seed: seed)
      do { try await history.play() } catch { Issue.record(error, "\(history.told)") }
      seen.formUnion(history.seen.keys)
    }
    guard seeds.count >= 50 else { return }
    #expect(Set(AccountServer.Event.allCases).subtracting(seen) == [], "all of it happens")
  }

  @Test("A remote with fields and a stash returns every line, or the item is refused")
  func holdings() async throws {
    for seed in Seeds.played(12) {
      var history = HoldingHistory(seed: seed)
      try await history.play()
    }
  }

  @Test("A server that stores less than it is sent changes nothing here, and edits there arrive")
  func losses() async throws {
    // In the last ones, another client edited an item that could not be read back, a run ended between
    // an addition and its checkpoint, two runs in a row ended after a write to each side, and two
    // reduced items could not be read back.
    for seed in Array(Seeds.played(24)) + [1_719, 1_768, 1_790, 4_239, 8_367, 800_302] {
      var history = LossHistory(seed: seed)
      try await history.play()
    }
  }

  @Test("Under write-only access nothing is reported as added that is not there")
  func additions() async throws {
    for seed in Seeds.played(50) {
      var history = AppendHistory(seed: seed)
      try await history.play()
    }
  }
}
