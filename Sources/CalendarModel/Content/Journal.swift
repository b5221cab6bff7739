// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// A journal entry: notes for a day (VJOURNAL, RFC 5545 §3.6.3).
public struct Journal: ItemContent {
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

  /// The descriptions, of which a journal entry may have several (RFC 5545 §3.8.1.5).
  public var descriptionTexts: [String] = []
  /// The status (RFC 5545 §3.8.1.11).
  public var status: JournalStatus?

  /// Creates an empty journal entry.
  public init() {}
}

extension Journal {
  /// The end; always nil, because a journal entry has none.
  public var ending: EventEnd? {
    get { nil }
    set {}
  }

  /// The name of the component.
  public static let componentName = ComponentName.journal

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<Journal>(
    ComponentMapping<Journal>.commonRows + [
      .many(.descriptionText, .text) { swap(&$0.descriptionTexts, &$1) },
      .one(.status, .word) { swap(&$0.status, &$1) },
    ])
}
