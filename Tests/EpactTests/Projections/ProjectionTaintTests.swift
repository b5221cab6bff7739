// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import ICalSyntax
import TestSupport
import Testing

@testable import Epact

/// Random calendars whose hidden texts have a mark.
@Suite("Hidden texts of projections")
struct ProjectionTaintTests {
  private static let mark = "SECRET"

  /// A calendar of visible times, with hidden texts of a length.
  private struct Draft {
    var random: SeededGenerator
    /// The hidden text.
    let secret: String

    private mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func pick(_ texts: [String]) -> String {
      texts.randomElement(using: &random) ?? ""
    }

    private mutating func digits(_ range: ClosedRange<Int>) -> String {
      let number = Int.random(in: range, using: &random)
      return number < 10 ? "0\(number)" : "\(number)"
    }

    /// A time with a zone; the second is that of the zone's definition, whose name is hidden.
    private mutating func time(_ name: String, _ zone: String, hour: String) -> String {
      let wall = "202612\(digits(1...28))T\(hour)0000"
      switch zone {
      case "utc": return "\(name);X-P=\(secret):\(wall)Z"
      case "float": return "\(name);X-P=\(secret):\(wall)"
      case "date": return "\(name);VALUE=DATE;X-P=\(secret):\(wall.prefix(8))"
      case "own": return "\(name);TZID=\"Zone \(secret)\":\(wall)"
      case "unknown": return "\(name);TZID=\"\(secret) Nowhere\":\(wall)"
      default: return "\(name);TZID=Europe/Berlin:\(wall)"
      }
    }

    private mutating func hiddenLines() -> [String] {
      let all = [
        "SUMMARY;ALTREP=\"cid:\(secret)\";LANGUAGE=\(secret):\(secret)", "DESCRIPTION:\(secret)",
        "LOCATION:\(secret)", "X-\(secret):\(secret)", "COMMENT:\(secret)", "CATEGORIES:\(secret)",
        "ORGANIZER;CN=\(secret):mailto:\(secret)@example.com",
        "ATTENDEE;CN=\(secret):mailto:\(secret)@example.com", "URL:https://\(secret).example.com",
        "ATTACH:https://\(secret).example.com", "CONTACT:\(secret)", "RELATED-TO:\(secret)",
        "REQUEST-STATUS:2.0;\(secret)", "RESOURCES:\(secret)", "GEO:\(secret)",
        "LAST-MODIFIED:\(secret)", "CREATED:\(secret)", "SEQUENCE:\(secret)", "PRIORITY:\(secret)",
        "EXDATE:\(secret)", "RDATE;VALUE=PERIOD:\(secret)", "\(secret)", "COLOR:\(secret)",
        "CONFERENCE:\(secret)", "IMAGE:\(secret)", "CLASS:PUBLIC",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nDESCRIPTION:\(secret)\r\nEND:VALARM",
        "BEGIN:PARTICIPANT\r\nUID:\(secret)\r\nPARTICIPANT-TYPE:ACTIVE\r\nEND:PARTICIPANT",
      ]
      return all.filter { _ in chance(30) }.shuffled(using: &random)
    }

    private mutating func rule() -> String {
      let rules = [
        "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;UNTIL=20270301T000000Z;BYDAY=MO,TU",
        "FREQ=MONTHLY;INTERVAL=2", "RSCALE=HEBREW;FREQ=YEARLY;COUNT=3",
      ]
      return "RRULE;X-P=\(secret):" + pick(rules)
    }

    /// The lines of a component; an override gets the identifier.
    private mutating func component(_ zone: String, uid: String, override: String?) -> [String] {
      var lines = ["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP;X-P=\(secret):20261101T120000Z"]
      if let override { lines.append(override) }
      lines.append(time("DTSTART", zone, hour: digits(8...12)))
      if chance(50) { lines.append("DURATION;X-P=\(secret):\(zone == "date" ? "P2D" : "PT45M")") }
      if override == nil, chance(60) {
        lines.append(rule())
        if chance(50) { lines.append(time("EXDATE", zone, hour: "09")) }
        if chance(30) { lines.append(time("RDATE", zone, hour: "15")) }
      }
      if chance(20) { lines.append("TRANSP;X-P=\(secret):" + pick(["TRANSPARENT", "OPAQUE"])) }
      if chance(20) { lines.append("STATUS;X-P=\(secret):" + pick(["CANCELLED", "TENTATIVE"])) }
      lines += hiddenLines()
      if chance(15) { lines.append("CLASS:PRIVATE") }
      return lines + ["END:VEVENT"]
    }

    /// The bytes of a calendar with one item.
    mutating func calendar(_ number: Int) -> [UInt8] {
      let zone = pick(["utc", "float", "date", "own", "berlin", "unknown"])
      var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//\(secret)//EN", "X-\(secret):1"]
      if zone == "own" {
        lines += [
          "BEGIN:VTIMEZONE", "TZID:Zone \(secret)", "COMMENT:\(secret)", "BEGIN:STANDARD",
          "DTSTART:16010101T000000", "TZOFFSETFROM:+0330", "TZOFFSETTO:+0330",
          "TZNAME:\(secret)", "COMMENT:\(secret)", "END:STANDARD", "END:VTIMEZONE",
        ]
      }
      let uid = "\(Self.uidMark)\(number)"
      lines += component(zone, uid: uid, override: nil)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let id = time("RECURRENCE-ID", zone, hour: digits(8...12))
        lines += component(zone, uid: uid, override: id)
      }
      lines.append("END:VCALENDAR")
      return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    static let uidMark = "SECRET-UID-"
  }

  private static func projector(
    _ detail: ProjectionSettings.Detail, _ privateItems: ProjectionSettings.PrivateItems = .busy
  ) throws -> ItemProjector {
    var settings = ProjectionSettings()
    settings.detail = detail
    settings.privateItems = privateItems
    // Where titles are shown, a template hides them; busy time has its own title.
    if detail == .titles { settings.title = try ProjectionTitle("Taken") }
    return try ItemProjector(
      settings, name: "test", key: ProjectionKey(Array(repeating: 7, count: 32)), user: [],
      machine: .live())
  }

  private static let calendar = ProjectedCalendar(name: mark, title: mark)

  /// The file of the projections of some calendars, in the order of their identifiers.
  private static func file(
    of count: Int, seed: UInt64, secret: String, _ projector: ItemProjector
  ) throws -> [UInt8] {
    var draft = Draft(random: SeededGenerator(seed: seed), secret: secret)
    let items = (0..<count).compactMap { number -> CalendarItem? in
      guard let item = try? CalendarItem(parsing: draft.calendar(number)) else { return nil }
      return projector.projection(of: item, in: calendar)
    }
    return CalendarExport.bytes(of: items.sorted { $0.uid < $1.uid })
  }

  @Test("No hidden text is in a projection", arguments: [ProjectionSettings.Detail.busy, .titles])
  func marks(detail: ProjectionSettings.Detail) throws {
    let projector = try Self.projector(detail)
    for seed in 0..<100 as Range<UInt64> {
      let file = try Self.file(of: 10, seed: seed, secret: Self.mark, projector)
      let text = String(decoding: file, as: UTF8.self)
      #expect(!text.contains(Self.mark), "seed \(seed)")
    }
  }

  @Test("Private items hide their texts in every projection")
  func privateMarks() throws {
    let projector = try Self.projector(.all)
    for seed in 0..<50 as Range<UInt64> {
      var draft = Draft(random: SeededGenerator(seed: seed), secret: Self.mark)
      let bytes = draft.calendar(0)
      let text = String(decoding: bytes, as: UTF8.self)
        .replacing(#/CLASS:PUBLIC|CLASS:PRIVATE/#, with: "X-C:1")
        .replacing("END:VEVENT", with: "CLASS:CONFIDENTIAL\r\nEND:VEVENT")
      guard let item = try? CalendarItem(parsing: Array(text.utf8)) else { continue }
      let shown = projector.projection(of: item, in: Self.calendar)
      let result = shown.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? ""
      #expect(!result.contains(Self.mark), "seed \(seed)")
    }
  }

  @Test(
    "Calendars that differ in hidden texts give equal files",
    arguments: [ProjectionSettings.Detail.busy, .titles])
  func sizes(detail: ProjectionSettings.Detail) throws {
    let projector = try Self.projector(detail)
    var shownCount = 0
    for seed in 0..<50 as Range<UInt64> {
      let short = try Self.file(of: 10, seed: seed, secret: "S", projector)
      let long = try Self.file(
        of: 10, seed: seed, secret: String(repeating: "SECRETS", count: 40), projector)
      #expect(short == long, "seed \(seed)")
      if short.count > 500 { shownCount += 1 }
    }
    #expect(shownCount > 40)
  }
}
