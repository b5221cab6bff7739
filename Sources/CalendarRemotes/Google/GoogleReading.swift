// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The component that an event of Google Calendar describes with its fields, and with its stash.
struct GoogleReading {
  private let event: GoogleEvent
  private let zones: VendorZones
  private let uid: String

  init(_ event: GoogleEvent, _ zones: VendorZones, uid: String) {
    (self.event, self.zones, self.uid) = (event, zones, uid)
  }

  /// The component with the stash, and the definitions of the zones that only the stash has.
  var whole: (component: Component, timeZones: [Component]) {
    let stash = GoogleStash.stash(
      in: event.extendedProperties?.private, isOccurrence: event.recurringEventId != nil)
    return stash?.splice(into: component) ?? (component: component, timeZones: [])
  }

  /// The component without the stash.
  var component: Component {
    var content = Event()
    content.uid = UID(uid)
    content.stamp = event.updated.flatMap(InternetTime.init)?.instant
    content.lastModified = content.stamp
    content.created = event.created.flatMap(InternetTime.init)?.instant
    content.summary = event.summary
    content.descriptionText = event.description
    content.location = event.location
    content.start = event.start.flatMap { Self.time($0, zones) }
    content.end = event.end.flatMap { Self.time($0, zones) }.map { .time($0) }
    if let original = event.originalStartTime.flatMap({ Self.time($0, zones) }) {
      content.recurrenceID = RecurrenceID(original)
    }
    if event.status == "tentative" { content.status = .tentative }
    if event.transparency == "transparent" { content.transparency = .transparent }
    switch event.visibility {
    case "private": content.classification = .private
    case "confidential": content.classification = .confidential
    default: break
    }
    addPeople(to: &content)
    content.alarms = (event.reminders?.overrides ?? []).map { alarm(of: $0) }
    var component = content.component
    // The model omits a default value.
    if event.visibility == "public" {
      component[.classification] = Property(.classification, rawValue: "PUBLIC")
    }
    for line in event.recurrence ?? [] {
      if let property = Self.property(line) { component.properties.append(property) }
    }
    return component
  }

  /// The time in the zone of the event, whatever offset the answer has.
  static func time(_ time: GoogleEvent.Time, _ zones: VendorZones) -> EventTime? {
    if let date = time.date {
      return (try? CivilDate(parsing: date)).map { .date($0) }
    }
    guard let text = time.dateTime else { return nil }
    // What was written has no offset.
    if text.utf8.count == 19, let name = time.timeZone, name != "UTC",
      let wall = try? CivilDateTime(parsing: text)
    {
      return .zoned(wall, tzID: name)
    }
    return InternetTime(text).flatMap { zones.time(of: $0.instant, in: time.timeZone) }
  }

  private func addPeople(to content: inout Event) {
    content.attendees = (event.attendees ?? []).compactMap { person in
      guard let email = person.email else { return nil }
      var attendee = Attendee(CalendarAddress("mailto:\(email)"), commonName: person.displayName)
      if person.isOptional == true { attendee.role = .optional }
      if person.isResource == true { attendee.userType = .resource }
      let status: [String: ParticipationStatus] = [
        "accepted": .accepted, "declined": .declined, "tentative": .tentative,
      ]
      attendee.participationStatus = status[person.responseStatus ?? ""] ?? .needsAction
      return attendee
    }
    // Google names the owner of the calendar as the organizer of each event.
    if let email = event.organizer?.email, !content.attendees.isEmpty {
      content.organizer = Organizer(
        CalendarAddress("mailto:\(email)"), commonName: event.organizer?.displayName)
    }
  }

  private func alarm(of reminder: GoogleEvent.Alarm) -> Alarm {
    var alarm = Alarm()
    alarm.action = reminder.method == "email" ? .email : .display
    alarm.trigger = .relative(.beforeStart(minutes: reminder.minutes), to: .start)
    alarm.descriptionText = event.summary ?? "Reminder"
    if reminder.method == "email" { alarm.summary = event.summary ?? "Reminder" }
    return alarm
  }

  /// The property of a content line.
  private static func property(_ line: String) -> Property? {
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n\(line)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    let stream = try? CalendarStream(parsing: Array(text.utf8))
    return stream?.calendars.first?.components.first?.properties.first
  }
}

extension CivilDuration {
  /// The duration of an alarm before the start, in its largest exact unit.
  static func beforeStart(minutes: Int) -> CivilDuration {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    let duration =
      rest == 0
      ? CivilDuration(isNegative: true, hours: hours)
      : CivilDuration(isNegative: true, minutes: minutes)
    return duration ?? .zero
  }
}
