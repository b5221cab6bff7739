// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
import Epact
import ICUServices

/// The version of the program and its libraries.
extension Version {
  /// Prints the versions, one per line.
  static func print(on console: Console, machine: Machine) {
    console.show("epact \(program)")
    console.show("ICU \(ICU.version), Unicode \(ICU.unicodeVersion)")
    // The first two words are libcurl and its TLS library.
    let libraries = NetworkTransport.libraryVersion?.split(separator: " ").prefix(2)
    console.show("\(libraries?.joined(separator: ", ") ?? "no libcurl, and so no network")")
    guard let source = machine.zones.source else {
      console.show("no time zones found; ICU carries version \(ICU.zoneVersion ?? "unknown")")
      return
    }
    console.show("time zones \(machine.zones.version ?? "of an unknown version") from \(source)")
  }
}
