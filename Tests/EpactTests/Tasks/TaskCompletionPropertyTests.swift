// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// Completions of random series with random overrides.
@Suite struct TaskCompletionPropertyTests {
  /// What a user sees of an occurrence.
  private struct Seen: Hashable, CustomStringConvertible {
    let start: Instant
    let end: Instant
    let title: String
    let notes: String
    var state: String
    var description: String { "\(start)–\(end) \(title) \(notes) \(state)" }
  }

  private static let zones = ZoneResolver()
  private static let viewer = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")
  /// 2026-01-01 through 2026-12-31.
  private static let year =
    Instant(secondsSinceEpoch: 1_767_225_600)..<Instant(secondsSinceEpoch: 1_798_761_600)

  @Test("A completion changes the state of the open occurrence that is due first, and nothing else")
  func oneStateChanges() {
    forAll(60) { random in
      var series = try Self.series(&random)
      let text = String(decoding: series.serialized(), as: UTF8.self)
      var done: [CalendarItem] = []
      for number in 1...8 {
        let before = Self.seen([series] + done)
        let status: ReminderStatus = Bool.random(using: &random) ? .completed : .cancelled
        guard let first = before.filter({ $0.state == "open" }).map(\.end).min() else { break }
        let tasks = Self.tasks(number)
        let result = try #require(try tasks.setting(status, of: series), "\(text)")
        series = result.item
        if let detached = result.detached { done.append(detached) }
        let after = Self.seen([series] + done)
        let lost = before.filter { !after.contains($0) }
        let new = after.filter { !before.contains($0) }
        let expected = lost.map { seen in
          var changed = seen
          changed.state = status.rawValue
          return changed
        }
        #expect(before.count == after.count, "completion \(number) of\n\(text)")
        #expect(lost.count == 1, "completion \(number) lost \(lost), made \(new) of\n\(text)")
        #expect(lost.first?.end == first, "completion \(number) of\n\(text)")
        #expect(new == expected, "completion \(number) of\n\(text)")
        guard lost.count == 1, new == expected else { throw Failure() }
      }
    }
  }

  @Test("Two machines that complete the same occurrence make the same item, with other times")
  func sameOccurrence() {
    forAll(40) { random in
      let series = try Self.series(&random)
      let text = String(decoding: series.serialized(), as: UTF8.self)
      let (here, there) = (
        try Self.tasks(1).setting(.completed, of: series),
        try Self.tasks(2).setting(.completed, of: series)
      )
      #expect(here?.detached?.uid == there?.detached?.uid, "\(text)")
      guard let first = here?.detached, let rest = here?.item else { return }
      let next = try Self.tasks(3).setting(.completed, of: rest)?.detached
      #expect(next?.uid != first.uid, "\(text)")
      var tasks = Self.tasks(4)
      tasks.isTaken = { $0 == first.uid }
      #expect(try tasks.setting(.completed, of: series)?.detached?.uid == UID("new-4"), "\(text)")
    }
  }

  private struct Failure: Error {}

  private static func tasks(_ number: Int) -> TaskCompletion {
    let now = Instant(secondsSinceEpoch: 1_795_518_000 + Int64(number))
    return TaskCompletion(
      ItemEditor(zones: zones, now: now) { UID("new-\(number)") }, viewer: viewer,
      recurrence: RecurrenceOptions())
  }

  private static func seen(_ items: [CalendarItem]) -> [Seen] {
    var options = OccurrenceOptions()
    options.includesCancelled = true
    var query = OccurrenceQuery(in: year, viewer: viewer, zones: zones, options: options)
    for item in items { query.add(item) }
    return query.occurrences().map { occurrence in
      let reminder = Reminder(occurrence.component)
      let closed = reminder.status.flatMap { $0 == .completed || $0 == .cancelled ? $0 : nil }
      return Seen(
        start: occurrence.start.instant, end: occurrence.end.instant,
        title: reminder.summary ?? "", notes: reminder.descriptionText ?? "",
        state: closed?.rawValue ?? "open")
    }.sorted { ($0.start, $0.description) < ($1.start, $1.description) }
  }

  // MARK: Random series

  private static let rules = [
    "FREQ=DAILY;COUNT=6", "FREQ=DAILY;COUNT=3", "FREQ=DAILY;UNTIL=20260620T235959Z", "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=7", "FREQ=DAILY;INTERVAL=2;COUNT=5", "FREQ=WEEKLY;COUNT=4",
  ]

  private static func series(_ random: inout TestSupport.SeededGenerator) throws -> CalendarItem {
    let forms = [":", ";TZID=Europe/Berlin:", "Z"]
    let form = forms.randomElement(using: &random) ?? ":"
    let start = try CivilDateTime(parsing: "20260601T090000")
    func property(_ name: String, _ time: CivilDateTime?) -> String {
      let text = time?.description ?? ""
      return form == "Z" ? "\(name):\(text)Z" : name + form + text
    }
    var rule = rules.randomElement(using: &random) ?? ""
    if form == ":" { rule = rule.replacing("235959Z", with: "235959") }
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//X//EN", "BEGIN:VTODO", "UID:s"]
    lines += [
      "DTSTAMP:20260101T000000Z", "SUMMARY:main", property("DTSTART", start),
      property("DUE", start.adding(seconds: 3600)), "RRULE:\(rule)",
    ]
    for day in 0..<8 where Int.random(in: 0..<7, using: &random) == 0 {
      lines.append(property("EXDATE", start.adding(days: day)))
    }
    lines.append("END:VTODO")
    for day in 0..<12 where Int.random(in: 0..<3, using: &random) == 0 {
      let original = start.adding(days: day)
      let hours = Int64.random(in: -120...120, using: &random)
      let moved = original?.adding(seconds: hours * 3600 + Int64(day) * 60)
      lines += [
        "BEGIN:VTODO", "UID:s", "DTSTAMP:20260101T000000Z", "SUMMARY:override \(day)",
        "DESCRIPTION:notes \(day)", property("RECURRENCE-ID", original),
        property("DTSTART", moved), property("DUE", moved?.adding(seconds: 1800)),
      ]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: lines.append("STATUS:COMPLETED")
      case 1: lines.append("STATUS:CANCELLED")
      case 2: lines.append("STATUS:IN-PROCESS")
      default: break
      }
      lines.append("END:VTODO")
    }
    let text = (lines + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    return try CalendarItem(parsing: Array(text.utf8))
  }
}
