// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An event of Google Calendar: the fields that Epact reads (Calendar API v3, resource Events).
///
/// All other fields stay at Google as they are, because events are changed with PATCH.
struct GoogleEvent: Decodable, Hashable, Sendable {
  /// A date or a time; exactly one of `date` and `dateTime` is set.
  struct Time: Codable, Hashable, Sendable {
    var date: String?
    var dateTime: String?
    var timeZone: String?
  }

  /// A person.
  struct Person: Codable, Hashable, Sendable {
    var email: String?
    var displayName: String?
    var isSelf: Bool?
    var isOptional: Bool?
    var isResource: Bool?
    var responseStatus: String?

    enum CodingKeys: String, CodingKey {
      case email, displayName, responseStatus
      case isSelf = "self"
      case isOptional = "optional"
      case isResource = "resource"
    }
  }

  /// An alarm: minutes before the start, from 0 through 40,320.
  struct Alarm: Codable, Hashable, Sendable {
    var method: String
    var minutes: Int
  }

  /// The alarms of an event.
  struct Reminders: Codable, Hashable, Sendable {
    var useDefault: Bool
    var overrides: [Alarm]?
  }

  /// The properties that programs store.
  struct ExtendedProperties: Decodable, Hashable, Sendable {
    var `private`: [String: String]?
  }

  var id: String
  var etag: String?
  var status: String?
  var created: String?
  var updated: String?
  var summary: String?
  var description: String?
  var location: String?
  var organizer: Person?
  var start: Time?
  var end: Time?
  var recurrence: [String]?
  var recurringEventId: String?
  var originalStartTime: Time?
  var transparency: String?
  var visibility: String?
  var iCalUID: String?
  var attendees: [Person]?
  var extendedProperties: ExtendedProperties?
  var reminders: Reminders?

  /// Whether the event is deleted; for an occurrence, that the series has none at this time.
  var isCancelled: Bool { status == "cancelled" }
}

/// The fields that Epact writes to an event of Google Calendar.
///
/// A field without a value is written as null, which removes it; a field that is not named here stays.
struct GoogleFields: Encodable, Hashable, Sendable {
  /// The id, if the event is new.
  var id: String?
  var summary: String?
  var description: String?
  var location: String?
  var start: GoogleEvent.Time
  var end: GoogleEvent.Time
  /// The content lines of the recurrence; nil for an occurrence.
  var recurrence: [String]?
  var status = "confirmed"
  var transparency = "opaque"
  var visibility = "default"
  /// The alarms; nil leaves them as they are.
  var reminders: GoogleEvent.Reminders?
  /// The people; nil leaves them as they are.
  var attendees: [GoogleEvent.Person]?
  /// The stash; nil removes a property.
  var properties: [String: String?] = [:]

  private enum Key: String, CodingKey {
    case id, summary, description, location, start, end, recurrence, status
    case transparency, visibility, reminders, attendees, extendedProperties
    case `private`
  }

  private enum TimeKey: String, CodingKey {
    case date, dateTime, timeZone
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(id, forKey: .id)
    for (text, key) in [(summary, Key.summary), (description, .description), (location, .location)]
    {
      if isNew {
        try container.encodeIfPresent(text, forKey: key)
      } else {
        try container.encode(text, forKey: key)
      }
    }
    for (time, key) in [(start, Key.start), (end, Key.end)] {
      if isNew {
        try container.encode(time, forKey: key)
        continue
      }
      var fields = container.nestedContainer(keyedBy: TimeKey.self, forKey: key)
      try fields.encode(time.date, forKey: .date)
      try fields.encode(time.dateTime, forKey: .dateTime)
      try fields.encode(time.timeZone, forKey: .timeZone)
    }
    try container.encodeIfPresent(recurrence, forKey: .recurrence)
    try container.encode(status, forKey: .status)
    try container.encode(transparency, forKey: .transparency)
    try container.encode(visibility, forKey: .visibility)
    try container.encodeIfPresent(reminders, forKey: .reminders)
    try container.encodeIfPresent(attendees, forKey: .attendees)
    var extended = container.nestedContainer(keyedBy: Key.self, forKey: .extendedProperties)
    try extended.encode(properties, forKey: .private)
  }

  /// Whether the event is new, so that nothing has to be removed.
  private var isNew: Bool { id != nil }

  /// The event after the fields were written to it.
  func applied(to event: GoogleEvent?) -> GoogleEvent {
    var event = event ?? GoogleEvent(id: id ?? "")
    (event.summary, event.description, event.location) = (summary, description, location)
    (event.start, event.end, event.status) = (start, end, status)
    (event.transparency, event.visibility) = (transparency, visibility)
    if let recurrence { event.recurrence = recurrence }
    if let reminders { event.reminders = reminders }
    if let attendees { event.attendees = attendees }
    return event
  }
}
