// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import TestSupport
import Testing

@Suite("Examples of the documentation")
struct DocumentationExamples {
  @Test("Every example of an article is here, and converts what it says")
  func examples() throws {
    try CatalogueExamples(of: "EpactFoundation", in: #filePath).check()
    // example: EpactFoundation
    let start = Date(Instant(utc: try CivilDateTime(parsing: "20261130T113000")))
    let time = EventTime(DateComponents(year: 2026, month: 11, day: 30))  // a day
    let rules = try ZoneResolver().rules(of: TimeZone(secondsFromGMT: 3600) ?? .gmt)
    var event = Event()
    event.webURL = URL(string: "https://example.org/")
    // end
    #expect(start.timeIntervalSince1970 == 1_796_038_200)
    #expect(time?.isAllDay == true)
    #expect(rules.offset(at: Instant(secondsSinceEpoch: 0)).seconds == 3600)
    #expect(event.url == "https://example.org/")
  }
}

@Suite("Dates and instants")
struct DateBridgeTests {
  struct Case: CustomTestStringConvertible {
    let reference: Double
    let seconds: Int64?
    var isExact = true
    var testDescription: String { "\(reference)" }
  }

  @Test(
    "A fraction is dropped towards the past, and what cannot be expressed is refused",
    arguments: [
      Case(reference: 0, seconds: 978_307_200),
      Case(reference: -978_307_200, seconds: 0),
      Case(reference: -978_307_200.5, seconds: -1, isExact: false),
      Case(reference: -978_307_199.5, seconds: 0, isExact: false),
      // The nearest number before a whole second: in seconds since 1970 it would be that second.
      Case(reference: Double(800_000_000).nextDown, seconds: 1_778_307_199, isExact: false),
      Case(reference: -63_114_076_800, seconds: -62_135_769_600),
      Case(reference: .infinity, seconds: nil, isExact: false),
      Case(reference: .nan, seconds: nil, isExact: false),
      Case(reference: -1e300, seconds: nil, isExact: false),
      Case(reference: 9_223_372_036_854_774_784, seconds: nil, isExact: false),
      Case(reference: -9_223_372_036_854_775_808, seconds: -9_223_372_035_876_468_608),
    ])
  func instants(_ example: Case) {
    let date = Date(timeIntervalSinceReferenceDate: example.reference)
    #expect(Instant(date)?.secondsSinceEpoch == example.seconds)
    #expect(
      Instant(exactly: date)?.secondsSinceEpoch == (example.isExact ? example.seconds : nil))
  }

  @Test("Every instant of the years 1 through 9999 is the same after the way there and back")
  func roundTrip() {
    forAll(1000) { random in
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      let instant = Instant(secondsSinceEpoch: seconds)
      #expect(Instant(exactly: Date(instant)) == instant)
    }
    #expect(Date(Instant(secondsSinceEpoch: 0)) == Date(timeIntervalSince1970: 0))
    #expect(Date(Instant(secondsSinceEpoch: .min)).timeIntervalSince1970 == -0x1p63)
  }
}

@Suite("Date components")
struct DateComponentsBridgeTests {
  private static func wall(_ text: String) throws -> CivilDateTime {
    try CivilDateTime(parsing: text)
  }

  @Test("Dates and times are the same after the way there and back")
  func roundTrip() throws {
    for text in ["00010101T000000", "15821004T120000", "20260302T235960", "99991231T235959"] {
      let time = try Self.wall(text)
      #expect(CivilDateTime(DateComponents(time)) == time)
      #expect(CivilDate(DateComponents(time.date)) == time.date)
      let times: [EventTime] = [
        .date(time.date), .floating(time), .utc(time), .zoned(time, tzID: "Europe/Berlin"),
      ]
      for time in times {
        #expect(try EventTime(#require(DateComponents(time))) == time)
      }
    }
  }

  @Test("A time in a zone is the instant that Foundation computes")
  func meaning() throws {
    let time = EventTime.zoned(try Self.wall("20260701T120000"), tzID: "W. Europe Standard Time")
    let components = try #require(DateComponents(time))
    #expect(components.timeZone?.identifier == "Europe/Berlin")
    let date = try #require(Calendar(identifier: .gregorian).date(from: components))
    #expect(Instant(exactly: date) == Instant(utc: try Self.wall("20260701T100000")))
  }

  @Test("Foundation has no zone for a name that nothing knows")
  func unknownZone() throws {
    let time = try Self.wall("20260302T090000")
    #expect(DateComponents(.zoned(time, tzID: "Nowhere")) == nil)
  }

  @Test("What is no date of the Gregorian calendar, or has a fraction, is refused")
  func refused() {
    func components(_ change: (inout DateComponents) -> Void) -> DateComponents {
      var components = DateComponents(year: 2026, month: 3, day: 2, hour: 9, minute: 30)
      change(&components)
      return components
    }
    #expect(EventTime(components { _ in })?.wallTime.time.second == 0)
    let bad: [DateComponents] = [
      components { $0.day = 32 }, components { $0.month = nil }, components { $0.year = 0 },
      components { $0.year = 10_000 }, components { $0.era = 0 },
      components { $0.isLeapMonth = true }, components { $0.hour = 24 },
      components { $0.minute = nil }, components { $0.second = 61 },
      components { $0.nanosecond = 1 }, components { $0.hour = nil },
      components { $0.calendar = Calendar(identifier: .hebrew) },
    ]
    for components in bad { #expect(EventTime(components) == nil, "\(components)") }
    let day = DateComponents(calendar: Calendar(identifier: .iso8601), year: 2026, month: 3, day: 2)
    #expect(EventTime(day)?.isAllDay == true)
  }
}

@Suite("Time zones")
struct TimeZoneBridgeTests {
  private static let zones = ZoneResolver()

  @Test("A zone is the same after the way there and back")
  func roundTrip() throws {
    for name in ["Europe/Berlin", "America/New_York", "Asia/Kolkata"] {
      let zone = try #require(TimeZone(identifier: name))
      let rules = try Self.zones.rules(of: zone)
      #expect(rules.name == name && TimeZone(rules) == zone)
      let date = Date(timeIntervalSince1970: 1_782_000_000)
      let instant = try #require(Instant(date))
      #expect(Int(rules.offset(at: instant).seconds) == zone.secondsFromGMT(for: date))
    }
  }

  @Test("GMT is UTC, and a constant offset is kept")
  func offsets() throws {
    #expect(Self.zones.resolve(TimeZone.gmt).source == .utc)
    for seconds in [-43_200, -12_600, 19_800, 45_900] {
      let offset = try #require(UTCOffset(seconds: seconds))
      let zone = try #require(TimeZone(offset))
      let rules = try Self.zones.rules(of: zone)
      #expect(rules.offset(at: Instant(secondsSinceEpoch: 0)) == offset, "\(zone.identifier)")
      #expect(TimeZone(Self.zones.resolve(zone))?.secondsFromGMT() == seconds)
    }
    let odd = try #require(UTCOffset(seconds: 68_400))
    #expect(TimeZone(odd) == nil)
  }

  @Test("A zone that only a calendar defines, or nothing, has no counterpart")
  func none() {
    #expect(TimeZone(Self.zones.resolve("Nowhere")) == nil)
  }
}

@Suite("URLs")
struct URLBridgeTests {
  @Test("A URI is held word for word, or not at all")
  func uris() {
    for uri in [
      "https://example.org/a%20b?c=d#e", "mailto:Ana@Example.org", "urn:uuid:1234",
      "CID:part3.msg.970415T083000@example.com", "tel:+1-202-555-0100",
    ] {
      #expect(URL(uri: uri)?.absoluteString == uri)
    }
    for text in ["", "http://example.org/a b", "https://exämple.org/", "http://[::1", "a\u{0}b"] {
      #expect(URL(uri: text) == nil, "\(text)")
    }
  }

  @Test("The values of the model hold URLs and give them back")
  func values() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    #expect(CalendarAddress(url).url == url)
    #expect(Attachment.Content(url) == .uri("https://example.org/a"))
    #expect(Attachment.Content(url).url == url)
    #expect(Attachment.Content.inline(base64: "AA==").url == nil)
    #expect(StyledDescription.Content(url).url == url)
    #expect(StyledDescription.Content.text("a").url == nil)
    #expect(StructuredData.Content(url).url == url)
    #expect(StructuredData.Content.text("a").url == nil)
    #expect(Conference(url, label: "Join").url == url)
    #expect(Link.Target(url).url == url)
    #expect(Link.Target.uid("a").url == nil)
    var event = Event()
    #expect(event.webURL == nil)
    event.webURL = url
    #expect(event.url == "https://example.org/a" && event.webURL == url)
    event.url = "not a URL"
    #expect(event.webURL == nil)
  }
}
