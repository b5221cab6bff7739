// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Values of a series that its changed occurrences had, too, and those that are their own.
@Suite struct SeriesValueTests {
  private typealias Lines = ItemEditorTests

  private static let alarm = [
    "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:A", "TRIGGER:-PT10M", "END:VALARM",
  ]
  private static let values = [
    "SUMMARY:A", "LOCATION:Hall", "DESCRIPTION:D", "CATEGORIES:x,y", "PRIORITY:3",
    "URL:https://example.org/a", "STATUS:TENTATIVE",
  ]
  private static let main =
    [
      "BEGIN:VEVENT", "UID:1", "DTSTART\(Lines.zone)20260301T090000",
      "DTEND\(Lines.zone)20260301T100000", "RRULE:FREQ=DAILY;COUNT=9",
    ] + values + alarm + ["END:VEVENT"]

  /// The override of the sixth of March, with the values of the series except for some.
  private static func override(
    _ own: [String] = [], start: String = "20260306T090000", alarms: [String] = alarm
  ) -> [String] {
    let names = own.map { $0.prefix { $0 != ":" } }
    let rest = values.filter { value in !names.contains { value.hasPrefix($0 + ":") } }
    return [
      "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(Lines.zone)20260306T090000",
      "DTSTART\(Lines.zone)\(start)",
      "DTEND\(Lines.zone)\(start.replacing("T09", with: "T10"))",
    ] + rest + own + alarms + ["END:VEVENT"]
  }

  private static let sixth = Lines.at("20260306T090000")

  private static func change(_ event: inout Event) {
    event.summary = "B"
    event.location = "Room"
    event.descriptionText = nil
    event.categories = Categories(["z"])
    event.priority = 5
    event.url = "https://example.org/b"
    event.status = .confirmed
    event.alarms = []
  }

  /// The values of the override after an edit, and the occurrences that keep own values.
  private static func edited(
    _ override: [String], _ span: EditSpan = .all, _ change: (inout Event) -> Void
  ) throws -> (Event, EditedItem) {
    let edited = try Lines.editor.edit(try Lines.item(main, override), span, change)
    let item = edited.successor ?? edited.item
    return (Event(try #require(item?.overrides.first)), edited)
  }

  @Test("What an occurrence has in common with its series follows the series")
  func common() throws {
    for span in [EditSpan.all, .future(from: Lines.at("20260303T090000"))] {
      let (event, edited) = try Self.edited(Self.override(["LOCATION:Club"]), span, Self.change)
      #expect(event.summary == "B")
      #expect(event.location == "Club")
      #expect(event.descriptionText == nil)
      #expect(event.categories == Categories(["z"]))
      #expect(event.priority == 5)
      #expect(event.url == "https://example.org/b")
      #expect(event.status == .confirmed)
      #expect(event.alarms.isEmpty)
      #expect(edited.effects.starts(of: .kept) == [Self.sixth])
    }
  }

  @Test("The occurrence that a later part starts with takes the edit, and is not named")
  func firstOfLaterPart() throws {
    // The seventh has a title of its own, and precedes the sixth in the file.
    let seventh = Self.override(["SUMMARY:C"]).map { $0.replacing("20260306", with: "20260307") }
    let edited = try Lines.editor.edit(
      try Lines.item(Self.main, seventh, Self.override()), .future(from: Self.sixth)
    ) { (event: inout Event) in
      event.summary = "B"
    }
    #expect(edited.effects.starts(of: .kept) == [Lines.at("20260307T090000")])
  }

  @Test("The occurrence that a later part starts with is named if it keeps values of its own")
  func ownValuesOfFirst() throws {
    for own in [["SUMMARY:C"], ["LOCATION:Club"]] {
      let (event, edited) = try Self.edited(
        Self.override(own, start: "20260306T110000"), .future(from: Self.sixth)
      ) { $0.descriptionText = "New" }
      #expect(event.descriptionText == "New")
      #expect(edited.effects.starts(of: .revised) == [Self.sixth])
    }
    let (_, moved) = try Self.edited(
      Self.override(start: "20260306T110000"), .future(from: Self.sixth)
    ) { $0.summary = "B" }
    #expect(moved.effects.starts(of: .revised) == [Self.sixth])
  }

  @Test("An occurrence without an own value of what the edit changes is not named")
  func other() throws {
    let (event, edited) = try Self.edited(Self.override(["LOCATION:Club"])) { $0.summary = "B" }
    #expect(event.summary == "B")
    #expect(event.location == "Club")
    #expect(edited.effects.starts(of: .kept).isEmpty)
    let (same, result) = try Self.edited(Self.override(["SUMMARY:B"])) { $0.summary = "B" }
    #expect(same.summary == "B")
    #expect(result.effects.starts(of: .kept).isEmpty)
  }

  @Test("A value that the series gets for the first time is also that of its occurrences")
  func added() throws {
    let (event, edited) = try Self.edited(Self.override()) { event in
      event.color = "red"
      event.alarms.append(Self.alarm(minutes: 5))
    }
    #expect(event.color == "red")
    #expect(event.alarms.map(\.trigger) == [Self.trigger(10), Self.trigger(5)])
    #expect(edited.effects.starts(of: .kept).isEmpty)
  }

  private static func trigger(_ minutes: Int) -> AlarmTrigger {
    .relative((CivilDuration(minutes: minutes) ?? .zero).negated, to: .start)
  }

  private static func alarm(minutes: Int) -> Alarm {
    var alarm = Alarm()
    alarm.action = .display
    alarm.descriptionText = "A"
    alarm.trigger = trigger(minutes)
    return alarm
  }

  @Test("The text of an alarm follows that of the series, also in an occurrence with its own time")
  func alarmTexts() throws {
    for (own, expected) in [("A", "B"), ("Own", "Own")] {
      let alarm = Self.alarm.map { $0.replacing("DESCRIPTION:A", with: "DESCRIPTION:\(own)") }
      let (event, _) = try Self.edited(
        Self.override(start: "20260306T110000", alarms: alarm)
      ) { event in
        event.summary = "B"
        event.alarms[0].descriptionText = "B"
      }
      #expect(event.alarms.map(\.descriptionText) == [expected])
    }
  }

  @Test("Own alarms stay, and the acknowledgement of one that stays does, too")
  func alarms() throws {
    let own = Self.alarm.map { $0.replacing("-PT10M", with: "-PT20M") }
    let (event, edited) = try Self.edited(Self.override(alarms: own)) { $0.alarms = [] }
    #expect(event.alarms.map(\.trigger) == [Self.trigger(20)])
    #expect(edited.effects.starts(of: .kept) == [Self.sixth])
    var seen = Self.alarm
    seen.insert("ACKNOWLEDGED:20260306T075500Z", at: 1)
    let (other, result) = try Self.edited(Self.override(alarms: seen)) { event in
      event.alarms.append(Self.alarm(minutes: 5))
    }
    #expect(other.alarms.map(\.trigger) == [Self.trigger(10), Self.trigger(5)])
    #expect(other.alarms.first?.acknowledged != nil)
    #expect(result.effects.starts(of: .kept).isEmpty)
  }

  @Test("An occurrence that was moved keeps its time and is named")
  func moved() throws {
    let other = Self.override(start: "20260307T090000")
    for span in [EditSpan.all, .future(from: Lines.at("20260303T090000"))] {
      let (event, edited) = try Self.edited(other, span) { (event: inout Event) in
        event.start = event.start.map { Lines.at("\($0.date)T100000") }
        event.end = event.start.map { .time(Lines.at("\($0.date)T110000")) }
      }
      #expect(event.start == Lines.at("20260307T090000"))
      #expect(edited.effects.starts(of: .kept) == [Self.sixth])
    }
  }

  @Test("A moved occurrence that gets the new length or alarms of its series is named")
  func movedWithTheOldLength() throws {
    let other = Self.override(start: "20260307T090000")
    for span in [EditSpan.all, .future(from: Lines.at("20260303T090000"))] {
      let (event, edited) = try Self.edited(other, span) { (event: inout Event) in
        event.end = event.start.map { .time(Lines.at("\($0.date)T123000")) }
      }
      #expect(event.start == Lines.at("20260307T090000"))
      #expect(event.end == .time(Lines.at("20260307T123000")))
      #expect(edited.effects.starts(of: .followed) == [Self.sixth])
      #expect(edited.effects.starts(of: .kept).isEmpty)
      let (_, alarmed) = try Self.edited(other, span) { (event: inout Event) in event.alarms = [] }
      #expect(alarmed.effects.starts(of: .followed) == [Self.sixth])
      let (_, named) = try Self.edited(other, span) { (event: inout Event) in event.summary = "B" }
      #expect(named.effects.starts(of: .followed).isEmpty)
    }
  }

  @Test("An occurrence with an own length keeps it if its series moves, unless times become days")
  func ownLength() throws {
    let own = Self.override().map {
      $0.replacing("DTEND\(Lines.zone)20260306T10", with: "DTEND\(Lines.zone)20260306T12")
    }
    let (event, later) = try Self.edited(own) { (event: inout Event) in
      event.start = Lines.at("20260301T080000")
      event.end = .time(Lines.at("20260301T090000"))
    }
    #expect(event.start == Lines.at("20260306T080000"))
    #expect(event.end == .time(Lines.at("20260306T110000")))
    #expect(later.effects == [.occurrence(.shifted, Self.sixth)])
    let (whole, days) = try Self.edited(own) { (event: inout Event) in
      event.start = .date(day("20260301"))
      event.end = .time(.date(day("20260302")))
    }
    #expect(whole.end == .time(.date(day("20260307"))))
    #expect(days.effects == [.occurrence(.resized, Self.sixth)])
  }

  @Test("A new length is also that of the occurrences that had the old one")
  func length() throws {
    for (span, hour) in [
      (EditSpan.all, "09"), (.all, "08"), (.future(from: Lines.at("20260303T090000")), "09"),
    ] {
      let (event, edited) = try Self.edited(Self.override(["LOCATION:Club"]), span) {
        (event: inout Event) in
        event.start = event.start.map { Lines.at("\($0.date)T\(hour)0000") }
        event.end = event.start.map { .time(Lines.at("\($0.date)T120000")) }
      }
      #expect(event.start == Lines.at("20260306T\(hour)0000"))
      #expect(event.end == .time(Lines.at("20260306T120000")))
      #expect(edited.effects.starts(of: .kept).isEmpty)
    }
  }
}
