// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// The common fields of events, reminders and journal entries (RFC 5545 §3.6.1 to §3.6.3).
///
/// It is a normalized view of a component. Properties without a field stay in the component.
public protocol ItemContent: ComponentModel {
  /// The UID, or nil if none is assigned yet (RFC 5545 §3.8.4.7).
  var uid: UID? { get set }
  /// The overridden occurrence, or nil for the main component (RFC 5545 §3.8.4.4).
  var recurrenceID: RecurrenceID? { get set }
  /// The time at which the component was written (DTSTAMP, RFC 5545 §3.8.7.2).
  var stamp: Instant? { get set }
  /// The time at which the item was created (RFC 5545 §3.8.7.1).
  var created: Instant? { get set }
  /// The time of the last change (RFC 5545 §3.8.7.3).
  var lastModified: Instant? { get set }
  /// The number of the organizer's significant changes (RFC 5545 §3.8.7.4).
  var sequence: Int { get set }

  /// The start (RFC 5545 §3.8.2.4).
  var start: EventTime? { get set }
  /// The end of an event or the due time of a reminder; a journal entry has none.
  var ending: EventEnd? { get set }
  /// The recurrence rules and dates (RFC 5545 §3.8.5).
  var recurrence: RecurrenceProperties { get set }

  /// The title (RFC 5545 §3.8.1.12).
  var summary: String? { get set }
  /// The categories (RFC 5545 §3.8.1.2).
  var categories: Categories { get set }
  /// The comments (RFC 5545 §3.8.1.4).
  var comments: [String] { get set }
  /// The access classification (RFC 5545 §3.8.1.3).
  var classification: Classification { get set }
  /// A URI with more information (RFC 5545 §3.8.4.6).
  var url: String? { get set }
  /// The colour, as a CSS3 colour name (RFC 7986 §5.9).
  var color: String? { get set }

  /// The organizer (RFC 5545 §3.8.4.3).
  var organizer: Organizer? { get set }
  /// The attendees (RFC 5545 §3.8.4.1).
  var attendees: [Attendee] { get set }
  /// The contact information, as texts (RFC 5545 §3.8.4.2).
  var contacts: [String] { get set }
  /// The attached documents (RFC 5545 §3.8.1.1).
  var attachments: [Attachment] { get set }
  /// The relations to other items (RFC 5545 §3.8.4.5).
  var relations: [Relation] { get set }
  /// The results of scheduling requests (RFC 5545 §3.8.8.3).
  var requestStatuses: [RequestStatus] { get set }
  /// The fields of later RFCs: images, conferences, participants, links and more.
  var extensions: ItemExtensions { get set }
}

extension ComponentMapping where Model: ItemContent {
  /// The rows of the fields that are common to all items.
  static var commonRows: [Row] {
    [
      .one(.uid, .uid) { swap(&$0.uid, &$1) },
      .one(.recurrenceID, .recurrenceID) { swap(&$0.recurrenceID, &$1) },
      .one(.dtStamp, .instant) { swap(&$0.stamp, &$1) },
      .one(.created, .instant) { swap(&$0.created, &$1) },
      .one(.lastModified, .instant) { swap(&$0.lastModified, &$1) },
      .one(.sequence, .integer(0...Int(Int32.max)), otherwise: 0) { swap(&$0.sequence, &$1) },
      .one(.dtStart, .time) { swap(&$0.start, &$1) },
      .many(.rRule, .rule, by: { _ in "rule" }) { swap(&$0.recurrence.rules, &$1) },
      .many(.exRule, .rule, by: { _ in "rule" }) { swap(&$0.recurrence.exclusionRules, &$1) },
      .list(.rDate, .recurrenceDates) { swap(&$0.recurrence.dates, &$1) },
      .list(.exDate, .times) { swap(&$0.recurrence.excludedDates, &$1) },
      .one(.summary, .text) { swap(&$0.summary, &$1) },
      .categories { swap(&$0.categories, &$1) },
      .many(.comment, .text) { swap(&$0.comments, &$1) },
      .one(.classification, .word, otherwise: .public) { swap(&$0.classification, &$1) },
      .one(.url, .uri) { swap(&$0.url, &$1) },
      .one(.color, .text) { swap(&$0.color, &$1) },
      .one(.organizer, .organizer) { swap(&$0.organizer, &$1) },
      .many(.attendee, .attendee, by: { $0.address }) { swap(&$0.attendees, &$1) },
      .many(.contact, .text) { swap(&$0.contacts, &$1) },
      .many(.attach, .attachment, by: { $0.content }) { swap(&$0.attachments, &$1) },
      .many(.relatedTo, .relation, by: { $0.target }) { swap(&$0.relations, &$1) },
      .many(.requestStatus, .requestStatus) { swap(&$0.requestStatuses, &$1) },
    ] + extensionRows
  }

  /// The rows of the fields of later RFCs (RFC 7986, 9073 and 9253).
  private static var extensionRows: [Row] {
    [
      .many(.image, .image, by: { $0.content }) { swap(&$0.images, &$1) },
      .many(.conference, .conference, by: { $0.uri }) { swap(&$0.conferences, &$1) },
      .many(.styledDescription, .styledDescription, by: { $0.formatType }) {
        swap(&$0.styledDescriptions, &$1)
      },
      .many(.structuredData, .structuredData, by: { $0.schema }) { swap(&$0.structuredData, &$1) },
      .nested(.participant, by: \.uid) { swap(&$0.participants, &$1) },
      .nested(.location, by: \.uid) { swap(&$0.structuredLocations, &$1) },
      .nested(.resource, by: \.uid) { swap(&$0.structuredResources, &$1) },
      .many(.concept, .uri) { swap(&$0.concepts, &$1) },
      .many(.link, .link, by: { $0.target }) { swap(&$0.links, &$1) },
      .many(.referenceID, .text) { swap(&$0.referenceIDs, &$1) },
    ]
  }
}

extension ItemContent {
  /// The images (RFC 7986 §5.10).
  public var images: [Image] {
    get { extensions.images }
    set { extensions.images = newValue }
  }

  /// The conferences (RFC 7986 §5.11).
  public var conferences: [Conference] {
    get { extensions.conferences }
    set { extensions.conferences = newValue }
  }

  /// The descriptions with formatting (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] {
    get { extensions.styledDescriptions }
    set { extensions.styledDescriptions = newValue }
  }

  /// The machine-readable data (RFC 9073 §6.6).
  public var structuredData: [StructuredData] {
    get { extensions.structuredData }
    set { extensions.structuredData = newValue }
  }

  /// The participants, invited or not (RFC 9073 §7.1).
  public var participants: [Participant] {
    get { extensions.participants }
    set { extensions.participants = newValue }
  }

  /// The structured locations (RFC 9073 §7.2).
  public var structuredLocations: [StructuredLocation] {
    get { extensions.structuredLocations }
    set { extensions.structuredLocations = newValue }
  }

  /// The structured resources (RFC 9073 §7.3).
  public var structuredResources: [StructuredResource] {
    get { extensions.structuredResources }
    set { extensions.structuredResources = newValue }
  }

  /// The URIs of the item's formal categories (RFC 9253 §8.1).
  public var concepts: [String] {
    get { extensions.concepts }
    set { extensions.concepts = newValue }
  }

  /// The links to external resources (RFC 9253 §8.2).
  public var links: [Link] {
    get { extensions.links }
    set { extensions.links = newValue }
  }

  /// The keys that items of a group share (RFC 9253 §8.3).
  public var referenceIDs: [String] {
    get { extensions.referenceIDs }
    set { extensions.referenceIDs = newValue }
  }
}

/// The fields that later RFCs add to items; they take no space when all are empty.
///
/// It has value semantics: a change of a copy does not affect the original.
public struct ItemExtensions: Hashable, Sendable {
  /// The fields; copies share them until one copy is changed.
  private struct Fields: Hashable, Sendable {
    var images: [Image] = []
    var conferences: [Conference] = []
    var styledDescriptions: [StyledDescription] = []
    var structuredData: [StructuredData] = []
    var participants: [Participant] = []
    var structuredLocations: [StructuredLocation] = []
    var structuredResources: [StructuredResource] = []
    var concepts: [String] = []
    var links: [Link] = []
    var referenceIDs: [String] = []
  }

  private indirect enum Storage: Hashable, Sendable {
    case nothing
    case fields(Fields)
  }

  private var storage = Storage.nothing

  /// Creates empty extensions.
  public init() {}

  /// Whether all fields are empty.
  public var isEmpty: Bool { storage == .nothing }

  private var fields: Fields {
    get {
      if case .fields(let fields) = storage { return fields }
      return Fields()
    }
    set { storage = newValue == Fields() ? .nothing : .fields(newValue) }
  }

  /// The images (RFC 7986 §5.10).
  public var images: [Image] {
    get { fields.images }
    set { fields.images = newValue }
  }

  /// The conferences (RFC 7986 §5.11).
  public var conferences: [Conference] {
    get { fields.conferences }
    set { fields.conferences = newValue }
  }

  /// The descriptions with formatting (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] {
    get { fields.styledDescriptions }
    set { fields.styledDescriptions = newValue }
  }

  /// The machine-readable data (RFC 9073 §6.6).
  public var structuredData: [StructuredData] {
    get { fields.structuredData }
    set { fields.structuredData = newValue }
  }

  /// The participants, invited or not (RFC 9073 §7.1).
  public var participants: [Participant] {
    get { fields.participants }
    set { fields.participants = newValue }
  }

  /// The structured locations (RFC 9073 §7.2).
  public var structuredLocations: [StructuredLocation] {
    get { fields.structuredLocations }
    set { fields.structuredLocations = newValue }
  }

  /// The structured resources (RFC 9073 §7.3).
  public var structuredResources: [StructuredResource] {
    get { fields.structuredResources }
    set { fields.structuredResources = newValue }
  }

  /// The URIs of the item's formal categories (RFC 9253 §8.1).
  public var concepts: [String] {
    get { fields.concepts }
    set { fields.concepts = newValue }
  }

  /// The links to external resources (RFC 9253 §8.2).
  public var links: [Link] {
    get { fields.links }
    set { fields.links = newValue }
  }

  /// The keys that items of a group share (RFC 9253 §8.3).
  public var referenceIDs: [String] {
    get { fields.referenceIDs }
    set { fields.referenceIDs = newValue }
  }
}
