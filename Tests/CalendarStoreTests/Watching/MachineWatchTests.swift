// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Testing

struct MachineWatchTests {
  @Test func aResumeIsDistinguishedFromASetClock() {
    var changes = MachineChanges(suspended: 100, addresses: [])
    #expect(changes.clockChange(suspended: 100.001) == .clockSet)
    #expect(changes.clockChange(suspended: 3700) == .resumed)
    #expect(changes.clockChange(suspended: 3700) == .clockSet)
  }

  @Test func onlyNewAddressesAreReported() {
    var changes = MachineChanges(suspended: 0, addresses: ["192.0.2.1"])
    #expect(changes.networkChange(addresses: ["192.0.2.1"]) == nil)
    #expect(changes.networkChange(addresses: []) == nil)
    #expect(changes.networkChange(addresses: ["192.0.2.1"]) == .networkJoined)
    #expect(changes.networkChange(addresses: ["192.0.2.1", "2001:db8::1"]) == .networkJoined)
  }

  @Test func watchesBeginAndEndWithoutEvents() throws {
    for _ in 0..<100 { _ = try MachineWatch { _ in } }
  }
}
