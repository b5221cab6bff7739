// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// An event, or one occurrence of it that differs (VEVENT, RFC 5545 §3.6.1).
///
/// ```swift
/// var event = Event(component)
/// event.location = "Room 2"
/// event.write(to: &component)  // changes the LOCATION and nothing else
/// ```
public struct Event: ItemContent {
  /// The UID, or nil if there is none yet (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// Which occurrence this describes, or nil for the item as a whole (RFC 5545 §3.8.4.4).
  public var recurrenceID: RecurrenceID?
  /// When the component was written (DTSTAMP, RFC 5545 §3.8.7.2).
  public var stamp: Instant?
  /// When the item was made (RFC 5545 §3.8.7.1).
  public var created: Instant?
  /// When the item was changed last (RFC 5545 §3.8.7.3).
  public var lastModified: Instant?
  /// How often the organizer made a significant change (RFC 5545 §3.8.7.4).
  public var sequence = 0
  /// When it starts (RFC 5545 §3.8.2.4).
  public var start: EventTime?
  /// How it recurs (RFC 5545 §3.8.5).
  public var recurrence = RecurrenceProperties()
  /// The title (RFC 5545 §3.8.1.12).
  public var summary: String?
  /// Words by which items are sorted (RFC 5545 §3.8.1.2).
  public var categories: Categories = []
  /// Remarks (RFC 5545 §3.8.1.4).
  public var comments: [String] = []
  /// Who may see it (RFC 5545 §3.8.1.3).
  public var classification = Classification.everyone
  /// A URI that tells more (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The name of a colour of CSS3 (RFC 7986 §5.9).
  public var color: String?
  /// Who organizes it (RFC 5545 §3.8.4.3).
  public var organizer: Organizer?
  /// Who takes part (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// Whom to ask, as texts (RFC 5545 §3.8.4.2).
  public var contacts: [String] = []
  /// Documents (RFC 5545 §3.8.1.1).
  public var attachments: [Attachment] = []
  /// Other items that it belongs to (RFC 5545 §3.8.4.5).
  public var relations: [Relation] = []
  /// What became of scheduling requests (RFC 5545 §3.8.8.3).
  public var requestStatuses: [RequestStatus] = []
  /// What later RFCs add: images, conferences, participants, links and more.
  public var extensions = ItemExtensions()

  /// How it ends; nil for the end of the day, or at once, where nothing is said.
  public var end: EventEnd?
  /// What it is about, at length (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// Where it takes place, for people (RFC 5545 §3.8.1.7).
  public var location: String?
  /// Where it takes place on the globe (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// How settled it is (RFC 5545 §3.8.1.11).
  public var status: EventStatus?
  /// Whether it takes up time (RFC 5545 §3.8.2.7).
  public var transparency = Transparency.opaque
  /// How important it is, from 1, the most, through 9; 0 says nothing (RFC 5545 §3.8.1.9).
  public var priority = 0
  /// Things that are needed (RFC 5545 §3.8.1.10).
  public var resources: [String] = []
  /// What goes off before it (RFC 5545 §3.6.6).
  public var alarms: [Alarm] = []

  /// Creates an event that says nothing.
  public init() {}
}

extension Event {
  /// When it ends or is due: the same as ``end``.
  public var ending: EventEnd? {
    get { end }
    set { end = newValue }
  }

  /// The name of the component.
  public static let componentName = ComponentName.event

  /// How its fields stand in the properties of the component.
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
