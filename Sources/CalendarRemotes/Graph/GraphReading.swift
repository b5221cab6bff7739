// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The component that an event of Microsoft Graph describes with its fields, and with its stash.
struct GraphReading {
  private let event: GraphEvent
  private let zones: VendorZones
  private let uid: String
  /// The start of the series, if the event is an occurrence.
  private let series: EventTime?

  init(_ event: GraphEvent, _ zones: VendorZones, uid: String, series: EventTime? = nil) {
    (self.event, self.zones, self.uid, self.series) = (event, zones, uid, series)
  }

  /// The component with the stash, and the definitions of the zones that only the stash has.
  var whole: (component: Component, timeZones: [Component]) {
    let stash = event.property(GraphProperties.stash).flatMap { ComponentStash(text: $0) }
    return stash?.splice(into: component) ?? (component: component, timeZones: [])
  }

  /// The start of the event in its own zone.
  var start: EventTime? { event.start.flatMap { time($0, event.originalStartTimeZone) } }

  /// The component without the stash.
  var component: Component {
    var content = Event()
    content.uid = UID(uid)
    content.stamp = event.lastModifiedDateTime.flatMap(InternetTime.init)?.instant
    content.lastModified = content.stamp
    content.created = event.createdDateTime.flatMap(InternetTime.init)?.instant
    content.summary = event.subject.nonEmpty
    content.descriptionText = event.body?.content.nonEmpty
    content.location = event.location?.displayName.nonEmpty
    content.start = start
    content.end = event.end.flatMap { time($0, event.originalEndTimeZone) }.map { .time($0) }
    content.recurrenceID = original.map { RecurrenceID($0) }
    switch event.showAs {
    case "tentative": content.status = .tentative
    case "free": content.transparency = .transparent
    default: break
    }
    switch event.sensitivity {
    case "private": content.classification = .private
    case "confidential": content.classification = .confidential
    default: break
    }
    content.priority = event.importance == "high" ? 1 : event.importance == "low" ? 9 : 0
    content.categories = Categories(event.categories ?? [])
    if event.isReminderOn == true, let minutes = event.reminderMinutesBeforeStart {
      var alarm = Alarm()
      alarm.action = .display
      alarm.trigger = .relative(.beforeStart(minutes: minutes), to: .start)
      alarm.descriptionText = event.subject.nonEmpty ?? "Reminder"
      content.alarms = [alarm]
    }
    addPeople(to: &content)
    var component = content.component
    if let rule = event.recurrence?.rule(until: until) {
      component[.rRule] = Property(.rRule, rawValue: rule)
    }
    return component
  }

  /// The end of a rule on a day, in UTC for a series with a zone (RFC 5545 §3.3.10).
  private func until(_ date: CivilDate) -> RecurrenceRule.Until? {
    guard let start else { return nil }
    let wall = CivilDateTime(date, start.wallTime.time)
    switch start {
    case .date: return .date(date)
    case .utc, .floating: return .utc(wall)
    case .zoned(_, let name):
      guard let rules = try? zones.resolver.rules(of: zones.resolver.resolve(name)) else {
        return nil
      }
      return rules.instant(of: wall).civil().map { .utc($0) }
    }
  }

  /// The time that identifies the occurrence, in the form of the start of its series.
  private var original: EventTime? {
    guard let series, let instant = event.originalStart.flatMap(InternetTime.init)?.instant else {
      return nil
    }
    if case .date = series { return instant.civil().map { .date($0.date) } }
    return zones.time(of: instant, in: series.tzID)
  }

  /// A time, which Graph returns in UTC, in the zone in which it was entered.
  ///
  /// Midnight of a day is that of no zone.
  private func time(_ time: GraphEvent.Time, _ original: String?) -> EventTime? {
    guard let wall = try? CivilDateTime(parsing: String(time.dateTime.prefix(19))) else {
      return nil
    }
    if event.isAllDay == true { return .date(wall.date) }
    guard time.timeZone == "UTC" else { return .zoned(wall, tzID: time.timeZone) }
    let name = original.flatMap { zones.resolver.resolve($0).name }
    return zones.time(of: Instant(utc: wall), in: name)
  }

  private func addPeople(to content: inout Event) {
    content.attendees = (event.attendees ?? []).compactMap { person in
      guard let email = person.emailAddress?.address else { return nil }
      let name = person.emailAddress?.name
      var attendee = Attendee(
        CalendarAddress("mailto:\(email)"), commonName: name == email ? nil : name)
      if person.type == "optional" { attendee.role = .optional }
      if person.type == "resource" { attendee.userType = .resource }
      let status: [String: ParticipationStatus] = [
        "accepted": .accepted, "declined": .declined, "tentativelyAccepted": .tentative,
        "organizer": .accepted,
      ]
      attendee.participationStatus = status[person.status?.response ?? ""] ?? .needsAction
      return attendee
    }
    if let email = event.organizer?.emailAddress?.address, !content.attendees.isEmpty {
      let name = event.organizer?.emailAddress?.name
      content.organizer = Organizer(
        CalendarAddress("mailto:\(email)"), commonName: name == email ? nil : name)
    }
  }
}

extension String? {
  /// The text, or nil if it is empty: Graph has no missing texts.
  fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// The extended properties of Epact at Microsoft.
enum GraphProperties {
  private static let set = "String {8ec3f0a4-2b7d-4c56-9a1e-5d0e7c3b9f21} Name "
  /// The stash of an event.
  static let stash = set + "epact-stash"
  /// The UID of an event.
  static let uid = set + "epact-uid"

  /// A number that tells the answer to an addition from that to an earlier one.
  static let attempt = set + "epact-attempt"

  /// The part of a query that asks for all of them.
  static let expansion =
    "singleValueExtendedProperties($filter=id eq '\(stash)' or id eq '\(uid)' or id eq '\(attempt)')"

  /// The id of the request that adds the item with a UID: a repeated one makes no second event.
  static func transaction(of uid: UID) -> String {
    "epact-\(SHA256.digest(of: Array(uid.rawValue.utf8)).description.prefix(32))"
  }
}

extension GraphEvent {
  /// The value of an extended property; nil if it is empty, which stands for none.
  func property(_ id: String) -> String? {
    singleValueExtendedProperties?.first { $0.id.lowercased() == id.lowercased() }?.value.nonEmpty
  }
}
