// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// A reminder: something to do, with or without a due time (VTODO, RFC 5545 §3.6.2).
///
/// The due time is a calendar date and a clock time, not an instant. Without a time zone, a
/// reminder that is due at nine is due at nine local time everywhere.
public struct Reminder: ItemContent {
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

  /// The due date, or the duration after the start; nil if the reminder has no due date.
  public var due: EventEnd?
  /// The description (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The location, as a text (RFC 5545 §3.8.1.7).
  public var location: String?
  /// The geographic position (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// The status (RFC 5545 §3.8.1.11).
  public var status: ReminderStatus?
  /// The time of completion (RFC 5545 §3.8.2.1).
  public var completed: Instant?
  /// The percentage of completion, from 0 through 100 (RFC 5545 §3.8.1.8).
  public var percentComplete: Int?
  /// The priority from 1 (highest) through 9, or 0 for undefined (RFC 5545 §3.8.1.9).
  public var priority = 0
  /// The required resources, as texts (RFC 5545 §3.8.1.10).
  public var resources: [String] = []
  /// The alarms (RFC 5545 §3.6.6).
  public var alarms: [Alarm] = []

  /// Creates an empty reminder.
  public init() {}

  /// Creates a reminder with the properties that RFC 5545 §3.6.2 requires, and a title.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - stamp: The time at which the reminder was written, usually now (DTSTAMP).
  ///   - due: The due time; nil for none.
  ///   - summary: The title.
  public init(uid: UID = .random(), stamp: Instant, due: EventTime? = nil, summary: String) {
    (self.uid, self.stamp, self.summary) = (uid, stamp, summary)
    self.due = due.map { .time($0) }
  }
}

extension Reminder {
  /// The status that ``status``, ``completed`` and ``percentComplete`` state together.
  package var statedStatus: ReminderStatus? {
    .stated(status, isCompleted: completed != nil, percent: percentComplete)
  }

  /// The due time, if no time zone is needed for it: of a duration, only that of zero is known.
  package var dueTime: EventTime? {
    due == .duration(.zero) ? start : due?.time
  }

  /// Begins when it is due, as a series without a start does (RFC 5545 §3.8.5.3).
  ///
  /// DUE should be later than DTSTART (RFC 5545 §3.8.2.3). A duration of zero would be valid, but
  /// most programs ignore the duration of a reminder and would show no due time. Apple's Reminders
  /// and others write both properties with the same time, too.
  package mutating func beginWhenDue() {
    if let time = due?.time { start = time }
  }
}

extension Reminder {
  /// The due date; the same as ``due``.
  public var ending: EventEnd? {
    get { due }
    set { due = newValue }
  }

  /// The name of the component.
  public static let componentName = ComponentName.reminder

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<Reminder>(
    ComponentMapping<Reminder>.commonRows + [
      .end(.due) { swap(&$0.due, &$1) },
      .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
      .one(.location, .text) { swap(&$0.location, &$1) },
      .one(.geo, .geo) { swap(&$0.geo, &$1) },
      .one(.status, .word) { swap(&$0.status, &$1) },
      .one(.completed, .instant) { swap(&$0.completed, &$1) },
      .one(.percentComplete, .integer(0...100)) { swap(&$0.percentComplete, &$1) },
      .one(.priority, .integer(0...9), otherwise: 0) { swap(&$0.priority, &$1) },
      .list(.resources, .texts) { swap(&$0.resources, &$1) },
      .nested(.alarm, by: \.identity) { swap(&$0.alarms, &$1) },
    ])
}
