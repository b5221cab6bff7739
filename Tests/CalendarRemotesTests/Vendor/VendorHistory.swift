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

/// One random history with a vendor's double: edits on both sides, refusals for too many requests,
/// lost answers, expired tokens of access and of the state, items that the vendor cannot hold, and
/// ends of the process.
///
/// A process ends at a request, or at a call of the local calendar or the ledger: before it, or after it did
/// its work. What the run had in memory is lost, and the next run has the ledger as it was.
///
/// People edit different properties on each side, so that nothing conflicts.
struct VendorHistory {
  private static let uids = ["a", "b", "c", "d"]

  private let seed: UInt64
  private let scene: VendorScene
  private let faults: FaultPlan
  private let local: MemoryLocalCalendar
  private let ledger: MemoryLedger
  private var random: SeededGenerator
  private var now: Int64 = 0
  private var steps: [String] = []
  private var edits = 0
  /// What each side has to have of each item in the end; nil for a deleted one.
  private var expected: [String: [String: String]?] = [:]

  init(_ kind: VendorDouble.Kind, seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    faults = FaultPlan()
    local = MemoryLocalCalendar(faults: faults, isHandledAsWhole: false)
    ledger = MemoryLedger(faults: faults)
    scene = try await VendorScene(kind)
    guard kind == .google else { return }
    let rule = ["keep", "drop", "drop-unmatched"].randomElement(using: &random) ?? ""
    let quirks =
      #"{"exceptions-inherit": \#(Bool.random(using: &random)), "exceptions-on-reschedule": "\#(rule)"}"#
    steps.append(quirks)
    try await scene.double.control("POST", scene.account, "quirks", quirks)
  }

  var told: String { "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))" }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      for _ in 0..<Int.random(in: 0...3, using: &random) { try await act() }
      now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      try await runBadly()
    }
    try await finish()
  }

  // MARK: Edits

  private mutating func act() async throws {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    edits += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: editHere(uid)
    case 6..<9: try await editThere(uid)
    default: removeHere(uid)
    }
  }

  private mutating func editHere(_ uid: String) {
    guard let item = local.items[uid] else {
      guard expected[uid] == nil else { return }
      steps.append("create \(uid)")
      expected[uid] = ["SUMMARY": "Made \(edits)"]
      local.write(make(uid, summary: "Made \(edits)"))
      return
    }
    let name = ["SUMMARY", "LOCATION", "X-NOTE", "CATEGORIES"].randomElement(using: &random) ?? ""
    let isTooLarge = name == "X-NOTE" && Int.random(in: 0..<4, using: &random) == 0
    let value = isTooLarge ? String(repeating: "\(edits) ", count: 20_000) : "\(name) \(edits)"
    steps.append("here \(uid) \(name):\(value.prefix(20))")
    expected[uid]??[name] = value
    local.write(VendorHistory.setting(name, to: value, in: item))
  }

  private mutating func removeHere(_ uid: String) {
    guard local.items[uid] != nil, expected[uid]??["DESCRIPTION"] == nil else { return }
    steps.append("delete \(uid)")
    expected[uid] = .some(nil)
    local.remove(uid)
  }

  /// Edits the description in the vendor's own program, which no other edit touches.
  private mutating func editThere(_ uid: String) async throws {
    guard expected[uid]?.map({ $0["DESCRIPTION"] == nil }) == true,
      try await scene.setNotes("Notes \(edits)", of: UID(uid))
    else { return }
    steps.append("there \(uid) DESCRIPTION")
    expected[uid]??["DESCRIPTION"] = "Notes \(edits)"
  }

  private mutating func make(_ uid: String, summary: String) -> CalendarItem {
    let zone = ["Europe/Berlin", "America/New_York"].randomElement(using: &random) ?? "UTC"
    let kind = Int.random(in: 0..<4, using: &random)
    var lines = ["SUMMARY:\(summary)", "X-MADE;X-P=1:\(edits)"]
    switch kind {
    case 0: lines += ["DTSTART;VALUE=DATE:20260302", "DTEND;VALUE=DATE:20260304"]
    case 1: lines += ["DTSTART;TZID=\(zone):20260302T090000", "DURATION:PT1H"]
    default:
      lines += [
        "DTSTART;TZID=\(zone):20260302T090000", "DTEND;TZID=\(zone):20260302T100000",
        "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=8", "EXDATE;TZID=\(zone):20260316T090000",
      ]
    }
    var parts = [lines]
    if kind == 3 {
      parts.append([
        "RECURRENCE-ID;TZID=\(zone):20260309T090000", "DTSTART;TZID=\(zone):20260309T110000",
        "DTEND;TZID=\(zone):20260309T123000", "SUMMARY:Moved", "X-OWN:1",
      ])
    }
    let text = parts.map { part in
      (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260102T030405Z"] + part + ["END:VEVENT"])
        .map { $0 + "\r\n" }.joined()
    }.joined()
    return TestItem.parse(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Test//EN\r\n\(text)END:VCALENDAR\r\n"
    )
    .definingTimeZones(zones: VendorScene.zones.resolver)
  }

  /// An item whose main component has another value of a property.
  private static func setting(_ name: String, to value: String, in item: CalendarItem)
    -> CalendarItem
  {
    let text = String(decoding: item.serialized(), as: UTF8.self).replacing("\r\n ", with: "")
    var lines = text.split(separator: "\r\n").map(String.init)
    let start = lines.firstIndex { $0 == "BEGIN:VEVENT" } ?? 0
    let end = lines[start...].firstIndex { $0 == "END:VEVENT" } ?? start
    if let place = lines[start..<end].firstIndex(where: { $0.prefix { !":;".contains($0) } == name }
    ) {
      lines[place] = "\(name):\(value)"
    } else {
      lines.insert("\(name):\(value)", at: end)
    }
    return TestItem.parse(lines.map { $0 + "\r\n" }.joined())
  }

  // MARK: Runs

  private mutating func runBadly() async throws {
    let faults = [
      #"{"count": 1, "do": {"status": 429, "headers": {"Retry-After": "0"}}}"#,
      // An access token has expired.
      #"{"skip": 1, "count": 1, "do": {"status": 401}}"#,
      #"{"skip": 2, "count": 1, "do": {"lose": true}}"#,
      #"{"skip": 1, "count": 2, "do": {"status": 503}}"#,
      #"{"skip": 4, "count": 1, "do": {"cut": true}}"#,
      #"{"skip": 3, "count": 1, "do": {"drop": true}}"#,
      #"{"method": "PATCH", "skip": 1, "count": 1, "do": {"status": 500}}"#,
    ]
    var chosen: [String] = []
    if Bool.random(using: &random) { chosen = [faults.randomElement(using: &random) ?? ""] }
    if Int.random(in: 0..<5, using: &random) == 0 {
      steps.append("expire")
      try await scene.double.control("POST", scene.account, "expire")
    }
    try await scene.double.control(
      "POST", scene.account, "faults", "[\(chosen.joined(separator: ","))]")
    steps.append("sync \(chosen)")
    planEnd()
    do {
      try await sync()
    } catch {
      steps.append("failed: \(error)")
    }
    self.faults.restart()
    try await scene.double.control("DELETE", scene.account, "faults")
  }

  /// Plans the end of the process in the next run, which ends earlier in some of them.
  private mutating func planEnd() {
    let fault = [FaultPlan.Fault.crashBefore, .crashAfter].randomElement(using: &random)
    guard let fault, Int.random(in: 0..<3, using: &random) > 0 else { return }
    if Bool.random(using: &random) {
      let number = Int.random(in: 0..<8, using: &random)
      steps.append("\(fault) at request \(number)")
      faults.restart(fault, at: number, of: CrashingTransport.name)
    } else {
      let number = Int.random(in: 0..<40, using: &random)
      steps.append("\(fault) at call \(number)")
      faults.restart([number: fault])
    }
  }

  @discardableResult
  private mutating func sync() async throws -> (summary: RunSummary, refused: Set<String>) {
    var options = SyncOptions()
    options.rollback = .accept
    options.safeguards.allowed = Self.uids.count
    var refused: Set<String> = []
    let plans = Collected()
    let engine = SyncEngine(
      name: "vendor", local: local,
      remote: try scene.remote(wrap: { CrashingTransport($0, faults) }), tier: .full,
      ledger: ledger,
      options: options, merge: ThreeWayMerge(normalForm: VendorScene.form),
      now: { [now] in Instant(secondsSinceEpoch: now) }, report: { plans.add($0) })
    let summary = try await engine.run()
    for case .planned(let plan) in plans.events {
      for operation in plan.operations {
        if case .notHeld? = operation.obstacle { refused.insert(operation.uid.rawValue) }
      }
    }
    return (summary, refused)
  }

  private static func text(_ item: CalendarItem) -> String {
    item.components.map { String(decoding: Serializer().bytes(of: $0), as: UTF8.self) }.joined()
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    var last: (summary: RunSummary, refused: Set<String>) = (RunSummary(), [])
    for _ in 0..<4 {
      now += 8 * 86_400
      last = try await sync()
    }
    let there = try await scene.items()
    for (uid, fields) in expected {
      guard let fields else {
        #expect(local.items[uid] == nil && there[uid] == nil, "\(uid) is deleted; \(told)")
        continue
      }
      let isHeld = (fields["X-NOTE"]?.utf8.count ?? 0) < 20_000
      #expect(last.refused.contains(uid) == !isHeld, "\(uid) is refused; \(told)")
      let here = try #require(local.items[uid], "\(uid) is here; \(told)")
      for (name, value) in fields where isHeld || name != "DESCRIPTION" {
        #expect(here.main?[PropertyName(name)]?.rawValue == value, "\(uid) \(name) here; \(told)")
      }
      guard isHeld else { continue }
      let other = try #require(there[uid], "\(uid) is there; \(told)")
      #expect(
        other.normalized(by: VendorScene.form).fingerprint
          == here.normalized(by: VendorScene.form).fingerprint,
        "\(uid) is the same on both sides; \(told)\n\(Self.text(here))\n\(Self.text(other))")
    }
    #expect(
      there.count == expected.values.count { $0 != nil }
        - last.refused.subtracting(there.keys).count,
      "nothing is there twice; \(told)")
    let before = local.contents
    try await scene.double.control("DELETE", scene.account, "log")
    let summary = try await sync().summary
    #expect(summary.failed == last.refused.count && summary.uploaded == 0, "\(told)")
    #expect(local.contents == before, "a further run changes no file; \(told)")
    let requests = try await scene.double.requests(scene.account)
    // An item that waits to be held is compared anew: an event, and the occurrences of a series.
    #expect(
      requests.count <= 1 + 2 * last.refused.count,
      "nothing changed is one request: \(requests); \(told)")
    try await scene.expectNoViolations()
  }
}

/// The events of a run.
private final class Collected: Sendable {
  private let list = Mutex<[SyncEvent]>([])

  var events: [SyncEvent] { list.withLock(\.self) }

  func add(_ event: SyncEvent) { list.withLock { $0.append(event) } }
}

/// A transport whose process can end at each request.
private struct CrashingTransport: HTTPTransport {
  static let name = "request"

  private let base: any HTTPTransport
  private let faults: FaultPlan

  init(_ base: any HTTPTransport, _ faults: FaultPlan) {
    (self.base, self.faults) = (base, faults)
  }

  var requestsAtOnce: Int { base.requestsAtOnce }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await faults.perform(Self.name) { try await base.send(request) }
  }
}
