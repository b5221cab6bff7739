// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import Testing

@Suite("A machine's time zones") struct MachineTests {
  private func machine(locale: String) -> Machine {
    var machine = Machine.live()
    machine.environment["LC_ALL"] = locale
    return machine
  }

  @Test("The normal forms of a machine and of its copies are equal")
  func normalFormsAreEqual() {
    let machine = machine(locale: "de_AT.UTF-8")
    var copy = machine
    copy.environment["HOME"] = "/elsewhere"
    #expect(machine.normalForm == machine.normalForm)
    #expect(machine.normalForm == copy.normalForm)
  }

  @Test("The resolvers of other countries and of other time zones differ")
  func otherResolversDiffer() {
    let machine = machine(locale: "de_AT.UTF-8")
    var abroad = machine
    abroad.environment["LC_ALL"] = "en_US.UTF-8"
    #expect(machine.zoneResolver != abroad.zoneResolver)
    var elsewhere = machine
    elsewhere.zones = ZoneDatabase(folders: ["/nowhere"])
    #expect(machine.zoneResolver != elsewhere.zoneResolver)
    #expect(machine.zoneResolver == abroad.copied(locale: "de_AT.UTF-8").zoneResolver)
  }
}

extension Machine {
  fileprivate func copied(locale: String) -> Machine {
    var copy = self
    copy.environment["LC_ALL"] = locale
    return copy
  }
}
