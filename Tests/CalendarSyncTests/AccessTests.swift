// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("Access")
struct AccessTests {
  private let remote = MemoryRemote("work")

  private func grant(_ tier: AccessTier) -> AccessGrant {
    AccessGrant(
      remote: remote.identity, tier: tier, purpose: "Adds the start of classes you book",
      grantedAt: Instant(secondsSinceEpoch: 0), grantedBy: "ada")
  }

  @Test("Denied access contacts nothing")
  func none() async {
    await #expect(throws: AccessError.self) { try await AccessTier.none.open(remote) }
    #expect(remote.log == [])
  }

  @Test("A run under denied access contacts nothing and writes nothing down")
  func runUnderNone() async throws {
    var scene = SyncScene()
    scene.tier = .none
    scene.local.write(TestItem.make(uid: "a"))
    let denied = scene
    await #expect(throws: AccessError.self) { try await denied.sync() }
    #expect(scene.remote.log == [])
    #expect(scene.faults.calls == [])
  }

  @Test("What write-only access opens cannot be cast to something that reads")
  func writeOnly() async throws {
    guard case .appendOnly(let appender) = try await AccessTier.writeOnly.open(remote) else {
      Issue.record("write-only access opened everything")
      return
    }
    #expect(!(appender is any RemoteCalendar))
    #expect(!(appender is any Remote))
  }

  @Test("Full access opens everything")
  func full() async throws {
    guard case .full = try await AccessTier.full.open(remote) else {
      Issue.record("full access opened less")
      return
    }
  }

  @Test("The gate gives the tier of a grant, and which grant would help without one")
  func gate() throws {
    #expect(try AccessGate.tier(of: grant(.full), remote: "work") == .full)
    #expect(try AccessGate.tier(of: grant(.writeOnly), remote: "work") == .writeOnly)
    #expect(throws: AccessError.notDetermined(remote: "work", needs: .full)) {
      try AccessGate.tier(of: nil, remote: "work")
    }
    #expect(throws: AccessError.denied(remote: "work", needs: .full)) {
      try AccessGate.tier(of: grant(.none), remote: "work")
    }
  }

  @Test("The status is that of the answer")
  func status() {
    #expect(AccessStatus(nil) == .notDetermined)
    #expect(AccessStatus(grant(.none)) == .denied)
    #expect(AccessStatus(grant(.writeOnly)) == .writeOnly)
    #expect(AccessStatus(grant(.full)) == .full)
    #expect(
      AccessStatus.allCases.map(\.rawValue) == [
        "not-determined", "restricted", "denied", "write-only", "full",
      ])
  }

  @Test(
    "A purpose is any text that shows something, in any language, with its spaces in order",
    arguments: [
      ("  Adds   the\tstart of classes\nyou book ", "Adds the start of classes you book"),
      ("sync", "sync"), ("x", "x"), ("同", "同"), ("5", "5"), ("?", "?"), ("🗓", "🗓"),
      ("予約した教室の時間をカレンダーに追加します", "予約した教室の時間をカレンダーに追加します"),
      ("Kalender abgleichen", "Kalender abgleichen"), ("日历同步", "日历同步"), ("ซิงค์", "ซิงค์"),
      ("לוח שנה\u{200F}", "לוח שנה\u{200F}"), ("मिलान", "मिलान"),
      ("For my calendar", "For my calendar"),
      ("What it is for, and why", "What it is for, and why"),
      ("Adds classes to \u{202E}your calendar", "Adds classes to \u{202E}your calendar"),
    ])
  func purpose(_ text: String, _ taken: String) throws {
    #expect(try Purpose(text).text == taken)
  }

  @Test("A purpose may be long")
  func longPurpose() throws {
    let text = "Adds " + String(repeating: "very ", count: 1000) + "long classes"
    #expect(try Purpose(text).text == text)
  }

  @Test(
    "A purpose of which nothing shows is refused",
    arguments: [
      "", " ", "\t\n", "\u{A0}", "\u{200B}", "\u{202E}\u{2069}", "\u{0}", "\u{FEFF} \u{AD}",
      "\u{3164}",
    ])
  func badPurpose(_ text: String) {
    #expect(throws: AccessError.emptyPurpose) { try Purpose(text) }
  }

  @Test("A grant is stored, replaced and taken back")
  func grants() async throws {
    let store: any GrantStore = MemoryLedger()
    #expect(try await store.grant(for: remote.identity) == nil)
    try await store.store(grant(.writeOnly))
    try await store.store(grant(.full))
    #expect(try await store.grants() == [grant(.full)])
    try await store.revoke(remote.identity, at: Instant(secondsSinceEpoch: 9), by: "ada")
    #expect(try await store.grant(for: remote.identity) == nil)
  }
}
