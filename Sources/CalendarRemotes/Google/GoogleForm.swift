// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The form of events in Google Calendar, and what it cannot hold.
struct GoogleForm: VendorForm {
  /// The largest description, in characters (Calendar API v3, limits of events).
  private static let descriptionLimit = 8_192
  /// The largest number of alarms of an event (resource Events, `reminders.overrides`).
  private static let alarmLimit = 5
  /// The longest time before the start, in minutes: four weeks.
  private static let alarmMinutes = 0...40_320
  /// The largest stash of an event; Google takes 32 kB of properties, with their names.
  static let stashLimit = 28_000

  let zones: VendorZones
  /// Whether people are written; if not, they go into the stash, and no mail can be sent.
  let writesPeople: Bool
  /// The addresses of the user, in lower case.
  ///
  /// Google makes the owner of the calendar the organizer of what is added, so that people are only
  /// written to the user's own meetings.
  var owners: Set<String> = []

  var table: HoldingTable { Self.table }

  static let table =
    HoldingTable(
      interface: "Google Calendar API v3",
      rows: [
        .init("SUMMARY", "summary"),
        .init("DESCRIPTION", "description", limit: "more than 8,192 characters"),
        .init("LOCATION", "location"),
        .init("DTSTART, DTEND", "start, end", limit: "floating times, zones of the file, DURATION"),
        .init("RRULE, RDATE, EXDATE", "recurrence"),
        .init("RECURRENCE-ID", "originalStartTime"),
        .init("STATUS", "status", limit: "CANCELLED, which deletes an event at Google"),
        .init("TRANSP", "transparency"),
        .init("CLASS", "visibility"),
        .init(
          "ATTENDEE", "attendees",
          limit: "under write-only access, of other organizers, and parameters"),
        .init(
          "VALARM", "reminders.overrides",
          limit: "more than 5, after the start, at a fixed time, with a sound"),
      ],
      stash: "extendedProperties.private", stashLimit: stashLimit,
      refused: [
        "tasks and journal entries", "series in a time zone that only the file defines",
        "RDATE with periods, RSCALE and RANGE=THISANDFUTURE",
        "overrides at no occurrence of their series",
      ])

  func held(
    _ component: Component, _ times: VendorTimes, overriding master: Component?
  ) throws(HoldingRefusal) -> Component {
    let fields = try fields(of: component, times, overriding: master)
    var event = fields.applied(to: nil)
    if let master, let id = Event(component).recurrenceID?.time, let start = Event(master).start {
      event.originalStartTime = Self.time(try times.identifier(id, likeStart: start))
    }
    return GoogleReading(event, zones, uid: component[.uid]?.text ?? "").component
  }

  /// The fields of a component, without its stash.
  func fields(
    of component: Component, _ times: VendorTimes, overriding master: Component?
  ) throws(HoldingRefusal) -> GoogleFields {
    let event = Event(component)
    guard let start = event.start else { throw .noStart }
    var fields = GoogleFields(
      start: Self.time(try times.vendorTime(start)),
      end: Self.time(try times.end(of: event, from: start)))
    fields.summary = event.summary
    fields.location = event.location
    fields.description = event.descriptionText.flatMap {
      $0.unicodeScalars.count <= Self.descriptionLimit ? $0 : nil
    }
    if event.status == .tentative { fields.status = "tentative" }
    if event.transparency == .transparent { fields.transparency = "transparent" }
    fields.visibility =
      switch event.classification {
      case .private: "private"
      case .confidential: "confidential"
      default: component[.classification] == nil ? "default" : "public"
      }
    fields.reminders = .init(useDefault: false, overrides: Self.alarms(of: event))
    if writesPeople, isOwn(event) { fields.attendees = event.attendees.compactMap(Self.person) }
    if master == nil { fields.recurrence = try Self.recurrence(of: component, times) }
    return fields
  }

  /// Whether the user organizes an event, or it has no organizer.
  private func isOwn(_ event: Event) -> Bool {
    guard let organizer = event.organizer else { return true }
    return organizer.address.email.map { owners.contains($0.lowercased()) } ?? false
  }

  /// The form for an event that Google has, whose organizer does not change.
  func knowing(_ event: GoogleEvent?) -> GoogleForm {
    guard let email = event?.organizer?.email else { return self }
    var form = self
    form.owners.insert(email.lowercased())
    return form
  }

  /// A time in Google's form; a local time has no offset, because its zone is named.
  static func time(_ time: EventTime) -> GoogleEvent.Time {
    switch time {
    case .date(let date): .init(date: date.iso8601)
    case .utc(let wall), .floating(let wall):
      .init(dateTime: wall.iso8601 + "Z", timeZone: "UTC")
    case .zoned(let wall, let name): .init(dateTime: wall.iso8601, timeZone: name)
    }
  }

  private static func alarms(of event: Event) -> [GoogleEvent.Alarm] {
    let alarms = event.alarms.compactMap { alarm -> GoogleEvent.Alarm? in
      guard let minutes = alarm.minutesBeforeStart, alarmMinutes.contains(minutes) else {
        return nil
      }
      switch alarm.action {
      case AlarmAction.display: return .init(method: "popup", minutes: minutes)
      case AlarmAction.email: return .init(method: "email", minutes: minutes)
      default: return nil
      }
    }
    return Array(alarms.prefix(alarmLimit))
  }

  private static func person(_ attendee: Attendee) -> GoogleEvent.Person? {
    guard let email = attendee.address.email, !email.isEmpty else { return nil }
    let status: [ParticipationStatus: String] = [
      .accepted: "accepted", .declined: "declined", .tentative: "tentative",
    ]
    return .init(
      email: email, displayName: attendee.commonName,
      isOptional: attendee.role == .optional ? true : nil,
      isResource: [.resource, .room].contains(attendee.userType) ? true : nil,
      responseStatus: status[attendee.participationStatus] ?? "needsAction")
  }

  /// The content lines of the recurrence, which Google stores verbatim.
  private static func recurrence(
    of component: Component, _ times: VendorTimes
  ) throws(HoldingRefusal) -> [String] {
    var lines: [String] = []
    for property in component.properties {
      let name = property.name.canonicalName
      switch name {
      case "RRULE", "EXRULE":
        let rule = property.rawValue.uppercased()
        let isPlain = !rule.contains("RSCALE") && !rule.contains("SKIP=")
        guard isPlain, component.hasReadableRules else {
          throw .recurrence("\(name):\(property.rawValue)")
        }
        lines.append("\(name):\(property.rawValue)")
      case "RDATE", "EXDATE":
        lines.append(try dates(property, name, times))
      default: continue
      }
    }
    return lines
  }

  private static func dates(
    _ property: Property, _ name: String, _ times: VendorTimes
  ) throws(HoldingRefusal) -> String {
    let line = "\(name):\(property.rawValue)"
    if property[.value]?.uppercased() == "DATE" { return "\(name);VALUE=DATE:\(property.rawValue)" }
    var wall: [String] = []
    var zone: String?
    for value in property.rawValue.split(separator: ",", omittingEmptySubsequences: false) {
      let isUTC = value.last == "Z"
      guard let time = try? CivilDateTime(parsing: String(isUTC ? value.dropLast() : value)) else {
        throw .recurrence(line)
      }
      guard !isUTC else {
        wall.append(String(value))
        continue
      }
      let tzID = property[.tzID]
      switch try times.vendorTime(tzID.map { .zoned(time, tzID: $0) } ?? .floating(time)) {
      case .zoned(let local, let named):
        zone = named
        wall.append(local.description)
      case .utc(let utc): wall.append("\(utc)Z")
      default: throw .recurrence(line)
      }
    }
    return "\(name)\(zone.map { ";TZID=\($0)" } ?? ""):\(wall.joined(separator: ","))"
  }
}

extension Component {
  /// Whether each rule of the component can be read.
  fileprivate var hasReadableRules: Bool {
    let recurrence = Event(self).recurrence
    return recurrence.rules.count == properties(named: .rRule).count
      && recurrence.exclusionRules.count == properties(named: "EXRULE").count
  }
}

extension Alarm {
  /// The minutes from the alarm to the start; nil if it is after the start, between two minutes, or at
  /// another time.
  var minutesBeforeStart: Int? {
    guard case .relative(let duration, to: .start)? = trigger,
      duration == .zero || duration.isNegative
    else { return nil }
    let seconds = Int64(duration.nominalDays) * -86_400 - duration.exactSeconds
    return seconds.isMultiple(of: 60) ? Int(seconds / 60) : nil
  }
}
