// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// An event, or an override of one of its occurrences (VEVENT, RFC 5545 §3.6.1).
///
/// ```swift
/// var event = Event(component)
/// event.location = "Room 2"
/// event.write(to: &component)  // changes the LOCATION and nothing else
/// ```
public struct Event: ItemContent {
  /// The UID, or nil if none is assigned yet (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The overridden occurrence, or nil for the main component (RFC 5545 §3.8.4.4).
  public var recurrenceID: RecurrenceID?
  /// The time at which the component was written (DTSTAMP, RFC 5545 §3.8.7.2).
  public var stamp: Instant?
  /// The time at which the item was created (RFC 5545 §3.8.7.1).
  public var created: Instant?
  /// The time of the last change (RFC 5545 §3.8.7.3).
  public var lastModified: Instant?
  /// The number of the organizer's significant changes (RFC 5545 §3.8.7.4).
  public var sequence = 0
  /// The start (RFC 5545 §3.8.2.4).
  public var start: EventTime?
  /// The recurrence rules and dates (RFC 5545 §3.8.5).
  public var recurrence = RecurrenceProperties()
  /// The title (RFC 5545 §3.8.1.12).
  public var summary: String?
  /// The categories (RFC 5545 §3.8.1.2).
  public var categories: Categories = []
  /// The comments (RFC 5545 §3.8.1.4).
  public var comments: [String] = []
  /// The access classification (RFC 5545 §3.8.1.3).
  public var classification = Classification.public
  /// A URI with more information (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The colour, as a CSS3 colour name (RFC 7986 §5.9).
  public var color: String?
  /// The organizer (RFC 5545 §3.8.4.3).
  public var organizer: Organizer?
  /// The attendees (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// The contact information, as texts (RFC 5545 §3.8.4.2).
  public var contacts: [String] = []
  /// The attached documents (RFC 5545 §3.8.1.1).
  public var attachments: [Attachment] = []
  /// The relations to other items (RFC 5545 §3.8.4.5).
  public var relations: [Relation] = []
  /// The results of scheduling requests (RFC 5545 §3.8.8.3).
  public var requestStatuses: [RequestStatus] = []
  /// The fields of later RFCs: images, conferences, participants, links and more.
  public var extensions = ItemExtensions()

  /// The end; if it is nil, an all-day event lasts one day and others have no duration.
  public var end: EventEnd?
  /// The description (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The location, as a text (RFC 5545 §3.8.1.7).
  public var location: String?
  /// The geographic position (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// The status (RFC 5545 §3.8.1.11).
  public var status: EventStatus?
  /// The transparency to free/busy searches (RFC 5545 §3.8.2.7).
  public var transparency = Transparency.opaque
  /// The priority from 1 (highest) through 9, or 0 for undefined (RFC 5545 §3.8.1.9).
  public var priority = 0
  /// The required resources, as texts (RFC 5545 §3.8.1.10).
  public var resources: [String] = []
  /// The alarms (RFC 5545 §3.6.6).
  public var alarms: [Alarm] = []

  /// Creates an empty event.
  public init() {}

  /// Creates an event with the properties that RFC 5545 §3.6.1 requires, and a title.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - stamp: The time at which the event was written, usually now (DTSTAMP).
  ///   - start: The start.
  ///   - summary: The title.
  public init(uid: UID = .random(), stamp: Instant, start: EventTime, summary: String) {
    (self.uid, self.stamp, self.start, self.summary) = (uid, stamp, start, summary)
  }
}

extension Event {
  /// The end; the same as ``end``.
  public var ending: EventEnd? {
    get { end }
    set { end = newValue }
  }

  /// The name of the component.
  public static let componentName = ComponentName.event

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<Event>(
    ComponentMapping<Event>.commonRows + [
      .end(.dtEnd) { swap(&$0.end, &$1) },
      .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
      .one(.location, .text) { swap(&$0.location, &$1) },
      .one(.geo, .geo) { swap(&$0.geo, &$1) },
      .one(.status, .word) { swap(&$0.status, &$1) },
      .one(.transparency, .word, otherwise: .opaque) { swap(&$0.transparency, &$1) },
      .one(.priority, .integer(0...9), otherwise: 0) { swap(&$0.priority, &$1) },
      .list(.resources, .texts) { swap(&$0.resources, &$1) },
      .nested(.alarm, by: \.identity) { swap(&$0.alarms, &$1) },
    ])
}
