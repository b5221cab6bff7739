// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import CivilTime
import Foundation
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// Changes of series with deleted and changed occurrences.
@Suite("Deleted occurrences at vendors", .timeLimit(.minutes(60)))
struct DeletedOccurrenceTests {
  private static let excluded = "EXDATE;TZID=Europe/Berlin:20260316T090000"
  private static let override = [
    "BEGIN:VEVENT", "UID:series@example.org", "DTSTAMP:20260102T030405Z",
    "RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000",
    "DTSTART;TZID=Europe/Berlin:20260309T110000", "DTEND;TZID=Europe/Berlin:20260309T123000",
    "SUMMARY:Moved", "END:VEVENT",
  ]

  private static let returned = "2026-03-16 09:00 Europe/Berlin"

  /// A series of eight Mondays from 2 March 2026.
  private static func series(
    end: String = "100000", rule: String = "BYDAY=MO;COUNT=8", _ more: [String]
  ) throws -> CalendarItem {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT"]
    let lines =
      head + [
        "UID:series@example.org", "DTSTAMP:20260102T030405Z", "SUMMARY:Series",
        "DTSTART;TZID=Europe/Berlin:20260302T090000", "DTEND;TZID=Europe/Berlin:20260302T\(end)",
        "RRULE:FREQ=WEEKLY;\(rule)",
      ] + more + ["END:VCALENDAR"]
    return try CalendarItem(
      parsing: Array(lines.map { $0 + "\r\n" }.joined().utf8), normalForm: VendorScene.form
    ).definingTimeZones(zones: VendorScene.zones.resolver)
  }

  private static func whole() throws -> CalendarItem {
    try series([excluded, "END:VEVENT"] + override)
  }

  private static func read(_ scene: VendorScene) async throws -> (
    href: Href, etag: EntityTag, item: CalendarItem
  ) {
    let calendar = try await scene.remote().openCalendar()
    let hrefs = try await calendar.list().map(\.href)
    guard case .item(let href, let etag?, let item)? = try await calendar.fetch(hrefs).first else {
      throw VendorDouble.Failure(description: "the series is not there")
    }
    return (href, etag, item)
  }

  private static let reschedules: [(VendorDouble.Kind, String)] = [
    (.google, "{}"), (.google, #"{"exceptions-on-reschedule": "drop"}"#), (.graph, "{}"),
    (.graph, #"{"keeps-exceptions": true}"#),
  ]

  @Test("A longer series keeps its changed and deleted occurrences", arguments: reschedules)
  func longer(_ kind: VendorDouble.Kind, _ quirks: String) async throws {
    let scene = try await VendorScene(kind)
    try await scene.double.control("POST", scene.account, "quirks", quirks)
    let calendar = try await scene.remote().openCalendar()
    _ = try await calendar.create(try Self.whole())
    let now = try await Self.read(scene)
    let longer = try Self.series(end: "103000", [Self.excluded, "END:VEVENT"] + Self.override)
    let outcome = try await calendar.update(now.href, to: longer, ifMatch: now.etag)
    let after = try await Self.read(scene)
    #expect(outcome == .written(href: now.href, etag: after.etag))
    #expect(after.item.normalized(by: VendorScene.form).fingerprint == longer.fingerprint)
    try await scene.expectNoViolations()
  }

  @Test("Microsoft is not asked for the return of a deleted occurrence")
  func noReturn() async throws {
    let scene = try await VendorScene(.graph)
    let calendar = try await scene.remote().openCalendar()
    _ = try await calendar.create(try Self.whole())
    let now = try await Self.read(scene)
    let holding = try #require(calendar.holding)
    let held = HeldItem(href: now.href, etag: now.etag, item: now.item)
    let same = holding.fit(of: now.item, replacing: held)
    #expect(same != .refused(.returning(Self.returned)))
    let without = try Self.series(["END:VEVENT"] + Self.override)
    #expect(
      holding.fit(of: without, replacing: held) == .refused(.returning(Self.returned)))
    // An override at the time of a deleted occurrence is its return, too.
    let text = Self.override.map { $0.replacing("20260309", with: "20260316") }
    let back = try Self.series(["END:VEVENT"] + text)
    #expect(holding.fit(of: back, replacing: held) == .refused(.returning(Self.returned)))
    // A series that is made anew has all of its occurrences.
    let anew = try Self.series(end: "110000", ["END:VEVENT"])
    #expect(holding.fit(of: anew, replacing: held) == .whole)
    _ = try await calendar.update(now.href, to: anew, ifMatch: now.etag)
    let after = try await Self.read(scene)
    #expect(after.item.main?[.exDate] == nil && after.item.overrides.isEmpty)
    // Another item that is added has no deleted occurrence.
    #expect(holding.fit(of: without) == .whole)
  }

  @Test("A dry run shows that an occurrence cannot return")
  func dryRun() async throws {
    let scene = try await VendorScene(.graph)
    let local = MemoryLocalCalendar(faults: FaultPlan(), isHandledAsWhole: false)
    let ledger = MemoryLedger(faults: FaultPlan())
    local.write(try Self.whole())
    _ = try await plans(scene, local, ledger, isDryRun: false)
    _ = try await plans(scene, local, ledger, isDryRun: false)
    local.write(try Self.series(["END:VEVENT"] + Self.override))
    try await scene.double.control("DELETE", scene.account, "log")
    let obstacles = try await plans(scene, local, ledger, isDryRun: true)
      .flatMap(\.operations).compactMap(\.obstacle)
    #expect(obstacles == [.notHeld(.returning(Self.returned))])
    #expect(try await scene.double.requests(scene.account).allSatisfy { $0.hasPrefix("GET ") })
  }

  @Test("A dry run shows that a change or a deletion would send mail")
  func mail() async throws {
    let scene = try await VendorScene(.graph)
    try await scene.double.person(
      scene.account, "POST", "/v1.0/me/events",
      """
      {"subject": "Meeting", "start": {"dateTime": "2026-03-02T09:00:00", "timeZone": "UTC"}, \
      "end": {"dateTime": "2026-03-02T10:00:00", "timeZone": "UTC"}, "attendees": \
      [{"emailAddress": {"address": "bea@example.com", "name": "Bea"}, "type": "required"}]}
      """)
    let local = MemoryLocalCalendar(faults: FaultPlan(), isHandledAsWhole: false)
    let ledger = MemoryLedger(faults: FaultPlan())
    _ = try await plans(scene, local, ledger, isDryRun: false)
    let (uid, item) = try #require(local.items.first)
    let main = try #require(item.main)
    var changed = main
    changed[.summary] = Property(.summary, rawValue: "Other")
    local.write(try CalendarItem(components: [changed], timeZones: item.timeZones))
    var obstacles = try await plans(scene, local, ledger, isDryRun: true)
      .flatMap(\.operations).compactMap(\.obstacle)
    #expect(obstacles == [.notHeld(.mail)])
    local.remove(uid)
    obstacles = try await plans(scene, local, ledger, isDryRun: true)
      .flatMap(\.operations).compactMap(\.obstacle)
    #expect(obstacles == [.notHeld(.mail)])
    _ = try await plans(scene, local, ledger, isDryRun: false)
    let mails = try await scene.double.control("GET", scene.account, "mails")
    // The invitation is the other program's.
    #expect(String(decoding: mails, as: UTF8.self).components(separatedBy: "kind").count == 2)
  }

  @Test("A series without some occurrences is refused under write-only access before it is sent")
  func additions() async throws {
    let scene = try await VendorScene(.graph)
    let appender = try await scene.remote().openAppender()
    let item = try Self.series([Self.excluded, "END:VEVENT"])
    #expect(appender.holding?.fit(of: item) == .refused(.exclusions))
    guard case .refused = try await appender.append(item) else {
      Issue.record("a series is added with an occurrence that it has not")
      return
    }
    #expect(try await scene.double.requests(scene.account).isEmpty)
  }

  private func plans(
    _ scene: VendorScene, _ local: MemoryLocalCalendar, _ ledger: MemoryLedger, isDryRun: Bool
  ) async throws -> [SyncPlan] {
    var options = SyncOptions()
    options.isDryRun = isDryRun
    let plans = Mutex<[SyncPlan]>([])
    let engine = SyncEngine(
      name: "vendor", local: local, remote: try scene.remote(), tier: .full, ledger: ledger,
      options: options, merge: ThreeWayMerge(normalForm: VendorScene.form),
      now: { Instant(secondsSinceEpoch: 0) },
      report: { event in
        if case .planned(let plan) = event { plans.withLock { $0.append(plan) } }
      })
    _ = try await engine.run()
    return plans.withLock(\.self)
  }
}
