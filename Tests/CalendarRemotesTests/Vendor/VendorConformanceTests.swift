// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite("Vendors with an interface of their own", .timeLimit(.minutes(60)))
struct VendorConformanceTests {
  static let kinds: [VendorDouble.Kind] = [.google, .graph]

  @Test("They keep the promises of every remote", arguments: kinds)
  func conformance(_ kind: VendorDouble.Kind) async throws {
    let scene = try await VendorScene(kind)
    try await RemoteConformance(try scene.remote()).run()
    try await scene.expectNoViolations()
  }

  /// Adds an item, and returns it as a fresh connection reads it.
  private func returned(_ item: CalendarItem, _ scene: VendorScene) async throws -> CalendarItem {
    let outcome = try await scene.remote().openCalendar().create(item)
    guard case .written(let href, _) = outcome else {
      throw VendorDouble.Failure(description: "\(outcome)")
    }
    let fetched = try await scene.remote().openCalendar().fetch([href])
    guard case .item(_, _, let read)? = fetched.first else {
      throw VendorDouble.Failure(description: "\(fetched)")
    }
    return read
  }

  /// The content lines of an item, without those that a remote keeps itself.
  private func lines(_ item: CalendarItem) -> [String] {
    let own = ["DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "PRODID", "VERSION", "CALSCALE"]
    var isZone = false
    let lines = String(decoding: item.serialized(), as: UTF8.self)
      .replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    return lines.filter { line in
      if line == "BEGIN:VTIMEZONE" { isZone = true }
      defer { if line == "END:VTIMEZONE" { isZone = false } }
      return !isZone && !own.contains { line.hasPrefix($0) }
    }.sorted()
  }

  private static let events: [(name: String, lines: [String])] = [
    ("a plain event", ["SUMMARY:Lunch", "DTSTART:20260302T110000Z", "DTEND:20260302T120000Z"]),
    (
      "an event in a zone, with a duration",
      ["SUMMARY:Lunch", "DTSTART;TZID=Europe/Berlin:20260302T110000", "DURATION:PT45M"]
    ),
    ("a day", ["SUMMARY:Day", "DTSTART;VALUE=DATE:20260302"]),
    (
      "days with everything that has no field",
      [
        "SUMMARY;LANGUAGE=de:Urlaub", "DTSTART;VALUE=DATE:20260302", "DTEND;VALUE=DATE:20260309",
        "CATEGORIES:a,b", "COLOR:red", "GEO:1.0;2.0", "PRIORITY:3", "URL:https://example.org/",
        "X-NOTE;X-A=\"b;c\":d\\, e", "STATUS:CANCELLED", "TRANSP:TRANSPARENT", "CLASS:PRIVATE",
      ]
    ),
    (
      "a floating time", ["SUMMARY:Wake", "DTSTART:20260302T070000", "DTEND:20260302T070500"]
    ),
    (
      "a series with exclusions and alarms",
      [
        "SUMMARY:Series", "DTSTART;TZID=Europe/Berlin:20260302T110000",
        "DTEND;TZID=Europe/Berlin:20260302T120000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10",
        "EXDATE;TZID=Europe/Berlin:20260304T110000", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:Go", "TRIGGER:-P1D", "END:VALARM", "BEGIN:VALARM", "ACTION:AUDIO",
        "TRIGGER;RELATED=END:PT5M", "END:VALARM",
      ]
    ),
  ]

  /// An event with these lines.
  private static func text(_ uid: String, _ lines: [String]) -> String {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT"]
    let all =
      head + ["UID:\(uid)", "DTSTAMP:20260102T030405Z"] + lines
      + ["END:VEVENT", "END:VCALENDAR"]
    return all.map { $0 + "\r\n" }.joined()
  }

  @Test("Every line returns", arguments: kinds)
  func everyLine(_ kind: VendorDouble.Kind) async throws {
    let scene = try await VendorScene(kind)
    for (number, event) in Self.events.enumerated() {
      let text = Self.text("\(number)@example.org", event.lines)
      let item = try CalendarItem(parsing: Array(text.utf8), normalForm: VendorScene.form)
      let read = try await returned(item, scene)
      #expect(lines(read) == lines(item), "\(event.name)")
      #expect(
        read.normalized(by: VendorScene.form).fingerprint == item.fingerprint, "\(event.name)")
    }
    try await scene.expectNoViolations()
  }
}
