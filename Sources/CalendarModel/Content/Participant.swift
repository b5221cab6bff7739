// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A person or group with a role in an item, invited or not (PARTICIPANT, RFC 9073 §7.1).
public struct Participant: ComponentModel {
  /// The UID, for references (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The type of participation (RFC 9073 §6.2).
  public var type: ParticipantType?
  /// The address of the attendee that the participant describes (RFC 9073 §6.4).
  public var calendarAddress: CalendarAddress?
  /// The display name (RFC 5545 §3.8.1.12).
  public var summary: String?
  /// The description (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The geographic position (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// The locations of the participation, as texts (RFC 5545 §3.8.1.7).
  public var locations: [String] = []
  /// The structured locations of the participation (RFC 9073 §7.2).
  public var structuredLocations: [StructuredLocation] = []
  /// The structured resources of the participation (RFC 9073 §7.3).
  public var structuredResources: [StructuredResource] = []
  /// The attached documents (RFC 5545 §3.8.1.1).
  public var attachments: [Attachment] = []
  /// The contact information, as texts (RFC 5545 §3.8.4.2).
  public var contacts: [String] = []
  /// The categories (RFC 5545 §3.8.1.2).
  public var categories: Categories = []
  /// A URI with more information (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The descriptions with formatting (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] = []
  /// The machine-readable data (RFC 9073 §6.6).
  public var structuredData: [StructuredData] = []

  /// Creates an empty value.
  public init() {}
}

extension Participant {
  /// The name of the component.
  public static let componentName = ComponentName.participant

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<Participant>([
    .one(.uid, .uid) { swap(&$0.uid, &$1) },
    .one(.participantType, .word) { swap(&$0.type, &$1) },
    .one(.calendarAddress, .address) { swap(&$0.calendarAddress, &$1) },
    .one(.summary, .text) { swap(&$0.summary, &$1) },
    .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
    .one(.geo, .geo) { swap(&$0.geo, &$1) },
    .many(.location, .text) { swap(&$0.locations, &$1) },
    .nested(.location, by: \.uid) { swap(&$0.structuredLocations, &$1) },
    .nested(.resource, by: \.uid) { swap(&$0.structuredResources, &$1) },
    .many(.attach, .attachment, by: { $0.content }) { swap(&$0.attachments, &$1) },
    .many(.contact, .text) { swap(&$0.contacts, &$1) },
    .categories { swap(&$0.categories, &$1) },
    .one(.url, .uri) { swap(&$0.url, &$1) },
    .many(.styledDescription, .styledDescription) { swap(&$0.styledDescriptions, &$1) },
    .many(.structuredData, .structuredData) { swap(&$0.structuredData, &$1) },
  ])
}
