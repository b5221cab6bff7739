// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct ZoneResolverTests {
  static let windowsNames = [
    "W. Europe Standard Time": "Europe/Berlin", "Amsterdam, Berlin, Bern": "Europe/Berlin",
    "Moon Standard Time": "Moon/Tranquility", "Eastern Standard Time": "America/New_York",
  ]
  static let resolver = ZoneResolver(
    database: ZoneDatabase(folders: ZoneDatabase.systemFolders),
    windowsZone: { windowsNames[$0] })

  /// A TZID, how it is resolved and what to.
  struct Case: CustomTestStringConvertible {
    let tzID: String
    let source: ResolvedZone.Source
    let name: String?

    init(_ tzID: String, _ source: ResolvedZone.Source, _ name: String?) {
      self.tzID = tzID
      self.source = source
      self.name = name
    }

    var testDescription: String { tzID }
  }

  static let cases = [
    Case("UTC", .utc, "UTC"),
    Case("utc", .utc, "UTC"),
    Case("Etc/UTC", .utc, "UTC"),
    Case("GMT", .utc, "UTC"),
    Case("Europe/Berlin", .name, "Europe/Berlin"),
    Case("America/Argentina/Buenos_Aires", .name, "America/Argentina/Buenos_Aires"),
    Case("Europe/lisbon", .spelling, "Europe/Lisbon"),
    Case("\"Europe/Berlin\" ", .spelling, "Europe/Berlin"),
    Case("Europe/Berlin\0\0", .spelling, "Europe/Berlin"),
    Case("America/Los Angeles", .spelling, "America/Los_Angeles"),
    Case("Europe_Berlin", .spelling, "Europe/Berlin"),
    Case("America-New York", .spelling, "America/New_York"),
    Case("/mozilla.org/20050126_1/Europe/Berlin", .path, "Europe/Berlin"),
    Case(
      "/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires", .path,
      "America/Argentina/Buenos_Aires"),
    Case("/softwarestudio.org/Olson_20011030_5/america/new_york", .path, "America/New_York"),
    Case("posix/Europe/Vaduz", .path, "Europe/Vaduz"),
    Case("W. Europe Standard Time", .windows, "Europe/Berlin"),
    Case("(UTC+01:00) Amsterdam\\, Berlin\\, Bern", .windows, "Europe/Berlin"),
    Case("W. Europe", .windows, "Europe/Berlin"),
    Case("Eastern Standard Time 1", .windows, "America/New_York"),
    Case("IndianReunion", .spelling, "Indian/Reunion"),
    Case("Pacific Time (US & Canada)\\, Tijuana", .alias, "America/Los_Angeles"),
    Case("(GMT-08:00) Pacific Time (US & Canada)", .alias, "America/Los_Angeles"),
    Case("Mitteleuropäische Zeit", .alias, "Europe/Berlin"),
    Case("Canberra, Melbourne, Sydney", .alias, "Australia/Sydney"),
    Case("(UTC+01:00) Paris, Madrid, Copenhagen", .alias, "Europe/Paris"),
    Case("Greenwich Mean Time", .alias, "UTC"),
    Case("Santiago", .place, "America/Santiago"),
    Case("South", .unknown, nil),
    Case("Eastern", .windows, "America/New_York"),
    Case("CST", .unknown, nil),
    Case("Moon Standard Time", .unknown, nil),
    Case("UTC+2", .offset, nil),
    Case("GMT +0530", .offset, nil),
    Case("UTC-03:30", .offset, nil),
    Case("GMT +0100 (Standard) / GMT +0200 (Daylight)", .unknown, nil),
    Case("UTC+99", .unknown, nil),
    Case("Custom", .definition, nil),
    Case("(UTC+01:00) Somewhere", .unknown, nil),
    Case("(UTC+01:00)", .offset, nil),
    Case("(GMT +01:00)", .offset, nil),
    Case("(gmt-03.30)", .offset, nil),
    Case("+05:45", .offset, nil),
    Case("-5", .unknown, nil),
    Case("(UTC)", .utc, "UTC"),
    Case("(UTC+00:00)", .utc, "UTC"),
    Case("tzone://Microsoft/Utc", .utc, "UTC"),
    Case("tzone://Microsoft/Custom", .unknown, nil),
    Case("(UTC-05:00) Eastern Time (US and Canada)", .alias, "America/New_York"),
    Case("(UTC-05:00) Eastern Time (US &amp; Canada)", .alias, "America/New_York"),
    Case(
      "(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna", .alias, "Europe/Berlin"),
    Case("(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London", .alias, "Europe/London"),
    Case("(UTC) Coordinated Universal Time", .alias, "UTC"),
    Case("(UTC-07:00) Chihuahua, La Paz, Mazatlan", .alias, "America/Mazatlan"),
    Case("(UTC-07:00) La Paz, Mazatlan", .alias, "America/Mazatlan"),
    Case("(UTC-07:00) Somewhere, La Paz, Mazatlan", .alias, "America/Mazatlan"),
    Case("(UTC-11:00) Midway Island, Samoa", .alias, "Pacific/Midway"),
    Case("(UTC+12:00) Petropavlovsk-Kamchatsky - Old", .alias, "Asia/Kamchatka"),
    Case("(UTC-02:00) Mid-Atlantic - Old", .alias, "Etc/GMT+2"),
    Case("(GMT-07:00) Mountain Time - Hermosillo", .alias, "America/Hermosillo"),
    Case("(GMT+05:30) India Standard Time - Kolkata", .alias, "Asia/Kolkata"),
    Case("GMT+0200 (Central European Summer Time)", .alias, "Europe/Berlin"),
    Case("Tzfile/Europe/Berlin", .unknown, nil),
    Case("/", .unknown, nil),
    Case("", .unknown, nil),
  ]

  @Test("Finds out what a TZID means", arguments: cases)
  func resolves(_ example: Case) throws {
    let definition = try component(["BEGIN:VTIMEZONE", "TZID:Custom", "END:VTIMEZONE"])
    let zone = Self.resolver.resolve(example.tzID, definitions: [definition])
    #expect(zone.source == example.source)
    #expect(zone.name == example.name)
    #expect(zone.tzID == example.tzID)
  }

  @Test(
    "Knows the names of Windows without ICU",
    arguments: [
      ("W. Europe Standard Time", "Europe/Berlin"), ("w. europe standard time", "Europe/Berlin"),
      ("W. Europe Daylight Time", "Europe/Berlin"), ("Kamchatka Standard Time", "Asia/Kamchatka"),
      ("Mid-Atlantic Standard Time", "Etc/GMT+2"), ("Central Asia Standard Time", "Asia/Bishkek"),
      ("Mountain Standard Time (Mexico)", "America/Mazatlan"), ("UTC-08", "Etc/GMT+8"),
      ("US Eastern Standard Time", "America/Indianapolis"),
      ("South Sudan Standard Time", "Africa/Juba"), ("Yukon Standard Time", "America/Whitehorse"),
    ])
  func windowsNames(tzID: String, name: String) {
    let resolver = ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
    let zone = resolver.resolve(tzID)
    #expect(zone.source == .windows && zone.name == name)
  }

  @Test("The example of the documentation")
  func example() throws {
    let resolver = ZoneResolver()
    let zone = resolver.resolve("Eastern Standard Time")
    #expect(zone.name == "America/New_York")
    let noon = try CivilDateTime(parsing: "20260701T120000")
    let offset = try UTCOffset(parsing: "-0400")
    #expect(try resolver.rules(of: zone).resolve(noon) == .unique(offset))
  }

  @Test("Every zone of the table of Windows names is in the database")
  func windowsTable() {
    let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
    for name in [
      "Dateline Standard Time", "Line Islands Standard Time", "Aus Central W. Standard Time",
      "Russia Time Zone 10", "Alberta Standard Time", "Mexico Standard Time 2",
    ] {
      let zone = WindowsZoneNames.zone(named: name)
      #expect(zone.flatMap { database.canonicalName(of: $0) } != nil, "\(name)")
    }
  }

  @Test("Gives the rules of zones by name and by offset")
  func rules() throws {
    let noon = Instant(secondsSinceEpoch: 1_768_478_400)  // 2026-01-15T12:00:00Z
    for (tzID, offset) in [
      ("Europe/Berlin", 3600), ("W. Europe Standard Time", 3600), ("UTC", 0), ("UTC+2", 7200),
      ("GMT-0530", -19_800), ("UTC +05:30", 19_800),
    ] {
      let rules = try Self.resolver.rules(of: Self.resolver.resolve(tzID))
      #expect(rules.offset(at: noon).seconds == Int32(offset), "\(tzID)")
    }
  }

  @Test("Refuses rules that it does not have, and says why")
  func refusals() throws {
    let definition = try component(["BEGIN:VTIMEZONE", "TZID:Custom", "END:VTIMEZONE"])
    let embedded = Self.resolver.resolve("Custom", definitions: [definition])
    #expect(embedded.meaning == .embedded(definition))
    let first = #expect(throws: ZoneResolutionError.self) {
      try Self.resolver.rules(of: embedded)
    }
    #expect(first?.code == .badDefinition)
    let second = #expect(throws: ZoneResolutionError.self) {
      try Self.resolver.rules(of: Self.resolver.resolve("Nowhere"))
    }
    #expect(
      second?.description
        == "time zone 'Nowhere': the time zone is unknown, and the calendar does not define it")
  }

  @Test(
    "Says why a name means nothing",
    arguments: [
      ("", ZoneRefusal.empty), ("CST", .abbreviation), ("(UTC-03", .offsetAlone),
      ("(UTC+01:00) Somewhere", .offsetAlone), ("GMT-05.00/-04.00", .twoOffsets),
      ("GMT +0100 (Standard) / GMT +0200 (Daylight)", .twoOffsets),
      ("America/New_Yrok", .place), ("/Europe/CUSTOM", .place), ("Mars/Olympus_Mons", .unknown),
      ("foo", .unknown), ("South", .unknown), ("UTC+99", .offsetAlone),
      ("(UTC-02:00) Mid-Pacific - Gone", .offsetAlone),
      ("(UTC+03:00) Here (UTC+04:00) There", .twoOffsets),
    ])
  func reasons(tzID: String, refusal: ZoneRefusal) {
    let zone = Self.resolver.resolve(tzID)
    #expect(zone.source == .unknown)
    #expect(zone.refusal == refusal)
  }

  @Test("Knows the name that the database prefers, and keeps that of the file")
  func canonicalNames() {
    for (tzID, name, canonical) in [
      ("Asia/Calcutta", "Asia/Calcutta", "Asia/Kolkata"),
      ("US-Eastern", "US/Eastern", "America/New_York"),
      ("/x/y/Europe/Kiev", "Europe/Kiev", "Europe/Kyiv"), ("UTC", "UTC", "UTC"),
    ] {
      let zone = Self.resolver.resolve(tzID)
      #expect(zone.name == name)
      #expect(zone.canonicalName == canonical)
      #expect(zone.refusal == nil)
    }
    #expect(Self.resolver.resolve("UTC+2").canonicalName == nil)
  }

  @Test(
    "Believes what a definition says that it defines",
    arguments: [
      (["X-LIC-LOCATION:Europe/Berlin"], "Europe/Berlin"),
      (["X-LIC-LOCATION:/x/Europe/Berlin"], "Europe/Berlin"),
      (["TZID-ALIAS-OF:America/New_York"], "America/New_York"),
      (["X-MICROSOFT-CDO-TZID:4"], "Europe/Berlin"), (["X-MICROSOFT-CDO-TZID:0"], "UTC"),
      (["TZURL:http://tzurl.org/zoneinfo-outlook/Asia/Tokyo.ics"], "Asia/Tokyo"),
      (["TZURL:http://tzurl.org/zoneinfo/Asia/Tokyo"], "Asia/Tokyo"),
    ])
  func locations(properties: [String], name: String) throws {
    let definition = try component(
      ["BEGIN:VTIMEZONE", "TZID:Ours"] + properties + ["END:VTIMEZONE"])
    let zone = Self.resolver.resolve("Ours", definitions: [definition])
    #expect(zone.source == .location)
    #expect(zone.name == name)
  }

  @Test(
    "Believes nothing that means nothing, or several zones",
    arguments: [
      "X-LIC-LOCATION:Mars/Base", "X-MICROSOFT-CDO-TZID:2", "X-MICROSOFT-CDO-TZID:99",
      "X-MICROSOFT-CDO-TZID:-1", "TZURL:https://example.org/ours.ics",
    ])
  func noLocation(property: String) throws {
    let definition = try component(["BEGIN:VTIMEZONE", "TZID:Ours", property, "END:VTIMEZONE"])
    #expect(Self.resolver.resolve("Ours", definitions: [definition]).source == .definition)
  }

  @Test("A definition wins over the database only if that is asked for")
  func preference() throws {
    let definition = try component([
      "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300", "END:STANDARD", "END:VTIMEZONE",
    ])
    let noon = Instant(secondsSinceEpoch: 1_768_478_400)
    var resolver = Self.resolver
    let named = resolver.resolve("Europe/Berlin", definitions: [definition])
    #expect(try resolver.rules(of: named).offset(at: noon).description == "+0100")
    resolver.prefersDefinitions = true
    let defined = resolver.resolve("Europe/Berlin", definitions: [definition])
    #expect(try resolver.rules(of: defined).offset(at: noon).description == "+0300")
    #expect(resolver.resolve("Asia/Tokyo", definitions: [definition]).source == .name)
  }

  @Test("Says what was made of a TZID where it stands")
  func diagnostics() throws {
    let event = try event(["DTSTART;TZID=W. Europe Standard Time:20260101T090000"])
    let property = try #require(event[.dtStart])
    func said(_ tzID: String) -> String? {
      Self.resolver.resolve(tzID).diagnostic(at: property).map {
        "\($0.position) \($0.severity) \($0.message)"
      }
    }
    #expect(said("Europe/Berlin") == nil)
    #expect(
      said("W. Europe Standard Time")
        == "5:1 note expected a name of the time zone database, found 'W. Europe Standard Time', "
        + "which is taken for Europe/Berlin")
    #expect(
      said("Nowhere")
        == "5:1 warning expected a known time zone, found 'Nowhere', "
        + "which nothing is known of; the time is kept as floating")
  }
}
