// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// Messages of organizers: REQUEST and CANCEL (RFC 5546 §3.2.2, §3.2.5, §2.1.4).
@Suite("Messages of organizers") struct OrganizerMessageTests {
  private typealias Scene = SchedulingScene

  private static let now = Instant(secondsSinceEpoch: 1_769_990_400)  // 20260202T000000Z
  private static let ann = CalendarAddress("mailto:a@example.com")
  private static let ben = CalendarAddress("mailto:b@example.com")

  static func editor(at now: Instant = now) -> ItemEditor {
    var editor = ItemEditor(zones: Scene.resolver, now: now) { UID("new") }
    editor.userAddresses = [ann]
    return editor
  }

  private static func time(_ day: Int, _ hour: Int = 9) throws -> EventTime {
    let text = "202603\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour)0000"
    return .zoned(try CivilDateTime(parsing: text), tzID: "Europe/Vienna")
  }

  /// The messages about an edit, as `METHOD` and the lines of their components that matter.
  private static func messages(
    _ before: CalendarItem?, _ after: CalendarItem?
  ) throws -> [SchedulingMessage] {
    try MeetingChange(from: before, to: after, zones: Scene.resolver).messages(at: now)
  }

  private static func values(_ message: SchedulingMessage, _ name: PropertyName) -> [String] {
    message.item.components.flatMap { $0.properties(named: name) }.map(\.rawValue)
  }

  @Test("Who is invited to one occurrence alone learns of no other one")
  func guestOfOneOccurrence() throws {
    let series = try Scene.item(Scene.series)
    let zoe = CalendarAddress("mailto:z@example.com")
    let invited = try #require(
      try Self.editor().edit(series, .occurrence(try Self.time(10))) { (event: inout Event) in
        event.attendees.append(Attendee(zoe))
      }.item)
    let first = try Self.messages(series, invited)
    #expect(first.map { $0.item.components.count } == [1])
    #expect(first.first?.guests.map(\.address).contains(zoe) == true)
    let renamed = try #require(
      try Self.editor().edit(invited, .all) { (event: inout Event) in event.summary = "New" }.item)
    let messages = try Self.messages(invited, renamed)
    #expect(messages.map(\.method) == [.request, .request])
    #expect(messages.map { $0.guests.map(\.address).contains(zoe) } == [false, true])
    #expect(messages.map { $0.item.components.count } == [2, 1])
    let cancels = try Self.messages(renamed, nil)
    #expect(cancels.map(\.method) == [.cancel, .cancel])
    #expect(cancels.map { $0.guests.map(\.address).contains(zoe) } == [false, true])
    #expect(cancels.map { $0.item.components[0].isOverride } == [false, true])
    let withdrawn = try Self.messages(invited, series)
    #expect(withdrawn.first?.method == .cancel)
    #expect(withdrawn.first?.guests.map(\.address) == [zoe])
  }

  @Test("An exclusion of an occurrence that the series did not have needs no CANCEL")
  func exclusionOfLaterOccurrence() throws {
    let short = Scene.series.map { line in
      line.hasPrefix("RRULE") ? "RRULE:FREQ=DAILY;COUNT=2" : line
    }.filter { !$0.hasPrefix("EXDATE") }
    let messages = try Self.messages(try Scene.item(short), try Scene.item(Scene.series))
    #expect(messages.map(\.method) == [.request])
    #expect(messages.first.map { Self.values($0, .exDate) } == ["20260303T090000"])
  }

  @Test("An occurrence that is as its series again is sent with its original values")
  func resetOccurrence() throws {
    let series = try Scene.item(Scene.series)
    let changed = try #require(
      try Self.editor().edit(series, .occurrence(try Self.time(10))) { (event: inout Event) in
        event.summary = "Alone"
      }.item)
    let message = try #require(try Self.messages(changed, series).first)
    #expect(message.method == .request)
    #expect(Self.values(message, .summary) == ["Board meeting", "Board meeting"])
    let tenth = try Self.time(10)
    #expect(message.item.overrides.map { Event($0).recurrenceID?.time } == [tenth])
  }

  @Test("A REQUEST has no alarm, no remark of others, and nothing of this library or a server")
  func request() throws {
    let item = try Scene.item(
      Scene.single.flatMap { line -> [String] in
        if line.contains("CN=Ben") {
          return [
            "ATTENDEE;X-EPACT-REPLY=1/20260101T000000Z;SCHEDULE-STATUS=1.2;"
              + "SCHEDULE-AGENT=CLIENT;PARTSTAT=ACCEPTED;CN=Ben:mailto:b@example.com",
            "COMMENT:I am ill", "REQUEST-STATUS:2.0;Success", "X-EPACT-ANSWERS:0",
            "X-MOZ-LASTACK:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z",
          ]
        }
        return [line]
      })
    let request = try item.request(at: Self.now)
    #expect(request.method == .request)
    #expect(request.object.calendar[.method]?.text == "REQUEST")
    #expect(
      Scene.lines(request.item.main) == [
        "UID:meeting", "DTSTAMP:20260202T000000Z", "SEQUENCE:1",
        "DTSTART;TZID=Europe/Vienna:20260301T090000", "DTEND;TZID=Europe/Vienna:20260301T100000",
        "ORGANIZER:mailto:a@example.com", "ATTENDEE;CN=Ann:mailto:a@example.com",
        "ATTENDEE;PARTSTAT=ACCEPTED;CN=Ben:mailto:b@example.com",
        "ATTENDEE;RSVP=TRUE;CN=Cleo:Mailto:C@example.com", "SUMMARY:Board meeting",
        "LOCATION:Room 1", "X-OWN;Y=z:1\\,2",
      ])
    #expect(request.item.main?.components.isEmpty == true)
    #expect(
      request.guests.map(\.address.rawValue) == ["mailto:b@example.com", "Mailto:C@example.com"])
  }

  @Test("A restored version has a higher SEQUENCE than all that was sent, and is sent as a whole")
  func restored() throws {
    let first = try Scene.item(Scene.single)
    let moved = try #require(
      try Self.editor().edit(first, .all) { (event: inout Event) in
        event.start = event.start.map { _ in (try? Self.time(1, 11)) ?? .date(.first) }
        event.end = (try? Self.time(1, 12)).map { .time($0) }
      }.item)
    #expect(moved.main?[.sequence]?.rawValue == "2")
    func restoring(_ item: CalendarItem, from other: CalendarItem?) throws -> CalendarItem? {
      MeetingChange(from: other, to: item, zones: Scene.resolver).superseding()
    }
    let restored = try #require(try restoring(first, from: moved))
    #expect(restored.main?[.sequence]?.rawValue == "3")
    #expect(restored.main?[.dtStart] == first.main?[.dtStart])
    let messages = try Self.messages(moved, restored)
    #expect(messages.map(\.method) == [.request])
    // The CANCEL of a deletion had the SEQUENCE 2.
    #expect(try restoring(first, from: nil)?.main?[.sequence]?.rawValue == "3")
    #expect(try restoring(first, from: first) == nil)
    var alarm = first
    alarm =
      try Self.editor().edit(first, .all) { (event: inout Event) in event.alarms = [] }.item
      ?? first
    #expect(try restoring(first, from: alarm) == nil)
  }

  @Test("A restored occurrence is sent with its series, which has a higher SEQUENCE")
  func restoredOccurrence() throws {
    let series = try Scene.item(Scene.series)
    let without = try #require(
      try Self.editor().delete(series, .occurrence(try Self.time(4))).item)
    let changed = try #require(
      try Self.editor().edit(series, .occurrence(try Self.time(4))) { (event: inout Event) in
        event.location = "Room 2"
      }.item)
    for other in [without, changed] {
      let restored = try #require(
        MeetingChange(from: other, to: series, zones: Scene.resolver).superseding())
      let sent =
        other.components.compactMap { $0[.sequence].flatMap { Int($0.rawValue) } }.max() ?? 0
      #expect(restored.main?[.sequence]?.rawValue == String(sent + 1))
      let messages = try Self.messages(other, restored)
      #expect(messages.map(\.method) == [.request])
      #expect(messages.first?.item.main != nil)
    }
  }

  @Test("A COUNTER and a REPLY have nothing of this library either")
  func answers() throws {
    let lines = Scene.single.map { line in
      line.contains("CN=Cleo")
        ? "ATTENDEE;X-EPACT-REPLY=1/20260101T000000Z:mailto:c@example.com"
        : line.hasPrefix("ORGANIZER")
          ? "ORGANIZER;SCHEDULE-AGENT=CLIENT:mailto:a@example.com" : line
    }
    let item = try Scene.item(lines)
    let answer = SchedulingAnswer(.tentative, by: Self.ben)
    let counter = try answer.counter(
      to: item, start: try Self.time(2), end: try Self.time(2, 10), at: Self.now)
    let reply = try answer.reply(to: item, at: Self.now)
    for message in [counter, reply] {
      let text = Scene.lines(message.item.main).joined(separator: "\n")
      #expect(!text.contains("X-EPACT") && !text.contains("SCHEDULE-AGENT"), "\(text)")
      #expect(Self.values(message, .dtStamp) == ["20260202T000000Z"])
    }
  }

  @Test("What is no meeting cannot be sent")
  func refused() throws {
    func refusal(_ lines: [String]) -> SchedulingRefusal? {
      do {
        _ = try Scene.item(lines).request(at: Self.now)
        return nil
      } catch {
        return error as? SchedulingRefusal
      }
    }
    #expect(refusal(Scene.single.filter { !$0.hasPrefix("ORGANIZER") }) == .noOrganizer)
    #expect(refusal(Scene.single.filter { !$0.hasPrefix("ATTENDEE") }) == .noAttendee)
    let alone = Scene.single.filter { !$0.contains("CN=Ben") && !$0.contains("CN=Cleo") }
    #expect(refusal(alone) == .noAttendee)
    #expect(
      refusal(Scene.single.map { $0.replacing("VEVENT", with: "VJOURNAL") })
        == .otherMethod(.journal))
  }

  @Test("The cancellation of all has the next SEQUENCE, all attendees, and no rule")
  func cancellation() throws {
    let cancel = try Scene.item(Scene.series).cancellation(at: Self.now, zones: Scene.resolver)
    #expect(cancel.method == .cancel)
    #expect(
      Scene.lines(cancel.item.main) == [
        "UID:meeting", "DTSTAMP:20260202T000000Z", "DTSTART;TZID=Europe/Vienna:20260301T090000",
        "DTEND;TZID=Europe/Vienna:20260301T100000", "ORGANIZER:mailto:a@example.com",
        "SUMMARY:Board meeting", "LOCATION:Room 1", "ATTENDEE;CN=Ann:mailto:a@example.com",
        "ATTENDEE;RSVP=TRUE;CN=Ben:mailto:b@example.com",
        "ATTENDEE;RSVP=TRUE;CN=Cleo:Mailto:C@example.com", "SEQUENCE:2", "STATUS:CANCELLED",
      ])
    let (item, outcomes) = Scene.applying(cancel, to: try Scene.item(Scene.series))
    #expect(outcomes == [.updated(.cancelled)])
    #expect(item?.main?[.status]?.text == "CANCELLED")
  }

  @Test("The deletion of one occurrence is a CANCEL with its RECURRENCE-ID")
  func occurrence() throws {
    let before = try Scene.item(Scene.series)
    let after = try Self.editor().delete(before, .occurrence(try Self.time(10))).item
    let sent = try Self.messages(before, after)
    #expect(sent.map(\.method) == [.cancel])
    #expect(Self.values(sent[0], .recurrenceID) == ["20260310T090000"])
    #expect(Self.values(sent[0], .sequence) == ["2"])
    #expect(Self.values(sent[0], .status) == ["CANCELLED"])
    #expect(sent[0].item.components[0][.rRule] == nil)
    let (item, outcomes) = Scene.applying(sent[0], to: before)
    #expect(outcomes == [.updated(.cancelled)])
    #expect(item?.overrides.map { $0[.recurrenceID]?.rawValue } == ["20260310T090000"])
  }

  @Test("An answer to the revision before the deletion of an occurrence still counts")
  func lateAnswer() throws {
    let before = try Scene.item(Scene.series)
    let editor = Self.editor()
    let after = try #require(
      try editor.delete(before, .occurrence(try Self.time(10))).item)
    #expect(after.main?[.sequence]?.rawValue == "2")
    let reply = try SchedulingAnswer(.accepted, by: Self.ben).reply(to: before, at: Self.now)
    #expect(
      Scene.applying(reply, to: after).outcomes == [.updated(.answered(Self.ben, .accepted))])
    // An answer to other times does not.
    let moved = try #require(
      try editor.edit(after, .all) { (event: inout Event) in
        event.start = try? Self.time(1, 11)
        event.ending = (try? Self.time(1, 12)).map { .time($0) }
      }.item)
    guard case .stale? = Scene.applying(reply, to: moved).outcomes.first else {
      Issue.record("the answer is to other times")
      return
    }
  }

  @Test("New times ask the attendees again, other values and a new end of the series do not")
  func rescheduled() throws {
    let item = try Scene.item(
      Scene.series.map { line in
        line.contains("CN=Ben")
          ? "ATTENDEE;PARTSTAT=ACCEPTED;X-EPACT-REPLY=1/20260101T000000Z:mailto:b@example.com"
          : line.contains("CN=Ann") ? "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@example.com" : line
      })
    func answers(_ change: (inout Event) -> Void) throws -> [String?] {
      let edited = try Self.editor().edit(item, .all, change).item
      let sent = try Self.messages(item, edited)
      #expect(sent.map(\.method) == [.request])
      return (edited?.main?.properties(named: .attendee) ?? []).map { $0[.participationStatus] }
    }
    #expect(
      try answers { $0.start = try? Self.time(1, 11) } == ["ACCEPTED", "NEEDS-ACTION", nil])
    #expect(try answers { $0.summary = "Other" } == ["ACCEPTED", "ACCEPTED", nil])
    let rule = try RecurrenceRule(parsing: "FREQ=DAILY;COUNT=9")
    #expect(
      try answers { $0.recurrence.rules = [rule] }
        == ["ACCEPTED", "ACCEPTED", nil])
  }

  @Test("Attendees hear of what they see: of new values, of one occurrence, and of their removal")
  func changes() throws {
    let item = try Scene.item(Scene.series)
    func sent(
      _ span: EditSpan = .all, _ change: (inout Event) -> Void
    ) throws -> [SchedulingMessage] {
      try Self.messages(item, try Self.editor().edit(item, span, change).item)
    }
    #expect(try sent { $0.alarms = [] }.isEmpty)
    let named = try sent { $0.summary = "Other" }
    #expect(named.map(\.method) == [.request])
    #expect(Self.values(named[0], .sequence) == ["1"])
    let one = try sent(.occurrence(try Self.time(10))) { $0.location = "Room 2" }
    #expect(one.map(\.method) == [.request])
    #expect(one.first?.item.components.count == 1)
    #expect(Self.values(one[0], .recurrenceID) == ["20260310T090000"])
    let less = try sent { $0.attendees.removeAll { $0.address == Self.ben } }
    #expect(less.map(\.method) == [.cancel, .request])
    #expect(less[0].guests.map(\.address) == [Self.ben])
    #expect(Self.values(less[0], .status).isEmpty)
    #expect(less[1].guests.count == 1)
    #expect(try Self.messages(item, nil).map(\.method) == [.cancel])
    #expect(try Self.messages(nil, item).map(\.method) == [.request])
    let none = try sent { $0.attendees = [] }
    #expect(none.map(\.method) == [.cancel])
    #expect(Self.values(none[0], .status) == ["CANCELLED"])
    let ended = try Self.editor().delete(item, .future(from: try Self.time(10))).item
    let end = try Self.messages(item, ended)
    #expect(end.map(\.method) == [.request])
    #expect(Self.values(end[0], .sequence) == ["2"])
  }
}

extension OrganizerMessageTests {
  @Test("Attendees are added to and removed from the changed occurrences, too, which keep answers")
  func attendees() throws {
    let item = try Scene.item(
      Scene.series,
      RequestTests.override(
        10, "DTSTART;TZID=Europe/Vienna:20260310T110000", "ORGANIZER:mailto:a@example.com",
        "ATTENDEE:mailto:a@example.com", "ATTENDEE:mailto:b@example.com",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:c@example.com"))
    let edited = try #require(
      try Self.editor().edit(item, .all) { (event: inout Event) in
        event.attendees.removeAll { $0.address == Self.ben }
        event.attendees.append(Attendee(CalendarAddress("mailto:d@example.com")))
      }.item)
    #expect(
      edited.overrides[0].properties(named: .attendee).map(\.rawValue) == [
        "mailto:a@example.com", "mailto:c@example.com", "mailto:d@example.com",
      ])
    #expect(edited.overrides[0].properties(named: .attendee)[1][.participationStatus] == "DECLINED")
    let sent = try Self.messages(item, edited)
    #expect(sent.map(\.method) == [.cancel, .request])
    #expect(sent[0].guests.map(\.address) == [Self.ben])
  }

  private static func later(_ minutes: Int64) throws -> Instant {
    try #require(now.adding(seconds: 60 * minutes))
  }

  /// A meeting after the removal of an attendee, and after that one is invited again, a minute each.
  private static func withoutBenAndAgain(
    _ meeting: CalendarItem
  ) throws -> (rest: CalendarItem, again: CalendarItem) {
    let rest = try #require(
      try editor(at: try later(1)).edit(meeting, .all) { (event: inout Event) in
        event.attendees.removeAll { $0.address == ben }
      }.item)
    let again = try #require(
      try editor(at: try later(2)).edit(rest, .all) { (event: inout Event) in
        event.attendees.append(Attendee(ben))
      }.item)
    return (rest, again)
  }

  @Test("Who is removed, and invited again, has the series and its moved occurrence")
  func invitedAgain() throws {
    let item = try Scene.item(Scene.series)
    let moved = try #require(
      try Self.editor().edit(item, .occurrence(try Self.time(10))) { (event: inout Event) in
        event.start = try? Self.time(10, 15)
        event.ending = (try? Self.time(10, 16)).map { .time($0) }
      }.item)
    let (rest, again) = try Self.withoutBenAndAgain(moved)
    var sent = try moved.request(at: Self.now)
    var scheduled = ScheduledItem(nil, zones: Scene.resolver)
    scheduled.userAddresses = [Self.ben]
    _ = scheduled.apply(sent)
    sent = try #require(
      try MeetingChange(from: moved, to: rest, zones: Scene.resolver).messages(
        at: try Self.later(1)
      )
      .first)
    #expect(sent.method == .cancel)
    #expect(Self.values(sent, .sequence) == ["1", "2"])
    _ = scheduled.apply(sent)
    #expect(scheduled.item?.main?[.status]?.text == "CANCELLED")
    sent = try again.request(at: try Self.later(2))
    #expect(scheduled.apply(sent).allSatisfy { $0.outcome == .updated(.revised) })
    #expect(scheduled.item?.components.allSatisfy { $0[.status] == nil } == true)
    #expect(
      scheduled.item?.overrides.map { $0[.dtStart]?.rawValue } == ["20260310T150000"])
  }

  @Test("An override has the new version of the series after a withdrawal of a later revision")
  func invitedAgainAfterChange() throws {
    // The series has a higher SEQUENCE than its override.
    let item = try Scene.item(
      Scene.series.map { $0.hasPrefix("SEQUENCE:") ? "SEQUENCE:2" : $0 },
      RequestTests.override(
        10, "DTSTART;TZID=Europe/Vienna:20260310T110000", "SEQUENCE:1", "SUMMARY:Alone",
        "ORGANIZER:mailto:a@example.com", "ATTENDEE:mailto:a@example.com",
        "ATTENDEE:mailto:b@example.com", "ATTENDEE:mailto:c@example.com"))
    let (rest, again) = try Self.withoutBenAndAgain(item)
    var scheduled = ScheduledItem(nil, zones: Scene.resolver)
    _ = scheduled.apply(try item.request(at: Self.now))
    for (before, after, minutes) in [(item, rest, 1), (rest, again, 2)] {
      let change = MeetingChange(from: before, to: after, zones: Scene.resolver)
      for message in try change.messages(at: try Self.later(Int64(minutes)))
      where message.guests.contains(where: { $0.address == Self.ben }) {
        _ = scheduled.apply(message)
      }
    }
    let invited = scheduled.item?.components.map { component in
      component.properties(named: .attendee).contains { CalendarAddress($0.rawValue) == Self.ben }
    }
    #expect(invited == [true, true])
  }

  @Test("An occurrence that was sent before the series lost it does not come back")
  func obsolete() throws {
    let item = try Scene.item(Scene.series)
    let editor = Self.editor(at: Instant(secondsSinceEpoch: 1_769_980_000))
    let moved = try #require(
      try editor.edit(item, .occurrence(try Self.time(10))) { (event: inout Event) in
        event.start = try? Self.time(10, 15)
        event.ending = (try? Self.time(10, 16)).map { .time($0) }
      }.item)
    let occurrence = try MeetingChange(from: item, to: moved, zones: Scene.resolver)
      .messages(at: Instant(secondsSinceEpoch: 1_769_980_000))[0]
    let rest = try #require(try Self.editor().delete(moved, .occurrence(try Self.time(10))).item)
    let request = try rest.request(at: Self.now)
    for order in [[occurrence, request], [request, occurrence]] {
      let after = Scene.applying(order[0], order[1], to: item).item
      #expect(after?.overrides.isEmpty == true)
    }
  }
}

/// The revision of an invitation that its next message is compared with (RFC 5546 §2.1.5).
@Suite("Received revisions") struct ReceivedRevisionTests {
  private typealias Scene = SchedulingScene

  private static let update = [
    "DTSTAMP:20260115T000000Z", "SEQUENCE:1", "DTSTART;TZID=Europe/Vienna:20260301T090000",
    "DTEND;TZID=Europe/Vienna:20260301T100000", "ORGANIZER:mailto:a@example.com",
    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@example.com", "ATTENDEE:mailto:c@example.com",
    "SUMMARY:Renamed",
  ]

  @Test("Own alarms and categories keep the revision of a meeting that may be of another organizer")
  func privateChanges() throws {
    let item = try Scene.item(Scene.single)
    let now = Instant(secondsSinceEpoch: 1_769_990_400)  // 20260202T000000Z
    let editor = ItemEditor(zones: Scene.resolver, now: now) { UID("new") }
    let edited = try #require(
      try editor.edit(item, .all) { (event: inout Event) in
        event.alarms[0].trigger = .relative(-.minutes(60), to: .start)
        event.categories = ["Mine"]
      }.item)
    let main = try #require(edited.main)
    #expect(main[.dtStamp]?.rawValue == "20260101T000000Z" && main[.sequence]?.rawValue == "1")
    #expect(main[.lastModified]?.rawValue == "20260202T000000Z")
    let (updated, outcomes) = Scene.applying(
      try Scene.message("REQUEST", Self.update), to: edited)
    #expect(outcomes == [.updated(.revised)])
    #expect(updated?.title == "Renamed")
    #expect(updated?.main?.components == edited.main?.components)
    #expect(updated?.main?[.categories]?.rawValue == "Mine")
    // The organizer of an item without attendees and the times of a meeting are as before.
    let moved = try editor.edit(item, .all) { (event: inout Event) in
      event.summary = "x"
      event.location = nil
      event.start = .utc(CivilDateTime(.first, .midnight))
    }.item
    #expect(moved?.main?[.sequence]?.rawValue == "2")
  }

  @Test("A minor update keeps the answer that was given here, if the organizer has an older one")
  func ownAnswer() throws {
    let stored = try Scene.item(Scene.single)
    let reply = try SchedulingAnswer(.declined, by: CalendarAddress("mailto:b@example.com"))
      .reply(to: stored, at: Instant(secondsSinceEpoch: 1_769_990_400))
    let update = try Scene.message("REQUEST", Self.update)
    let (item, outcomes) = Scene.applying(reply, update, to: stored)
    #expect(outcomes.last == .updated(.revised))
    let answers = item?.main?.properties(named: .attendee).map { $0[.participationStatus] }
    #expect(answers == ["DECLINED", nil])
  }
}
