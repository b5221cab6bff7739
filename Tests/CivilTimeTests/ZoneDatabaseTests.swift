// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct ZoneDatabaseTests {
  private let database = ZoneDatabase(folders: ["/nonexistent"] + ZoneDatabase.systemFolders)

  @Test("Takes the first folder that exists and tells its version")
  func source() throws {
    #expect(database.source != nil)
    #expect(database.source != "/nonexistent")
    let version = try #require(database.version)
    #expect(version.hasPrefix("20") && version.utf8.count >= 5)
    #expect(database.names.count > 400)
    #expect(database.names.contains("Europe/Berlin") && database.names.contains("UTC"))
  }

  @Test(
    "Finds zones in any case under the name that is theirs",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin"), ("europe/lisbon", "Europe/Lisbon"),
      ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires"), ("utc", "UTC"),
      ("etc/gmt+5", "Etc/GMT+5"),
    ])
  func anyCase(name: String, spelling: String) throws {
    #expect(try database.rules(named: name).name == spelling)
    #expect(try database.rules(named: name) == database.rules(named: spelling))
  }

  @Test(
    "Knows the preferred name of a zone",
    arguments: [
      ("Asia/Calcutta", "Asia/Kolkata"), ("europe/kiev", "Europe/Kyiv"),
      ("America/Godthab", "America/Nuuk"), ("US/Eastern", "America/New_York"),
      ("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus_Mons", nil), ("", nil),
    ])
  func canonical(name: String, preferred: String?) {
    #expect(database.canonicalName(of: name) == preferred)
  }

  @Test(
    "Refuses names that leave the folder or are no names",
    arguments: [
      "", "/etc/passwd", "../../../etc/passwd", "Europe/../Europe/Berlin", "Europe//Berlin",
      "Europe/", ".", "Europe/.hidden", "Europe\\Berlin", "Europe/Berlin\0",
      "W. Europe Standard Time",
      "-u", String(repeating: "a", count: 256), "Mitteleuropäische Zeit",
    ])
  func refused(_ name: String) {
    let error = #expect(throws: ZoneError.self) { try database.rules(named: name) }
    #expect(error?.code == .invalidName)
  }

  @Test(
    "Says which zone is not there or is not one",
    arguments: [
      ("Mars/Olympus_Mons", ZoneError.Code.unknownZone), ("Europe", .unknownZone),
      ("Europe/Berlin/Mitte", .unknownZone), ("tzdata.zi", .malformedFile),
    ])
  func unknown(name: String, code: ZoneError.Code) {
    let error = #expect(throws: ZoneError.self) { try database.rules(named: name) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix("time zone \"\(name)\": ") == true)
  }

  @Test("Without a folder there is no zone, and it says so")
  func empty() {
    let database = ZoneDatabase(folders: ["", "/nonexistent"])
    #expect(database.source == nil && database.version == nil && database.names.isEmpty)
    #expect(database.canonicalName(of: "UTC") == nil)
    let error = #expect(throws: ZoneError.self) { try database.rules(named: "UTC") }
    #expect(error?.message == "there is no time zone database")
  }

  @Test("Several threads may ask at once and get the same")
  func threads() async throws {
    let expected = try database.rules(named: "Europe/Berlin")
    let fresh = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    try await withThrowingTaskGroup(of: ZoneRules.self) { group in
      for _ in 0..<50 { group.addTask { try fresh.rules(named: "europe/BERLIN") } }
      for try await rules in group { #expect(rules == expected) }
    }
  }
}

@Suite struct ZoneIndexTests {
  @Test("Reads versions, zones and links, and passes what it does not know")
  func text() {
    let index = ZoneIndex(
      text: Array(
        """
        # version 2099z
        # a comment
        R d 1916 o - Jun 14 23s 1 S
        Z Europe/Kyiv 2:2:4 - LMT 1880
        2 - EET
        L Europe/Kyiv Europe/Kiev
        L Europe/Kiev Old/Kiev
        L Circle/A Circle/B
        L Circle/B Circle/A
        L broken
        """.utf8))
    #expect(index.version == "2099z")
    #expect(
      index.names.values.sorted()
        == ["Circle/A", "Circle/B", "Europe/Kiev", "Europe/Kyiv", "Old/Kiev"])
    #expect(index.spelling(of: "EUROPE/kyiv") == "Europe/Kyiv")
    #expect(index.canonicalName(of: "Old/Kiev") == "Europe/Kyiv")
    #expect(["Circle/A", "Circle/B"].contains(index.canonicalName(of: "Circle/A")))
  }

  @Test("The links alone say the same of every name as the index does")
  func links() throws {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let source = try #require(database.source)
    let text = try ZoneFiles.read("\(source)/tzdata.zi", limit: 1 << 22)
    let index = ZoneIndex(text: text)
    #expect(database.canonicalName(of: "Europe/Kiev") == "Europe/Kyiv")
    for name in index.names.values {
      #expect(database.canonicalName(of: name) == index.canonicalName(of: name), "\(name)")
      #expect(database.canonicalName(of: name.lowercased()) == index.canonicalName(of: name))
    }
    #expect(database.canonicalName(of: "Europe/Nowhere") == nil)
  }

  @Test("A folder without an index is listed instead")
  func folder() throws {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    let source = try #require(database.source)
    let index = ZoneIndex(folder: source)
    #expect(index.version == nil)
    #expect(index.spelling(of: "america/argentina/ushuaia") == "America/Argentina/Ushuaia")
    #expect(index.spelling(of: "posix/utc") == nil && index.spelling(of: "zone.tab") == nil)
    #expect(Set(database.names).subtracting(index.names.values).isEmpty)
  }
}
