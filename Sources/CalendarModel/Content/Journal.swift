// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// An entry in a journal: what was noted on a day (VJOURNAL, RFC 5545 §3.6.3).
public struct Journal: ItemContent {
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

  /// What was noted; there may be several texts (RFC 5545 §3.8.1.5).
  public var descriptionTexts: [String] = []
  /// How far it is (RFC 5545 §3.8.1.11).
  public var status: JournalStatus?

  /// Creates an entry that says nothing.
  public init() {}
}

extension Journal {
  /// None: an entry is of a day and does not end.
  public var ending: EventEnd? {
    get { nil }
    set {}
  }

  /// The name of the component.
  public static let componentName = ComponentName.journal

  /// How its fields stand in the properties of the component.
  public static let mapping = ComponentMapping<Journal>(
    ComponentMapping<Journal>.commonRows + [
      .many(.descriptionText, .text) { swap(&$0.descriptionTexts, &$1) },
      .one(.status, .word) { swap(&$0.status, &$1) },
    ])
}
