// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Synchronization
import Testing

/// Alarms that are acknowledged and snoozed (RFC 9074 §6 and §7).
struct AlarmEditingTests {
  private static let lines = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:class",
    "DTSTAMP:20260101T000000Z", "DTSTART:20260504T180000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Class",
    "BEGIN:VALARM", "ACTION:NONE", "TRIGGER:-PT1H", "END:VALARM",
    "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Take the book", "TRIGGER:-PT30M",
    "X-COLOR:red", "END:VALARM", "END:VEVENT", "END:VCALENDAR", "",
  ]

  private let item: CalendarItem
  private let zones = ZoneResolver(database: ZoneDatabase(folders: []))
  private let viewer = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")

  init() throws {
    item = try CalendarItem(parsing: Array(Self.lines.joined(separator: "\r\n").utf8))
  }

  private func time(_ text: String) throws -> Instant {
    Instant(utc: try CivilDateTime(parsing: text))
  }

  private func alarms(
    of item: CalendarItem, _ from: String, _ to: String
  ) throws -> [AlarmOccurrence] {
    var query = AlarmQuery(in: try time(from)..<time(to), viewer: viewer, zones: zones)
    query.add(item)
    return query.alarms
  }

  private func editor(at now: String) throws -> ItemEditor {
    let count = Mutex(0)
    return ItemEditor(zones: zones, now: try time(now)) {
      UID("new-\(count.withLock { $0 += 1; return $0 })")
    }
  }

  @Test func anAcknowledgedAlarmGoesOffAgainWithTheNextOccurrence() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let edited = try editor(at: "20260504T173100").acknowledge(alarm, in: item)
    #expect(edited.text.contains("ACKNOWLEDGED:20260504T173100Z\r\n"))
    #expect(edited.text.contains("X-COLOR:red\r\n"))
    #expect(!edited.text.contains("UID:new"))
    #expect(!edited.text.contains("SEQUENCE"))
    #expect(edited.text.contains("LAST-MODIFIED:20260504T173100Z\r\n"))
    let rest = try alarms(of: edited, "20260504T000000", "20260512T000000").map(\.instant)
    #expect(try rest == [time("20260511T173000")])
  }

  @Test func aSnoozedAlarmGoesOffAtItsTime() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let snoozed = try editor(at: "20260504T173100")
      .snooze(alarm, in: item, until: time("20260504T174100"))
    let text = snoozed.text
    #expect(text.contains("UID:new-1\r\nACKNOWLEDGED:20260504T173100Z\r\n"))
    #expect(text.contains("RELATED-TO;RELTYPE=SNOOZE:new-1\r\n"))
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20260504T174100Z\r\n"))
    #expect(text.ranges(of: "X-COLOR:red").count == 2)
    let rest = try alarms(of: snoozed, "20260504T000000", "20260512T000000")
    #expect(try rest.map(\.instant) == [time("20260504T174100"), time("20260511T173000")])
    #expect(rest.first?.snoozedAlarm == UID("new-1"))
  }

  @Test func changedAlarmsOfASeriesReachAnOverrideWithoutTheSnoozeAlarm() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let editor = try editor(at: "20260504T173100")
    let snoozed = try editor.snooze(alarm, in: item, until: time("20260504T174100"))
    let second = EventTime.utc(try CivilDateTime(parsing: "20260511T180000"))
    let renamed = try #require(
      try editor.edit(snoozed, .occurrence(second)) { (event: inout Event) in
        event.summary = "Other"
      }.item)
    let edited = try #require(
      try editor.edit(renamed, .all) { (event: inout Event) in
        for place in event.alarms.indices where event.alarms[place].snoozedAlarm == nil {
          event.alarms[place].trigger = .relative(-.minutes(20), to: .start)
        }
      }.item)
    // The snooze alarm belongs to the alarm of the series (RFC 9074 §7).
    let override = Event(try #require(edited.overrides.first))
    #expect(!override.alarms.isEmpty)
    #expect(override.alarms.allSatisfy { $0.snoozedAlarm == nil })
    #expect(edited.text.ranges(of: "RELTYPE=SNOOZE:new-1").count == 1)
  }

  @Test func theLaterPartOfASeriesHasNoSnoozeAlarmOfTheEarlierOne() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let editor = try editor(at: "20260504T173100")
    let snoozed = try editor.snooze(alarm, in: item, until: time("20260504T174100"))
    let second = EventTime.utc(try CivilDateTime(parsing: "20260511T180000"))
    let split = try editor.edit(snoozed, .future(from: second)) { (event: inout Event) in
      event.summary = "Other"
    }
    let parts = [try #require(split.item), try #require(split.successor)]
    #expect(parts.map { $0.text.ranges(of: "RELTYPE=SNOOZE").count } == [1, 0])
    #expect(parts.map { $0.text.ranges(of: "BEGIN:VALARM").count } == [3, 2])
  }

  /// What becomes of the snooze alarm of an occurrence, for each edit.
  @Test func aSnoozeAlarmFollowsItsOccurrence() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let editor = try editor(at: "20260504T173100")
    let snoozed = try editor.snooze(alarm, in: item, until: time("20260504T174100"))
    let first = EventTime.utc(try CivilDateTime(parsing: "20260504T180000"))
    let second = EventTime.utc(try CivilDateTime(parsing: "20260511T180000"))
    let later = EventTime.utc(try CivilDateTime(parsing: "20260504T200000"))
    func times(_ edited: EditedItem) throws -> [Instant] {
      try [edited.item, edited.successor].compactMap(\.self)
        .flatMap { try alarms(of: $0, "20260504T000000", "20260511T000000") }.map(\.instant)
    }
    let (kept, again) = try (time("20260504T174100"), time("20260504T193000"))
    // A deleted occurrence has no alarm; the others do not matter.
    #expect(try times(editor.delete(snoozed, .occurrence(first))) == [])
    #expect(try times(editor.delete(snoozed, .occurrence(second))) == [kept])
    #expect(try times(editor.delete(snoozed, .future(from: second))) == [kept])
    // A moved occurrence has its own alarm again.
    let move = { (event: inout Event) in event.start = later }
    #expect(try times(editor.edit(snoozed, .occurrence(first), move)) == [again])
    #expect(try times(editor.edit(snoozed, .all, move)) == [again])
    #expect(try times(editor.edit(snoozed, .future(from: first), move)) == [again])
    // Other changes leave the snooze alarm; it is beside the alarm of its occurrence.
    let rename = { (event: inout Event) in event.summary = "Other" }
    let renamed = try editor.edit(snoozed, .occurrence(first), rename)
    #expect(try times(renamed) == [kept])
    let override = try #require(renamed.item?.overrides.first)
    #expect(Event(override).alarms.contains { $0.snoozedAlarm != nil })
    #expect(renamed.item?.text.ranges(of: "RELTYPE=SNOOZE").count == 1)
    #expect(try times(editor.edit(snoozed, .all, rename)) == [kept])
    #expect(try times(editor.edit(snoozed, .occurrence(second), rename)) == [kept])
    #expect(try times(editor.edit(snoozed, .future(from: second), rename)) == [kept])
    let back = try #require(renamed.item)
    #expect(try times(editor.delete(back, .occurrence(first))) == [])
    #expect(try times(editor.edit(back, .occurrence(first), move)) == [again])
  }

  @Test func aSnoozeAlarmThatIsSnoozedIsReplaced() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let first = try editor(at: "20260504T173100")
      .snooze(alarm, in: item, until: time("20260504T174100"))
    let second = try #require(try alarms(of: first, "20260504T000000", "20260505T000000").first)
    let again = try editor(at: "20260504T174200")
      .snooze(second, in: first, until: time("20260504T175200"))
    #expect(again.text.ranges(of: "RELTYPE=SNOOZE:new-1").count == 1)
    #expect(
      try alarms(of: again, "20260504T000000", "20260505T000000").map(\.instant)
        == [time("20260504T175200")])
    let third = try #require(try alarms(of: again, "20260504T000000", "20260505T000000").first)
    let done = try editor(at: "20260504T175300").acknowledge(third, in: again)
    #expect(!done.text.contains("SNOOZE"))
    #expect(done.text.ranges(of: "BEGIN:VALARM").count == 2)
    #expect(try alarms(of: done, "20260504T000000", "20260505T000000").isEmpty)
  }

  @Test func anAlarmOfAnotherVersionIsNotFound() throws {
    let alarm = try #require(try alarms(of: item, "20260504T000000", "20260505T000000").first)
    let editor = try editor(at: "20260504T173100")
    let edited = try editor.acknowledge(alarm, in: item)
    #expect(throws: EditError.self) { try editor.acknowledge(alarm, in: edited) }
  }
}

extension CalendarItem {
  fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}
