// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

struct ContactEventTests {
  /// The events of a card with these lines.
  private func events(
    _ lines: String..., key: String = "a.vcf", titles: ContactEventTitles = ContactEventTitles()
  ) throws -> [[String]] {
    var reader = VCardReader()
    let card = ["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"]
    try reader.consume(Array(card.map { $0 + "\r\n" }.joined().utf8).span)
    try reader.finish()
    guard case .card(let card)? = reader.next() else { return [] }
    return try ContactEvent.events(of: card, withoutUID: key).map { event in
      String(decoding: try event.item(titled: titles).serialized(), as: UTF8.self)
        .split(separator: "\r\n").map(String.init)
    }
  }

  @Test func `An event has the name and the date of the contact, and nothing else`() throws {
    let found = try events(
      "UID:1", "FN:Ana; García", "TEL:1", "ADR:;;Street", "NOTE:private", "BDAY:1985-04-12",
      "CLASS:private", "REV:20260101T000000Z")
    #expect(found.count == 1)
    #expect(
      found.first?.dropFirst(4) == [
        "UID:epact-birthday-beea4522dc84e4970ba62c23fb8eb73c38b9fd9a",
        "DTSTAMP:19700101T000000Z", "DTSTART;VALUE=DATE:19850412", "RRULE:FREQ=YEARLY",
        "SUMMARY:Ana\\; García's birthday", "DESCRIPTION:Born 1985", "CATEGORIES:Birthday",
        "CLASS:PRIVATE", "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
      ])
  }

  struct Start: CustomTestStringConvertible {
    let date: String
    let start: String
    var rule = "FREQ=YEARLY"
    var description: String?
    var testDescription: String { date }
  }

  @Test(arguments: [
    Start(date: "1985-04-12", start: "19850412", description: "Born 1985"),
    Start(date: "--0412", start: "19720412"),
    Start(date: "1583-01-01", start: "15830101", description: "Born 1583"),
    Start(date: "1582-12-31", start: "19721231", description: "Born 1582"),
    Start(
      date: "20000229", start: "20000229", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
      description: "Born 2000"),
    Start(date: "--0229", start: "19720229", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
    Start(date: "1985-02-28", start: "19850228", description: "Born 1985"),
  ])
  func `The series begins in the year of birth, or in a leap year`(row: Start) throws {
    let lines = try #require(try events("FN:A", "BDAY:\(row.date)").first)
    #expect(lines.contains("DTSTART;VALUE=DATE:\(row.start)"))
    #expect(lines.contains("RRULE:\(row.rule)"))
    #expect(
      lines.first { $0.hasPrefix("DESCRIPTION:") } == row.description.map { "DESCRIPTION:\($0)" })
  }

  @Test func `An anniversary is an event of its own`() throws {
    let found = try events("FN:A", "BDAY:1985-04-12", "ANNIVERSARY:2010-06-12", "CLASS:X-FAMILY")
    #expect(found.count == 2)
    let lines = try #require(found.last)
    for line in [
      "SUMMARY:A's anniversary", "DESCRIPTION:Since 2010", "CATEGORIES:Anniversary",
      "CLASS:PRIVATE",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(Set(found.map { $0[4] }).count == 2)
  }

  @Test func `The UID depends on that of the card, or else on the key`() throws {
    func uid(_ lines: String..., key: String = "a.vcf") throws -> String? {
      try events(lines[0], lines[1], "BDAY:--0412", key: key).first?[4]
    }
    #expect(try uid("UID:1", "FN:A") == uid("UID:1", "FN:B", key: "b.vcf"))
    #expect(try uid("UID:1", "FN:A") != uid("UID:2", "FN:A"))
    #expect(try uid("TEL:1", "FN:A") == uid("TEL:2", "FN:B"))
    #expect(try uid("TEL:1", "FN:A") != uid("TEL:1", "FN:A", key: "b.vcf"))
    #expect(try uid("UID:a.vcf", "FN:A") != uid("TEL:1", "FN:A"))
  }

  @Test func `Titles have the name and the year`() throws {
    var titles = ContactEventTitles()
    func title(_ template: String, _ date: String) throws -> String? {
      titles.birthday = template
      return try events("FN:{year}", "BDAY:\(date)", titles: titles).first?
        .first { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst("SUMMARY:".count)) }
    }
    let german = "Geburtstag von {name} ({year})"
    #expect(try title(german, "1985-04-12") == "Geburtstag von {year} (1985)")
    #expect(try title(german, "--0412") == "Geburtstag von {year}")
    #expect(try title("* {year} {name}", "1985-04-12") == "* 1985 {year}")
  }
}
