// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Testing

@Suite struct WindowsZonesTests {
  /// A Windows name, a territory, and the zone that is meant.
  struct Case: CustomTestStringConvertible {
    let name: String
    let territory: String?
    let zone: String?

    init(_ name: String, in territory: String? = nil, is zone: String?) {
      (self.name, self.territory, self.zone) = (name, territory, zone)
    }

    var testDescription: String { "\(name) in \(territory ?? "the world")" }
  }

  static let cases = [
    Case("W. Europe Standard Time", is: "Europe/Berlin"),
    Case("W. Europe Standard Time", in: "AT", is: "Europe/Vienna"),
    Case("W. Europe Standard Time", in: "ch", is: "Europe/Zurich"),
    Case("W. Europe Standard Time", in: "JP", is: "Europe/Berlin"),
    Case("w. europe standard time", is: "Europe/Berlin"),
    Case("ROMANCE STANDARD TIME", is: "Europe/Paris"),
    Case("Pacific Standard Time (Mexico)", is: "America/Tijuana"),
    Case("Eastern Standard Time", is: "America/New_York"),
    Case("Eastern Standard Time", in: "CA", is: "America/Toronto"),
    Case("GMT Standard Time", is: "Europe/London"),
    Case("UTC", is: "Etc/UTC"),
    Case("India Standard Time", is: "Asia/Calcutta"),
    Case("Customized Time Zone", is: nil),
    Case("Europe/Berlin", is: nil),
    Case("Mitteleuropäische Zeit", is: nil),
    Case("", is: nil),
  ]

  @Test("Knows which zone a Windows name means", arguments: cases)
  func zone(_ example: Case) throws {
    let zones = try WindowsZones()
    #expect(zones.zone(for: example.name, territory: example.territory) == example.zone)
  }

  @Test(
    "Knows the Windows name of a zone, by its old and new name",
    arguments: [
      ("Europe/Berlin", "W. Europe Standard Time"), ("europe/vienna", "W. Europe Standard Time"),
      ("America/New_York", "Eastern Standard Time"), ("US/Eastern", "Eastern Standard Time"),
      ("Asia/Calcutta", "India Standard Time"), ("Asia/Kolkata", "India Standard Time"),
      ("Mars/Olympus_Mons", nil), ("", nil),
    ])
  func windowsName(zone: String, name: String?) throws {
    #expect(try WindowsZones().windowsName(for: zone) == name)
  }

  @Test("Every zone in the table is one of the system's, and leads back to its name")
  func wholeTable() throws {
    let zones = try WindowsZones()
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    #expect(zones.allNames.count > 130)
    for name in zones.allNames {
      let zone = try #require(zones.zone(for: name))
      #expect(throws: Never.self, "\(name)") { try database.rules(named: zone) }
      #expect(zones.windowsName(for: zone) == name)
    }
  }

  @Test("Tells the versions of ICU")
  func versions() {
    #expect(ICU.version.split(separator: ".").first.flatMap { Int($0) }.map { $0 >= 60 } == true)
    #expect(ICU.unicodeVersion.contains("."))
    #expect(ICU.zoneVersion?.hasPrefix("20") == true)
  }
}
