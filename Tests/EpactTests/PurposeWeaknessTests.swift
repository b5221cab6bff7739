// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Testing

@Suite("Weaknesses of purposes") struct PurposeWeaknessTests {
  @Test(
    "A purpose that would fit every program is taken, with a weakness to advise on",
    arguments: [
      ("WHAT IT IS FOR, and why", Purpose.Weakness.placeholder), ("For my calendar", .general),
      ("Uses your calendar.", .general), ("Needs the user's events.", .general),
      ("This app needs calendar access!", .general),
      ("Adds the start of classes you book", nil), ("Kalender", nil), ("同步", nil),
    ])
  func weakPurpose(_ text: String, _ weakness: Purpose.Weakness?) throws {
    #expect(try Purpose(text).weakness == weakness)
  }

  @Test("A purpose may be long, which is a weakness")
  func longPurpose() throws {
    let text = "Adds " + String(repeating: "very ", count: 1000) + "long classes"
    #expect(try Purpose(text).weakness == .long)
  }
}
