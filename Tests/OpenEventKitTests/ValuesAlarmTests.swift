// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import EventKit
import Foundation
import ICalSyntax
import OpenEventKit
import Testing

@Suite("Values: alarms")
struct ValuesAlarmTests {
  private func alarm(_ lines: String..., length: TimeInterval = 3_600) throws -> EKAlarm {
    let stream = try CalendarStream(
      parsing: Array(
        (["BEGIN:VCALENDAR", "BEGIN:VALARM"] + lines + ["END:VALARM", "END:VCALENDAR"])
          .map { $0 + "\r\n" }.joined().utf8))
    let component = try #require(stream.calendars.first?.components.first)
    return try #require(EKAlarm(component, length: length))
  }

  @Test(
    "Offsets are durations; whole days are days",
    arguments: [
      (-900.0, "-PT15M"), (0, "PT0S"), (-86_400, "-P1D"), (-604_800, "-P7D"), (-90_000, "-P1DT1H"),
      (32_400, "PT9H"), (-54_000, "-PT15H"), (-3_661, "-PT1H1M1S"), (-0.4, "PT0S"),
      (.infinity, "PT0S"), (.nan, "PT0S"),
    ])
  func offsets(_ offset: TimeInterval, _ duration: String) throws {
    let new = EKAlarm(relativeOffset: offset)
    #expect(
      lines(new.component)
        == ["ACTION:DISPLAY", "TRIGGER:\(duration)", "DESCRIPTION:Reminder"])
    let back = try #require(EKAlarm(new.component, length: 0))
    #expect(back.relativeOffset == (offset.isFinite ? offset.rounded() : 0))
    #expect(back.absoluteDate == nil)
    #expect(back.type == .display)
    #expect(back.component == new.component)
  }

  @Test("An offset that no duration holds is cut")
  func longOffset() throws {
    let back = try #require(EKAlarm(EKAlarm(relativeOffset: -1e300).component, length: 0))
    #expect(back.relativeOffset == -Double(Int32.max) * 86_400)
  }

  @Test("A date is a time in UTC; a date and an offset replace each other")
  func dates() throws {
    let moment = try date("2026-03-10T08:45:00Z")
    let new = EKAlarm(absoluteDate: moment)
    #expect(new.component[.trigger]?.rawValue == "20260310T084500Z")
    #expect(new.component[.trigger]?["VALUE"] == "DATE-TIME")
    #expect(new.relativeOffset == 0)
    new.relativeOffset = -60
    #expect(new.absoluteDate == nil)
    #expect(new.component[.trigger]?.rawValue == "-PT1M")
    new.absoluteDate = moment
    #expect(new.relativeOffset == 0)
    #expect(new.absoluteDate == moment)
    new.absoluteDate = nil
    #expect(new.component[.trigger]?.rawValue == "PT0S")
  }

  @Test("An alarm relative to the end counts from the start, and stays relative to the end")
  func end() throws {
    let alarm = try alarm("ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT10M", length: 3_600)
    #expect(alarm.relativeOffset == 3_000)
    #expect(alarm.component[.trigger]?["RELATED"] == "END")
    alarm.relativeOffset = 3_001
    #expect(alarm.component[.trigger]?["RELATED"] == nil)
    #expect(alarm.component[.trigger]?.rawValue == "PT50M1S")
  }

  @Test("A change keeps everything that the object does not show")
  func change() throws {
    let alarm = try alarm(
      "X-WR-ALARMUID:1", "UID:1", "TRIGGER;X-P=1:-PT15M", "ATTACH;VALUE=URI:Chord", "ACTION:AUDIO",
      "REPEAT:2", "DURATION:PT5M", "X-APPLE-DEFAULT-ALARM:TRUE", "X-OTHER:kept")
    #expect(alarm.soundName == "Chord")
    #expect(alarm.type == .audio)
    #expect(!alarm.hasChanges && !alarm.isNew)
    let before = alarm.component
    alarm.relativeOffset = -60
    #expect(alarm.hasChanges)
    #expect(
      lines(alarm.component) == [
        "X-WR-ALARMUID:1", "UID:1", "TRIGGER;X-P=1:-PT1M", "ATTACH;VALUE=URI:Chord",
        "ACTION:AUDIO", "REPEAT:2", "DURATION:PT5M", "X-OTHER:kept",
      ])
    alarm.relativeOffset = -900
    #expect(!alarm.hasChanges)
    #expect(alarm.component == before)
    alarm.relativeOffset = 5
    alarm.reset()
    #expect(alarm.component == before)
  }

  @Test("Sound, address and document replace each other")
  func actions() throws {
    let alarm = EKAlarm(relativeOffset: 0)
    #expect(alarm.type == .display)
    alarm.soundName = "Chord"
    #expect(alarm.type == .audio)
    #expect(
      lines(alarm.component).filter { !$0.hasPrefix("TRIGGER") }
        == ["ACTION:AUDIO", "ATTACH:Chord"])
    alarm.emailAddress = "ann@example.org"
    #expect(alarm.type == .email)
    #expect(alarm.soundName == nil)
    let email = alarm.component
    #expect(email[.attendee]?.rawValue == "mailto:ann@example.org")
    #expect(email[.summary]?.text == "Reminder")
    #expect(email[.descriptionText]?.text == "Reminder")
    #expect(EKAlarm(email, length: 0)?.emailAddress == "ann@example.org")
    alarm.soundName = nil
    #expect(alarm.type == .email)
    alarm.emailAddress = nil
    #expect(alarm.type == .display)
  }

  @available(*, deprecated)
  @Test("A changed document cannot be saved, nor a reminder whose alarm sends an e-mail")
  func problems() throws {
    let old = try alarm("ACTION:PROCEDURE", "TRIGGER:PT0S", "ATTACH:file:///bin/true")
    #expect(old.type == .procedure)
    #expect(old.url == URL(string: "file:///bin/true"))
    #expect(old.problem(in: .event) == nil)
    #expect(old.problem(in: .reminder) == nil)
    old.url = URL(string: "file:///bin/false")
    #expect(old.problem(in: .event) == .procedureAlarmsNotMutable)
    let new = EKAlarm(relativeOffset: 0)
    #expect(new.problem(in: .reminder) == nil)
    new.emailAddress = "ann@example.org"
    #expect(new.problem(in: .event) == nil)
    #expect(new.problem(in: .reminder) == .reminderAlarmContainsEmailOrUrl)
  }

  @Test("Apple's alarms at places are read, and stay as they are")
  func appleProximity() throws {
    let reminder = try #require(
      try components(.reminder, in: "real-world/apple-reminders.ics").first)
    let component = try #require(reminder.components(named: .alarm).first)
    let alarm = try #require(EKAlarm(component, length: 0))
    #expect(alarm.proximity == .enter)
    #expect(alarm.structuredLocation?.title == "Hardware store")
    #expect(alarm.structuredLocation?.radius == 100)
    #expect(alarm.structuredLocation?.geoLocation?.coordinate.latitude == 54.1)
    #expect(alarm.structuredLocation?.geoLocation?.coordinate.longitude == 13.4)
    #expect(lines(alarm.component) == lines(component))

    alarm.structuredLocation?.radius = 250
    #expect(alarm.hasChanges)
    let changed = alarm.component
    #expect(changed["X-APPLE-STRUCTURED-LOCATION"]?["X-APPLE-RADIUS"] == "250")
    #expect(changed["X-APPLE-STRUCTURED-LOCATION"]?["X-TITLE"] == "Hardware store")
    #expect(changed["X-WR-ALARMUID"] != nil)
    #expect(EKAlarm(changed, length: 0) == alarm)
  }

  @Test("Alarms at places of RFC 9074 are read, and a change is written in both forms")
  func standardProximity() throws {
    let event = try #require(try components(.event, in: "valid/alarm-proximity.ics").first)
    let component = try #require(event.components(named: .alarm).first)
    let alarm = try #require(EKAlarm(component, length: 0))
    #expect(alarm.proximity == .leave)
    #expect(alarm.structuredLocation?.title == "Office")
    #expect(alarm.structuredLocation?.radius == 50)
    #expect(alarm.structuredLocation?.geoLocation?.coordinate.latitude == 52.520008)
    #expect(lines(alarm.component) == lines(component))

    alarm.proximity = .enter
    let changed = alarm.component
    #expect(changed["PROXIMITY"]?.text == "ARRIVE")
    #expect(changed["X-APPLE-PROXIMITY"]?.text == "ARRIVE")
    let place = try #require(changed.components.first)
    #expect(place[.uid]?.text == "office@epact.example")
    #expect(place[.url]?.text == "geo:52.520008,13.404954;u=50")
    #expect(
      changed["X-APPLE-STRUCTURED-LOCATION"]?.rawValue == "geo:52.520008,13.404954")
    alarm.proximity = .none
    alarm.structuredLocation = nil
    let plain = alarm.component
    #expect(plain["PROXIMITY"] == nil && plain["X-APPLE-PROXIMITY"] == nil)
    #expect(plain.components.isEmpty)
  }

  @Test("A new alarm at a place is the same after a round trip")
  func newProximity() throws {
    let alarm = EKAlarm(relativeOffset: 0)
    let place = EKStructuredLocation(title: "Café, 3rd floor")
    place.geoLocation = CLLocation(latitude: 1e-7, longitude: -0.5)
    place.radius = 70.5
    alarm.structuredLocation = place
    alarm.proximity = .leave
    place.title = "The alarm has a copy"
    let back = try #require(EKAlarm(alarm.component, length: 0))
    #expect(back == alarm)
    #expect(back.structuredLocation?.title == "Café, 3rd floor")
    #expect(alarm.component["X-APPLE-STRUCTURED-LOCATION"]?.rawValue == "geo:0.0000001,-0.5")
    #expect(alarm.structuredLocation === alarm.structuredLocation)
    // "The following is REQUIRED: uid" (RFC 9073 §7.2).
    func uid() -> String? { alarm.component.components(named: .location).first?[.uid]?.text }
    let first = try #require(uid())
    #expect(!first.isEmpty)
    #expect(uid() == first)
    alarm.structuredLocation?.title = "Café, 4th floor"
    #expect(uid() != first)
  }

  @Test("Apple's mark for an event without alarms is no alarm")
  func none() throws {
    let event = try #require(
      try components(.event, in: "real-world/apple-structured-location.ics").first)
    let alarms = event.components(named: .alarm).map { EKAlarm($0, length: 3_600) }
    #expect(alarms.map { $0 == nil } == [false, true])
    #expect(alarms.first??.relativeOffset == -900)
    #expect(alarms.first??.soundName == "Chord")
  }

  @Test("A connection to a car is no proximity of EventKit, and stays as it is")
  func car() throws {
    let alarm = try alarm("ACTION:DISPLAY", "TRIGGER:PT0S", "PROXIMITY:CONNECT")
    #expect(alarm.proximity == .none)
    alarm.relativeOffset = -60
    #expect(alarm.component["PROXIMITY"]?.text == "CONNECT")
  }

  @Test("A copy is a new alarm with the same values and without the identity")
  func copies() throws {
    let alarm = try alarm(
      "UID:1", "X-WR-ALARMUID:1", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:Go",
      "ACKNOWLEDGED:20260101T000000Z")
    let copy = try #require(alarm.copy() as? EKAlarm)
    #expect(copy == alarm && copy !== alarm)
    #expect(copy.hash == alarm.hash)
    #expect(lines(copy.component) == ["ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:Go"])
    copy.relativeOffset = 0
    #expect(copy != alarm)
    #expect(alarm.relativeOffset == -300)
  }
}
