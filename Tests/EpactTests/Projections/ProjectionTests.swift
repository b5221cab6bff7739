// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import Testing

@testable import Epact

@Suite("Projections of items")
struct ProjectionTests {
  private static let work = ProjectedCalendar(name: "work", title: "Work at Acme")

  private static func project(
    _ lines: String, as settings: ProjectionSettings = ProjectionSettings(),
    user: Set<CalendarAddress> = [], name: String = "test"
  ) throws -> CalendarItem? {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Secret//EN\n\(lines)\nEND:VCALENDAR\n"
    let item = try CalendarItem(parsing: Array(text.replacing("\n", with: "\r\n").utf8))
    let projector = try ItemProjector(
      settings, name: name, key: ProjectionKey(Array(repeating: 7, count: 32)), user: user,
      machine: .live())
    return projector.projection(of: item, in: work)
  }

  /// The lines of the components, without the zones.
  private static func lines(_ item: CalendarItem?) throws -> [String] {
    let item = try #require(item)
    return item.components.flatMap { component in
      String(decoding: Serializer().bytes(of: component), as: UTF8.self)
        .split(separator: "\r\n").map(String.init)
    }
  }

  private static func settings(
    _ detail: ProjectionSettings.Detail, title: String? = nil, keep: Set<String> = [],
    private privateItems: ProjectionSettings.PrivateItems = .busy, query: String? = nil
  ) throws -> ProjectionSettings {
    var settings = ProjectionSettings()
    settings.detail = detail
    settings.title = try title.map { try ProjectionTitle($0) }
    settings.kept = keep
    settings.privateItems = privateItems
    settings.query = query
    return settings
  }

  private static let dentist = """
    BEGIN:VEVENT
    UID:secret-uid@example.com
    DTSTAMP:20261101T120000Z
    LAST-MODIFIED:20261101T120000Z
    SEQUENCE:7
    DTSTART;TZID=Europe/Berlin;X-SECRET=yes:20261201T090000
    DTEND;TZID=Europe/Berlin:20261201T093000
    SUMMARY:Secret dentist
    DESCRIPTION:Secret
    LOCATION:Secret street
    STATUS:CONFIRMED
    CATEGORIES:Secret
    ORGANIZER:mailto:boss@example.com
    ATTENDEE:mailto:ana@example.com
    X-SECRET:Secret
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:Secret
    END:VALARM
    END:VEVENT
    """

  @Test("busy has the times and nothing else")
  func busy() throws {
    let lines = try Self.lines(try Self.project(Self.dentist))
    #expect(lines.count == 7)
    #expect(lines[1].hasPrefix("UID:") && lines[1].hasSuffix("@copy.epact"))
    #expect(
      Set(lines).subtracting([lines[1]]) == [
        "BEGIN:VEVENT", "DTSTAMP:19700101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T090000",
        "DTEND;TZID=Europe/Berlin:20261201T093000", "SUMMARY:Busy", "END:VEVENT",
      ])
  }

  @Test("titles adds the title and the status")
  func titles() throws {
    let lines = try Self.lines(try Self.project(Self.dentist, as: Self.settings(.titles)))
    #expect(
      Set(lines).subtracting([lines[1]]) == [
        "BEGIN:VEVENT", "DTSTAMP:19700101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T090000",
        "DTEND;TZID=Europe/Berlin:20261201T093000", "SUMMARY:Secret dentist", "STATUS:CONFIRMED",
        "END:VEVENT",
      ])
  }

  @Test("all copies everything but people and alarms")
  func all() throws {
    let lines = try Self.lines(try Self.project(Self.dentist, as: Self.settings(.all)))
    let expected = Self.dentist.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("ORGANIZER") && !$0.hasPrefix("ATTENDEE") && !$0.hasPrefix("UID") }
    let alarm = try #require(expected.firstIndex(of: "BEGIN:VALARM"))
    #expect(lines.filter { !$0.hasPrefix("UID") } == expected[..<alarm] + ["END:VEVENT"])
    let kept = try Self.lines(
      try Self.project(Self.dentist, as: Self.settings(.all, keep: ["ATTENDEE", "VALARM"])))
    #expect(kept.contains("ATTENDEE:mailto:ana@example.com"))
    #expect(kept.contains("BEGIN:VALARM"))
    #expect(!kept.contains("ORGANIZER:mailto:boss@example.com"))
  }

  @Test(
    "A template replaces the title",
    arguments: [
      ("Busy ({calendar})", ProjectionSettings.Detail.busy, "Busy (Work at Acme)"),
      ("{title}", .busy, "Busy"),
      ("[{calendar}] {title}", .titles, "[Work at Acme] Secret dentist"),
      ("{title}!", .all, "Secret dentist!"),
    ])
  func templates(
    template: String, detail: ProjectionSettings.Detail, expected: String
  ) throws {
    let item = try Self.project(Self.dentist, as: Self.settings(detail, title: template))
    #expect(item?.title == expected)
  }

  @Test("A template with an unknown word is an error", arguments: ["{name}", "{title", "{}"])
  func badTemplates(template: String) {
    #expect(throws: EpactError.self) { try ProjectionTitle(template) }
  }

  @Test("Kept properties are shown in addition")
  func kept() throws {
    let lines = try Self.lines(
      try Self.project(Self.dentist, as: Self.settings(.busy, keep: ["LOCATION"])))
    #expect(lines.contains("LOCATION:Secret street"))
    #expect(lines.contains("SUMMARY:Busy"))
    #expect(!lines.contains("CATEGORIES:Secret"))
  }

  // MARK: Free time

  private static func event(_ lines: String, uid: String = "u") -> String {
    """
    BEGIN:VEVENT
    UID:\(uid)
    DTSTAMP:20261101T120000Z
    \(lines)
    END:VEVENT
    """
  }

  @Test(
    "busy leaves out what makes nobody busy",
    arguments: [
      "DTSTART:20261201T090000Z\nTRANSP:TRANSPARENT", "DTSTART:20261201T090000Z\nSTATUS:CANCELLED",
      "DTSTART:20261201T090000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.com",
      "DTSTART:secret", "SUMMARY:no time",
    ])
  func free(lines: String) throws {
    let user: Set<CalendarAddress> = [CalendarAddress("mailto:ana@example.com")]
    #expect(try Self.project(Self.event(lines), user: user) == nil)
  }

  @Test("What the user declined is in no projection without its attendees")
  func declined() throws {
    let user: Set<CalendarAddress> = [CalendarAddress("mailto:ana@example.com")]
    let times = "DTSTART:20261201T090000Z\nSUMMARY:Party\n"
    let declined = Self.event(times + "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.com")
    for detail in ProjectionSettings.Detail.allCases {
      #expect(try Self.project(declined, as: try Self.settings(detail), user: user) == nil)
    }
    for detail in [ProjectionSettings.Detail.titles, .all] {
      // The answer of another attendee is none of the user.
      #expect(try Self.project(declined, as: try Self.settings(detail)) != nil)
    }
    let kept = try Self.settings(.all, keep: ["ATTENDEE"])
    let lines = try Self.lines(try Self.project(declined, as: kept, user: user))
    #expect(lines.contains { $0.hasPrefix("ATTENDEE;PARTSTAT=DECLINED") })
  }

  @Test(
    "An occurrence that the user declined becomes an exclusion",
    arguments: [
      ProjectionSettings.Detail.busy, .titles, .all,
    ])
  func declinedOccurrence(detail: ProjectionSettings.Detail) throws {
    let user: Set<CalendarAddress> = [CalendarAddress("mailto:ana@example.com")]
    let series = Self.event("DTSTART:20261201T090000Z\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Talk")
    let override = Self.event(
      "RECURRENCE-ID:20261202T090000Z\nDTSTART:20261202T090000Z\nSUMMARY:Talk\n"
        + "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.com")
    let lines = try Self.lines(
      try Self.project(series + "\n" + override, as: try Self.settings(detail), user: user))
    #expect(lines.contains("EXDATE:20261202T090000Z"))
    #expect(lines.count { $0 == "BEGIN:VEVENT" } == 1)
  }

  @Test("busy leaves out reminders and journal entries; titles shows them")
  func otherKinds() throws {
    let todo = """
      BEGIN:VTODO
      UID:t
      DTSTAMP:20261101T120000Z
      DUE:20261201T090000Z
      SUMMARY:Buy
      DESCRIPTION:secret
      STATUS:IN-PROCESS
      PERCENT-COMPLETE:40
      END:VTODO
      """
    #expect(try Self.project(todo) == nil)
    let lines = try Self.lines(try Self.project(todo, as: Self.settings(.titles)))
    #expect(
      Set(lines).subtracting([lines[1]]) == [
        "BEGIN:VTODO", "DTSTAMP:19700101T000000Z", "DUE:20261201T090000Z", "SUMMARY:Buy",
        "STATUS:IN-PROCESS", "PERCENT-COMPLETE:40", "END:VTODO",
      ])
  }

  // MARK: Private items

  @Test("A private item is busy time, unless the settings say otherwise")
  func privateItems() throws {
    let item = Self.event("DTSTART:20261201T090000Z\nSUMMARY:Secret\nCLASS:CONFIDENTIAL")
    #expect(try Self.project(item, as: Self.settings(.titles))?.title == "Busy")
    #expect(
      try Self.project(item, as: Self.settings(.all, title: "{title} x"))?.title == "Busy")
    #expect(
      try Self.project(item, as: Self.settings(.titles, keep: ["CLASS"]))?.main?[.classification]
        == nil)
    #expect(try Self.project(item, as: Self.settings(.titles, private: .hide)) == nil)
    #expect(try Self.project(item, as: Self.settings(.titles, private: .show))?.title == "Secret")
  }

  // MARK: Series

  private static let standup = """
    BEGIN:VEVENT
    UID:s
    DTSTAMP:20261101T120000Z
    DTSTART;TZID=Europe/Berlin:20261201T090000
    DURATION:PT30M
    RRULE:FREQ=DAILY;COUNT=10
    SUMMARY:Secret standup
    END:VEVENT
    BEGIN:VEVENT
    UID:s
    DTSTAMP:20261101T120000Z
    RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000
    DTSTART;TZID=Europe/Berlin:20261202T090000
    DURATION:PT30M
    SUMMARY:Secret other title
    END:VEVENT
    BEGIN:VEVENT
    UID:s
    DTSTAMP:20261101T120000Z
    RECURRENCE-ID:20261203T080000Z
    DTSTART;TZID=Europe/Berlin:20261203T110000
    DURATION:PT30M
    END:VEVENT
    BEGIN:VEVENT
    UID:s
    DTSTAMP:20261101T120000Z
    RECURRENCE-ID;TZID=Europe/Berlin:20261204T090000
    DTSTART;TZID=Europe/Berlin:20261204T090000
    STATUS:CANCELLED
    END:VEVENT
    """

  @Test("An override that differs in hidden text alone is left out, a cancelled one excluded")
  func series() throws {
    let item = try #require(try Self.project(Self.standup))
    #expect(item.overrides.count == 1)
    #expect(item.overrides.first?[.dtStart]?.rawValue == "20261203T110000")
    let main = try #require(item.main)
    #expect(main[.rRule]?.rawValue == "FREQ=DAILY;COUNT=10")
    #expect(main.properties(named: .exDate).map(\.rawValue) == ["20261204T090000"])
    let titles = try #require(try Self.project(Self.standup, as: Self.settings(.titles)))
    #expect(titles.overrides.count == 3)
  }

  @Test("The rest of a series that does not take place is cancelled")
  func cancelledRest() throws {
    let rest = Self.standup.replacing(
      "RECURRENCE-ID;TZID=Europe/Berlin:20261204",
      with: "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261204")
    let item = try #require(try Self.project(rest))
    let last = try #require(item.overrides.last)
    #expect(last[.status]?.rawValue == "CANCELLED")
    #expect(last[.recurrenceID]?[.range] == "THISANDFUTURE")
    #expect(last[.summary] == nil)
  }

  @Test("A series that is free, with one busy occurrence, is that occurrence")
  func busyOccurrence() throws {
    let series = Self.standup.replacing(
      "SUMMARY:Secret standup", with: "SUMMARY:Secret standup\nTRANSP:TRANSPARENT")
    let item = try #require(try Self.project(series))
    #expect(item.main == nil)
    #expect(item.overrides.count == 2)
  }

  @Test("A private occurrence of a shown series is busy")
  func privateOccurrence() throws {
    let series = Self.standup.replacing(
      "SUMMARY:Secret other title", with: "SUMMARY:Secret other title\nCLASS:PRIVATE")
    let item = try #require(try Self.project(series, as: Self.settings(.all)))
    let titles = item.components.map { $0[.summary]?.text }
    #expect(titles == ["Secret standup", "Busy", nil, nil])
    let hidden = try #require(try Self.project(series, as: Self.settings(.all, private: .hide)))
    #expect(hidden.overrides.count == 2)
    #expect(hidden.main?[.exDate]?.rawValue == "20261202T090000")
  }

  // MARK: Identifiers

  @Test("Identifiers differ by projection, and are the same each time")
  func identifiers() throws {
    let item = Self.event("DTSTART:20261201T090000Z", uid: "abc")
    let first = try #require(try Self.project(item)).uid
    #expect(try Self.project(item)?.uid == first)
    #expect(try Self.project(item, name: "other")?.uid != first)
    #expect(
      try Self.project(Self.event("DTSTART:20261201T090000Z", uid: "abd"))?.uid != first)
  }

  @Test("A relation names the projection of the other item")
  func relations() throws {
    let item = Self.event("DTSTART:20261201T090000Z\nRELATED-TO:abc")
    let other = try Self.project(Self.event("DTSTART:20261201T090000Z", uid: "abc"))?.uid
    let shown = try Self.project(item, as: Self.settings(.all))
    #expect(shown?.main?[.relatedTo]?.text == other?.rawValue)
  }

  @Test(
    "The key code is HMAC-SHA-256",
    arguments: [
      // RFC 4231 §4.2 and §4.3.
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
    ])
  func keyCode(key: [UInt8], text: String, expected: String) {
    let code = ProjectionKey(key).code(of: text)
    #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  // MARK: Zones

  private static func zone(named name: String) -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(name)
    X-SECRET:secret
    BEGIN:STANDARD
    DTSTART:16010101T000000
    TZOFFSETFROM:+0330
    TZOFFSETTO:+0330
    TZNAME:SECRET
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:u
    DTSTAMP:20261101T120000Z
    DTSTART;TZID="\(name)":20261201T090000
    DTEND;TZID="\(name)":20261201T100000
    END:VEVENT
    """
  }

  @Test("A zone that only the calendar names has another name")
  func zones() throws {
    let item = try #require(try Self.project(Self.zone(named: "Secret HQ")))
    let bytes = item.serialized()
    #expect(!String(decoding: bytes, as: UTF8.self).lowercased().contains("secret"))
    #expect(try Self.project(Self.zone(named: "Other HQ"))?.serialized() == bytes)
    let name = try #require(item.main?[.dtStart]?[.tzID])
    #expect(name.hasPrefix("Zone-"))
    #expect(item.timeZones.map { $0[.tzID]?.text } == [name])
    #expect(item.timeZones.first?.components.first?[.tzOffsetTo]?.rawValue == "+0330")
  }

  @Test(
    "Other spellings of a known zone are its name",
    arguments: [
      ("W. Europe Standard Time", "Europe/Berlin"), ("/secret.org/Europe/Berlin", "Europe/Berlin"),
      ("UTC", nil), ("Secret Nowhere", nil),
    ])
  func knownZones(tzID: String, expected: String?) throws {
    let item = try Self.project(Self.event("DTSTART;TZID=\(tzID):20261201T090000"))
    let start = try #require(item?.main?[.dtStart])
    #expect(start[.tzID] == expected)
    #expect(start.rawValue == "20261201T090000" + (tzID == "UTC" ? "Z" : ""))
    #expect(item?.timeZones.count == (expected == nil ? 0 : 1))
  }

  // MARK: Queries

  @Test(
    "The query selects items",
    arguments: [
      ("dentist", true), ("calendar:work", true), ("calendar:home", false),
      ("start>=2027-01-01", false), ("category:secret", true),
    ])
  func queries(query: String, isShown: Bool) throws {
    let item = try Self.project(Self.dentist, as: Self.settings(.busy, query: query))
    #expect((item != nil) == isShown)
  }

  private static let openSeries = """
    BEGIN:VEVENT
    UID:u
    DTSTAMP:20261101T120000Z
    DTSTART:20261201T090000Z
    DTEND:20261201T100000Z
    RRULE:FREQ=DAILY;COUNT=5
    SUMMARY:Secretseries
    END:VEVENT
    BEGIN:VEVENT
    UID:u
    DTSTAMP:20261101T120000Z
    RECURRENCE-ID:20261203T090000Z
    DTSTART:20261203T110000Z
    DTEND:20261203T120000Z
    SUMMARY:Lunch
    END:VEVENT
    """

  @Test(
    "A query that one occurrence matches does not show the others",
    arguments: [
      ("not title~Secret", ["SUMMARY:Lunch"], false), ("title~Lunch", ["SUMMARY:Lunch"], false),
      ("title~Secret", ["SUMMARY:Secretseries"], true),
      ("title~Lunch or title~Secret", ["SUMMARY:Secretseries", "SUMMARY:Lunch"], false),
    ])
  func partlySelected(query: String, titles: [String], hasExclusion: Bool) throws {
    for detail in [ProjectionSettings.Detail.titles, .all] {
      let lines = try Self.lines(
        try Self.project(Self.openSeries, as: try Self.settings(detail, query: query)))
      #expect(lines.filter { $0.hasPrefix("SUMMARY") } == titles)
      #expect(lines.contains { $0.hasPrefix("EXDATE") } == hasExclusion)
      #expect(lines.contains { $0.hasPrefix("RRULE") } == (titles.first != "SUMMARY:Lunch"))
    }
  }

  @Test(
    "An occurrence without a classification has that of its series",
    arguments: [ProjectionSettings.PrivateItems.busy, .hide])
  func privateSeries(privateItems: ProjectionSettings.PrivateItems) throws {
    let text = Self.openSeries.replacing(
      "SUMMARY:Secretseries", with: "CLASS:CONFIDENTIAL\nSUMMARY:Secretseries")
    for detail in [ProjectionSettings.Detail.titles, .all] {
      let shown = try Self.project(text, as: try Self.settings(detail, private: privateItems))
      guard privateItems == .busy else {
        #expect(shown == nil)
        continue
      }
      #expect(try Self.lines(shown).contains { $0.contains("Lunch") } == false)
    }
  }

  @Test("A private item keeps nothing that the settings keep of others")
  func keptOfPrivate() throws {
    let text = Self.dentist.replacing("STATUS:CONFIRMED", with: "CLASS:PRIVATE")
    for detail in [ProjectionSettings.Detail.busy, .titles, .all] {
      let settings = try Self.settings(detail, keep: ["LOCATION", "VALARM"])
      let lines = try Self.lines(try Self.project(text, as: settings))
      #expect(!lines.contains { $0.contains("Secret") || $0.contains("VALARM") })
    }
    let shown = try Self.settings(.busy, keep: ["LOCATION"], private: .show)
    #expect(try Self.lines(try Self.project(text, as: shown)).contains("LOCATION:Secret street"))
  }
}
