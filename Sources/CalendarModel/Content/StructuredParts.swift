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

/// The type of a participation (RFC 9073 §6.2).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ParticipantType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Takes part.
  public static let active = ParticipantType(rawValue: "ACTIVE")
  /// Does not take part.
  public static let inactive = ParticipantType(rawValue: "INACTIVE")
  /// A sponsor.
  public static let sponsor = ParticipantType(rawValue: "SPONSOR")
  /// A contact for information.
  public static let contact = ParticipantType(rawValue: "CONTACT")
  /// A contact for bookings.
  public static let bookingContact = ParticipantType(rawValue: "BOOKING-CONTACT")
  /// A contact for emergencies.
  public static let emergencyContact = ParticipantType(rawValue: "EMERGENCY-CONTACT")
  /// A contact for the press.
  public static let publicityContact = ParticipantType(rawValue: "PUBLICITY-CONTACT")
  /// A contact for planning.
  public static let plannerContact = ParticipantType(rawValue: "PLANNER-CONTACT")
  /// A performer.
  public static let performer = ParticipantType(rawValue: "PERFORMER")
  /// A speaker.
  public static let speaker = ParticipantType(rawValue: "SPEAKER")
}

/// A structured location (VLOCATION, RFC 9073 §7.2).
public struct StructuredLocation: ComponentModel {
  /// The UID, for references (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The display name (RFC 7986 §5.1).
  public var name: String?
  /// The description (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The geographic position (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// The types of location (RFC 9073 §6.1).
  public var types: [String] = []
  /// A URI with more information (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The descriptions with formatting (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] = []
  /// The machine-readable data (RFC 9073 §6.6).
  public var structuredData: [StructuredData] = []

  /// Creates an empty value.
  public init() {}
}

extension StructuredLocation {
  /// The name of the component.
  public static let componentName = ComponentName.location

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<StructuredLocation>([
    .one(.uid, .uid) { swap(&$0.uid, &$1) },
    .one(.name, .text) { swap(&$0.name, &$1) },
    .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
    .one(.geo, .geo) { swap(&$0.geo, &$1) },
    .list(.locationType, .texts) { swap(&$0.types, &$1) },
    .one(.url, .uri) { swap(&$0.url, &$1) },
    .many(.styledDescription, .styledDescription) { swap(&$0.styledDescriptions, &$1) },
    .many(.structuredData, .structuredData) { swap(&$0.structuredData, &$1) },
  ])
}

/// A structured resource (VRESOURCE, RFC 9073 §7.3).
public struct StructuredResource: ComponentModel {
  /// The UID, for references (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The display name (RFC 7986 §5.1).
  public var name: String?
  /// The description (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The type of resource, such as ROOM or PROJECTOR (RFC 9073 §6.3).
  public var type: String?
  /// The geographic position (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// A URI with more information (RFC 5545 §3.8.4.6).
  public var url: String?
  /// The descriptions with formatting (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] = []
  /// The machine-readable data (RFC 9073 §6.6).
  public var structuredData: [StructuredData] = []

  /// Creates an empty value.
  public init() {}
}

extension StructuredResource {
  /// The name of the component.
  public static let componentName = ComponentName.resource

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<StructuredResource>([
    .one(.uid, .uid) { swap(&$0.uid, &$1) },
    .one(.name, .text) { swap(&$0.name, &$1) },
    .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
    .one(.resourceType, .text) { swap(&$0.type, &$1) },
    .one(.geo, .geo) { swap(&$0.geo, &$1) },
    .one(.url, .uri) { swap(&$0.url, &$1) },
    .many(.styledDescription, .styledDescription) { swap(&$0.styledDescriptions, &$1) },
    .many(.structuredData, .structuredData) { swap(&$0.structuredData, &$1) },
  ])
}
