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

  @Test("The gate gives the tier of a grant, and the command that helps without one")
  func gate() throws {
    #expect(try AccessGate.tier(of: grant(.full), remote: "work") == .full)
    #expect(try AccessGate.tier(of: grant(.writeOnly), remote: "work") == .writeOnly)
    for (stored, code) in [(nil, AccessError.Code.notDetermined), (grant(.none), .denied)] {
      let error = #expect(throws: AccessError.self) {
        try AccessGate.tier(of: stored, remote: "work")
      }
      #expect(error?.code == code)
      #expect(error?.message.contains("epact access work --grant full --purpose") == true)
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
    "A purpose that says what and why is taken, with its spaces in order",
    arguments: [
      "Adds the start of classes you book to your calendar",
      "  Adds   the\tstart of classes\nyou book  to your calendar ",
    ])
  func purpose(_ text: String) throws {
    #expect(try Purpose(text).text == "Adds the start of classes you book to your calendar")
  }

  @Test(
    "A purpose that says nothing is refused",
    arguments: [
      "", " ", "sync", "For my calendar", "Uses your calendar.", "This app needs calendar access!",
      "Needs access to your calendar", "WHAT IT IS FOR, and why",
      "Needs full access to all your calendar data.",
      "This program wants to use the calendar, please",
      "Adds classes to \u{202E}your calendar", "Adds classes to\u{9B}2J your calendar",
      "Adds classes to \u{2066}your calendar", "Adds classes\u{AD} to your calendar",
      "Adds classes to\u{1B}[2J your calendar", "Adds classes \u{0} to your calendar",
      "Adds " + String(repeating: "very ", count: 100) + "long classes",
    ])
  func badPurpose(_ text: String) {
    let error = #expect(throws: AccessError.self) { try Purpose(text) }
    #expect(error?.code == .purpose)
  }

  @Test(
    "A purpose may be in any language",
    arguments: ["予約した教室の時間をカレンダーに追加します", "Trägt gebuchte Kurse in deinen Kalender ein"])
  func purposeOfAnyLanguage(_ text: String) throws {
    #expect(try Purpose(text).text == text)
  }

  @Test("A grant is stored, replaced and taken back")
  func grants() async throws {
    let store: any GrantStore = MemoryLedger()
    #expect(try await store.grant(for: remote.identity) == nil)
    try await store.store(grant(.writeOnly))
    try await store.store(grant(.full))
    #expect(try await store.grants() == [grant(.full)])
    try await store.revoke(remote.identity)
    #expect(try await store.grant(for: remote.identity) == nil)
  }
}
