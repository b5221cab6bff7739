// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Series whose rules, starts and overrides depend on each other.
@Suite("Merging a series")
struct MergeSeriesTests {
  /// An item of components, each given by the lines that differ.
  private static func item(_ kind: ItemKind = .event, _ components: [String]...) -> CalendarItem {
    let lines = components.flatMap { lines in
      ["BEGIN:\(kind.rawValue)", "UID:a", "DTSTAMP:20260102T030405Z"] + lines
        + ["END:\(kind.rawValue)"]
    }
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN"]
    return TestItem.parse(
      (head + lines + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined())
  }

  /// A reminder of two days, with the times at which it is due on them.
  private static func reminder(_ first: String, _ second: String) -> CalendarItem {
    item(
      .reminder, ["DUE:20260301T\(first)Z"],
      ["RECURRENCE-ID:20260302T120000Z", "DUE:20260302T\(second)Z"])
  }

  /// A daily series with an override of one occurrence.
  private static func series(
    _ lines: String..., override: String, _ summary: String
  ) -> CalendarItem {
    item(
      .event, ["DTSTART:20260301T120000Z", "SUMMARY:Series"] + lines,
      ["RECURRENCE-ID:\(override)", "DTSTART:\(override)", "SUMMARY:\(summary)"])
  }

  private func merge(
    _ base: CalendarItem, _ local: CalendarItem, _ remote: CalendarItem
  ) -> MergeResult {
    MergeTrio.merge().merge(base: base, local: local, remote: remote)
  }

  @Test("A waiting time of the main component does not keep the time of an override waiting")
  func withoutStart() {
    let result = merge(
      Self.reminder("120000", "130000"), Self.reminder("140000", "130000"),
      Self.reminder("150000", "170000"))
    #expect(result.conflicts.map(\.component) == ["VTODO"])
    #expect(
      result.item.components.compactMap { $0["DUE"]?.rawValue }
        == ["20260301T140000Z", "20260302T170000Z"])
  }

  /// A weekly series at 17:00 or later, which ends with an occurrence or a day.
  private static func weekly(_ start: String, until: String? = nil) -> CalendarItem {
    item(
      .event,
      [
        "DTSTART:20260302T\(start)Z", "SUMMARY:Judo",
        "RRULE:FREQ=WEEKLY" + (until.map { ";UNTIL=\($0)" } ?? ""),
      ])
  }

  @Test("An hourly series that moves keeps its last occurrence, although a day is its end")
  func untilOfHours() {
    func hours(_ start: String, _ until: String) -> CalendarItem {
      Self.item(
        .event, ["DTSTART:20260302T\(start)", "SUMMARY:Rounds", "RRULE:FREQ=HOURLY\(until)"])
    }
    // One side ends the series with 23:00, the other one moves all of it by half an hour.
    let (base, moved) = (hours("090000", ""), hours("093000", ""))
    let ended = hours("090000", ";UNTIL=20260302T235959")
    for (local, remote) in [(moved, ended), (ended, moved)] {
      let main = merge(base, local, remote).item.main
      #expect(main?[.dtStart]?.rawValue == "20260302T093000")
      #expect(main?[.rRule]?.rawValue == "FREQ=HOURLY;UNTIL=20260303T002959")
    }
  }

  @Test("The end of a series is that of its occurrences, whichever side moved the start")
  func untilAfterMove() {
    func merged(_ base: CalendarItem, _ one: CalendarItem, _ other: CalendarItem) -> [String] {
      [(one, other), (other, one)].map { local, remote in
        let result = merge(base, local, remote)
        // The edit does not reach an item that continues the series.
        guard result.conflicts.allSatisfy({ $0.kind == .end }) else {
          return "\(result.conflicts.map(\.subject))"
        }
        return [PropertyName.dtStart, .rRule].compactMap { result.item.main?[$0] }
          .map(\.rawValue).joined(separator: " ")
      }
    }
    // One side deletes the rest of the series, the other one moves all of it by half an hour.
    let moved = "20260302T173000Z FREQ=WEEKLY;UNTIL=20260316T173000Z"
    #expect(
      merged(
        Self.weekly("170000"), Self.weekly("170000", until: "20260316T170000Z"),
        Self.weekly("173000")) == [moved, moved])
    // The series had an end already, which the edit of all occurrences moved, too.
    #expect(
      merged(
        Self.weekly("170000", until: "20260323T170000Z"),
        Self.weekly("170000", until: "20260316T170000Z"),
        Self.weekly("173000", until: "20260323T173000Z")) == [moved, moved])
    // Another program moved the start alone.
    let left = "20260302T163000Z FREQ=WEEKLY;UNTIL=20260323T170000Z"
    #expect(
      merged(
        Self.weekly("170000", until: "20260323T170000Z"),
        Self.weekly("170000", until: "20260323T170000Z"),
        Self.weekly("163000", until: "20260323T170000Z")) == [left, left])
    // The end of a day, and a date, include all of the day.
    for end in ["20260316T235959Z", "20260316"] {
      let day = "20260302T173000Z FREQ=WEEKLY;UNTIL=\(end)"
      #expect(
        merged(
          Self.weekly("170000"), Self.weekly("170000", until: end), Self.weekly("173000"))
          == [day, day], "\(end)")
    }
  }

  @Test("An edited override is reported if its occurrence is in neither the new rule nor the dates")
  func orphans() {
    let late = "20260320T120000Z"
    for (dates, expected) in [
      ([], ["RRULE"]), (["RDATE:\(late)"], []), (["RDATE:20260321T120000Z"], ["RRULE"]),
    ] as [([String], [String])] {
      func version(_ rule: String, _ summary: String) -> CalendarItem {
        Self.item(
          .event, ["DTSTART:20260301T120000Z", "SUMMARY:Series", "RRULE:\(rule)"] + dates,
          ["RECURRENCE-ID:\(late)", "DTSTART:\(late)", "SUMMARY:\(summary)"])
      }
      let result = merge(
        version("FREQ=DAILY;COUNT=30", "base"), version("FREQ=DAILY;COUNT=3", "base"),
        version("FREQ=DAILY;COUNT=30", "edited"))
      #expect(result.conflicts.map(\.subject) == expected, "\(dates)")
      #expect(result.conflicts.allSatisfy { $0.kind == .orphan })
      #expect(result.item.components.last?[.summary]?.text == "edited")
    }
  }

  @Test("If a side removed the rule, an edited override is kept without a report")
  func ruleRemoved() {
    let day = "20260303T120000Z"
    let result = merge(
      Self.series("RRULE:FREQ=DAILY;COUNT=5", override: day, "base"),
      Self.series(override: day, "base"),
      Self.series("RRULE:FREQ=DAILY;COUNT=5", override: day, "edited"))
    #expect(result.conflicts == [])
    #expect(result.item.components.first?[.rRule] == nil)
    #expect(result.item.components.last?[.summary]?.text == "edited")
  }

  @Test("An orphan is reported if the side of the new rule also moved the start")
  func orphanOfMovedSeries() {
    func version(_ time: String, _ count: Int, _ summary: String) -> CalendarItem {
      Self.item(
        .event, ["DTSTART:20260301T\(time)Z", "SUMMARY:S", "RRULE:FREQ=DAILY;COUNT=\(count)"],
        ["RECURRENCE-ID:20260320T\(time)Z", "DTSTART:20260320T\(time)Z", "SUMMARY:\(summary)"])
    }
    let result = merge(
      version("120000", 30, "base"), version("130000", 3, "base"), version("120000", 30, "edited"))
    #expect(result.conflicts.map(\.kind) == [.orphan])
    #expect(result.item.components.last?[.summary]?.text == "edited")
    #expect(result.item.components.last?[.dtStart]?.rawValue == "20260320T130000Z")
  }

  @Test("An edit of a time survives a deletion, also if the series becomes one of whole days")
  func hiddenEdit() {
    func version(_ time: String) -> CalendarItem {
      Self.item(
        .event, ["DTSTART:20260302T090000Z", "SUMMARY:S", "RRULE:FREQ=WEEKLY;COUNT=10"],
        ["RECURRENCE-ID:20260309T090000Z", "DTSTART:20260309T\(time)Z", "SUMMARY:S"])
    }
    let days = Self.item(
      .event, ["DTSTART;VALUE=DATE:20260302", "SUMMARY:S", "RRULE:FREQ=WEEKLY;COUNT=10"])
    let edited = merge(version("110000"), days, version("120000"))
    #expect(edited.conflicts.map(\.outcome) == [.survived(.remote)])
    #expect(
      edited.item.components.compactMap { $0[.recurrenceID]?.contentLine }
        == ["RECURRENCE-ID;VALUE=DATE:20260309"])
    let untouched = merge(version("110000"), days, version("110000"))
    #expect(untouched.item.components.count == 1)
  }

  @Test("The name of an alarm's action is matched regardless of its case")
  func alarmAction() {
    func version(_ summary: String, _ action: String, _ text: String) -> CalendarItem {
      Self.item(
        .event,
        [
          "DTSTART:20260301T120000Z", "SUMMARY:\(summary)", "BEGIN:VALARM", "ACTION:\(action)",
          "TRIGGER:-PT15M", "DESCRIPTION:\(text)", "END:VALARM",
        ])
    }
    let result = merge(
      version("Lunch", "DISPLAY", "base"), version("Lunch", "DISPLAY", "edited"),
      version("Late lunch", "display", "base"))
    #expect(result.conflicts == [])
    #expect(result.item.components.flatMap(\.components).count == 1)
  }

  @Test("An alarm that one side edited and the other side deleted is shown as one side's version")
  func alarmDeleted() {
    func version(_ triggers: String...) -> CalendarItem {
      Self.item(
        .event,
        ["DTSTART:20260301T120000Z", "SUMMARY:Lunch"]
          + triggers.flatMap {
            ["BEGIN:VALARM", "UID:alarm", "ACTION:AUDIO", "TRIGGER:\($0)", "END:VALARM"]
          })
    }
    let (base, edited) = (version("-PT15M"), version("-PT10M"))
    for side in MergeSide.allCases {
      let result =
        side == .local ? merge(base, edited, version()) : merge(base, version(), edited)
      #expect(result.conflicts.map(\.kind) == [.deletion])
      #expect(result.conflicts.map(\.outcome) == [.survived(side)])
      #expect(result.conflicts.allSatisfy { $0.local.isEmpty == (side == .remote) })
      #expect(result.conflicts.allSatisfy { $0.remote.isEmpty == (side == .local) })
    }
  }

  /// A daily reminder at nine with changed occurrences on 3 and 4 March.
  private static func water(_ start: String, _ count: Int, _ extra: String...) -> CalendarItem {
    item(
      .reminder,
      ["DTSTART:\(start)T090000Z", "DUE:\(start)T090000Z", "RRULE:FREQ=DAILY;COUNT=\(count)"]
        + extra,
      ["RECURRENCE-ID:20260303T090000Z", "DUE:20260303T100000Z", "SUMMARY:later"],
      ["RECURRENCE-ID:20260304T090000Z", "DUE:20260304T090000Z", "SUMMARY:twice"])
  }

  @Test("A completed occurrence of a reminder moves no changed occurrence of the other side")
  func advanced() {
    let result = merge(
      Self.water("20260301", 5), Self.water("20260302", 4), Self.water("20260301", 5, "PRIORITY:1"))
    #expect(result.conflicts == [])
    let components = result.item.components
    #expect(
      components.compactMap { $0[.recurrenceID]?.rawValue }
        == ["20260303T090000Z", "20260304T090000Z"])
    #expect(components.compactMap { $0[.summary]?.text } == ["later", "twice"])
    #expect(result.item.main?[.dtStart]?.rawValue == "20260302T090000Z")
    #expect(result.item.main?["PRIORITY"]?.rawValue == "1")
  }

  @Test(
    "Of two sides that completed occurrences of a reminder, the further one counts",
    arguments: [
      ["DTSTART:*T090000Z", "DUE:*T090000Z"], ["DUE:*T090000Z"],
      ["DTSTART:*T090000Z", "DUE:*T170000Z"], ["DTSTART:*T090000Z"],
    ])
  func advancedOnBothSides(_ times: [String]) {
    func version(_ day: String, _ count: Int) -> CalendarItem {
      Self.item(
        .reminder,
        times.map { $0.replacing("*", with: day) } + ["RRULE:FREQ=DAILY;COUNT=\(count)"])
    }
    let expected = version("20260303", 8)
    for (local, remote) in [
      (version("20260302", 9), expected), (expected, version("20260302", 9)),
    ] {
      let result = merge(version("20260301", 10), local, remote)
      #expect(result.conflicts == [])
      #expect(MergeTrio.rows(result.item, expected) == [])
    }
  }

  @Test("A time zone with other rules on the two sides is a difference")
  func zones() {
    func version(_ offset: String) -> CalendarItem {
      TestItem.parse(
        ([
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VTIMEZONE",
          "TZID:Ours", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:\(offset)",
          "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VEVENT", "UID:a",
          "DTSTAMP:20260102T030405Z", "DTSTART;TZID=Ours:20260301T120000", "END:VEVENT",
          "END:VCALENDAR",
        ]).map { $0 + "\r\n" }.joined())
    }
    let rows = ItemComparison([version("+0100"), version("+0117")], normalForm: MergeTrio.form).rows
    #expect(rows.contains { $0.component == "VTIMEZONE" && $0.subject == "Ours" })
  }

  @Test(
    "The only alarm is one alarm, whatever its time is",
    arguments: [("-PT5M", "-PT30M", true), ("-PT5M", "-PT15M", false), ("-PT5M", "", true)])
  func onlyAlarm(here: String, there: String, isReported: Bool) {
    func version(_ trigger: String) -> CalendarItem {
      let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:\(trigger)", "END:VALARM"]
      return Self.item(.event, ["DTSTART:20260301T120000Z"] + (trigger.isEmpty ? [] : alarm))
    }
    let result = merge(version("-PT15M"), version(here), version(there))
    #expect(result.conflicts.map(\.subject) == (isReported ? ["VALARM"] : []))
    #expect(
      result.item.main?.components.compactMap { $0["TRIGGER"]?.rawValue } == ["-PT5M"])
  }

  @Test("The only description of a journal entry waits if both sides changed it")
  func journal() {
    func version(_ text: String...) -> CalendarItem {
      Self.item(.journal, ["DTSTART:20260301T120000Z"] + text.map { "DESCRIPTION:\($0)" })
    }
    let result = merge(version("base"), version("here"), version("there"))
    #expect(result.conflicts.map(\.subject) == ["DESCRIPTION"])
    #expect(!result.conflicts.contains { !$0.isWaiting })
    // Several are a list.
    let list = merge(version("a", "b"), version("a", "b", "here"), version("a", "b", "there"))
    #expect(list.conflicts == [])
  }
}
