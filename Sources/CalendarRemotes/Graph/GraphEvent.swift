// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An event of Microsoft Graph: the properties that Epact reads (v1.0, resource type event).
struct GraphEvent: Decodable, Hashable, Sendable {
  /// A local time in a zone.
  struct Time: Codable, Hashable, Sendable {
    var dateTime: String
    var timeZone: String
  }
  struct Body: Codable, Hashable, Sendable {
    var contentType = "text"
    var content: String
  }
  struct Location: Codable, Hashable, Sendable {
    var displayName: String?
  }
  struct Address: Codable, Hashable, Sendable {
    var name: String?
    var address: String?
  }
  struct Recipient: Codable, Hashable, Sendable {
    var emailAddress: Address?
  }
  struct Response: Codable, Hashable, Sendable {
    var response: String?
  }
  struct Person: Codable, Hashable, Sendable {
    var emailAddress: Address?
    var type: String?
    var status: Response?
  }
  struct Property: Codable, Hashable, Sendable {
    var id: String
    var value: String
  }
  struct Removal: Decodable, Hashable, Sendable {
    var reason: String?
  }
  /// The identity of an occurrence of a series.
  struct Occurrence: Decodable, Hashable, Sendable {
    var id: String
    var originalStart: String?
    var type: String?
  }

  var id: String
  var etag: String?
  var createdDateTime: String?
  var lastModifiedDateTime: String?
  var subject: String?
  var body: Body?
  var location: Location?
  var start: Time?
  var end: Time?
  var isAllDay: Bool?
  var originalStartTimeZone: String?
  var originalEndTimeZone: String?
  var recurrence: GraphRecurrence?
  var type: String?
  var seriesMasterId: String?
  var originalStart: String?
  var showAs: String?
  var sensitivity: String?
  var importance: String?
  var isReminderOn: Bool?
  var reminderMinutesBeforeStart: Int?
  var categories: [String]?
  var attendees: [Person]?
  var organizer: Recipient?
  var isOrganizer: Bool?
  var iCalUId: String?
  var transactionId: String?
  var singleValueExtendedProperties: [Property]?
  var cancelledOccurrences: [String]?
  var exceptionOccurrences: [Occurrence]?
  var removed: Removal?

  enum CodingKeys: String, CodingKey {
    case id, createdDateTime, lastModifiedDateTime, subject, body, location, start, end, isAllDay
    case originalStartTimeZone, originalEndTimeZone, recurrence, type, seriesMasterId, originalStart
    case showAs, sensitivity, importance, isReminderOn, reminderMinutesBeforeStart, categories
    case attendees, organizer, isOrganizer, iCalUId, transactionId, singleValueExtendedProperties
    case cancelledOccurrences, exceptionOccurrences
    case etag = "@odata.etag"
    case removed = "@removed"
  }

  /// The properties that requests select.
  static let selection = [
    "id", "createdDateTime", "lastModifiedDateTime", "subject", "body", "location", "start", "end",
    "isAllDay", "originalStartTimeZone", "originalEndTimeZone", "recurrence", "type",
    "seriesMasterId", "originalStart", "showAs", "sensitivity", "importance", "isReminderOn",
    "reminderMinutesBeforeStart", "categories", "attendees", "organizer", "isOrganizer", "iCalUId",
    "transactionId",
  ]

  /// Whether each change mails the attendees: the user organizes the event, and it has some.
  var isMailed: Bool { isOrganizer != false && attendees?.isEmpty == false }

  /// Whether the times or the rule are not those of another version.
  func isMoved(from other: GraphEvent) -> Bool {
    (start, end) != (other.start, other.end)
      || (isAllDay, recurrence) != (other.isAllDay, other.recurrence)
  }

  /// Whether the event recurs.
  var isSeries: Bool { type == "seriesMaster" || recurrence != nil }
}

/// The properties that Epact writes to an event of Microsoft Graph; one without a value is left out.
struct GraphFields: Encodable, Hashable, Sendable {
  var subject: String?
  var body: GraphEvent.Body?
  var location: GraphEvent.Location?
  var start: GraphEvent.Time?
  var end: GraphEvent.Time?
  var isAllDay: Bool?
  var recurrence: GraphRecurrence?
  var showAs: String?
  var sensitivity: String?
  var importance: String?
  var isReminderOn: Bool?
  var reminderMinutesBeforeStart: Int?
  var categories: [String]?
  var attendees: [GraphEvent.Person]?
  var transactionId: String?
  var singleValueExtendedProperties: [GraphEvent.Property]?

  /// The event that the fields describe.
  var event: GraphEvent {
    var event = GraphEvent(id: "")
    (event.subject, event.body, event.location) = (subject, body, location)
    (event.start, event.end, event.isAllDay) = (start, end, isAllDay)
    (event.originalStartTimeZone, event.originalEndTimeZone) = (start?.timeZone, end?.timeZone)
    (event.recurrence, event.showAs, event.sensitivity) = (recurrence, showAs, sensitivity)
    (event.importance, event.isReminderOn) = (importance, isReminderOn)
    event.reminderMinutesBeforeStart = reminderMinutesBeforeStart
    (event.categories, event.attendees) = (categories, attendees)
    return event
  }

  /// The fields that differ from others.
  ///
  /// A change of the times or the rule drops the changed occurrences of a series.
  func changes(from old: GraphFields) -> GraphFields {
    var fields = self
    if subject == old.subject { fields.subject = nil }
    if body == old.body { fields.body = nil }
    if location == old.location { fields.location = nil }
    if (start, end, isAllDay) == (old.start, old.end, old.isAllDay) {
      (fields.start, fields.end, fields.isAllDay) = (nil, nil, nil)
      if recurrence == old.recurrence { fields.recurrence = nil }
    }
    if showAs == old.showAs { fields.showAs = nil }
    if sensitivity == old.sensitivity { fields.sensitivity = nil }
    if importance == old.importance { fields.importance = nil }
    if (isReminderOn, reminderMinutesBeforeStart) == (
      old.isReminderOn, old.reminderMinutesBeforeStart
    ) {
      (fields.isReminderOn, fields.reminderMinutesBeforeStart) = (nil, nil)
    }
    if categories == old.categories { fields.categories = nil }
    if attendees == old.attendees { fields.attendees = nil }
    return fields
  }
}
