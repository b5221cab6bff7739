// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// A relation to another item (RFC 5545 §3.8.4.5).
public struct Relation: Hashable, Sendable {
  /// The identifier of the other item, usually its UID.
  public var target: String
  /// The role of the other item.
  public var type: RelationshipType
  /// The lead or lag time between the two items in a temporal relation (RFC 9253 §6.2).
  public var gap: CivilDuration?

  /// Creates a relation.
  public init(to target: String, type: RelationshipType = .parent, gap: CivilDuration? = nil) {
    self.target = target
    self.type = type
    self.gap = gap
  }
}

/// The role of another item in a relation (RFC 5545 §3.2.15).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct RelationshipType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// A parent of this item; the default.
  public static let parent = RelationshipType(rawValue: "PARENT")
  /// A child of this item.
  public static let child = RelationshipType(rawValue: "CHILD")
  /// A sibling of this item.
  public static let sibling = RelationshipType(rawValue: "SIBLING")
  /// The original alarm of a snooze alarm (RFC 9074 §7.1).
  public static let snooze = RelationshipType(rawValue: "SNOOZE")
  /// The other item starts after this item finishes (RFC 9253 §4.2).
  public static let finishToStart = RelationshipType(rawValue: "FINISHTOSTART")
  /// The other item finishes after this item finishes.
  public static let finishToFinish = RelationshipType(rawValue: "FINISHTOFINISH")
  /// The other item finishes after this item starts.
  public static let startToFinish = RelationshipType(rawValue: "STARTTOFINISH")
  /// The other item starts after this item starts.
  public static let startToStart = RelationshipType(rawValue: "STARTTOSTART")
  /// The first item of a series of items (RFC 9253 §4.3).
  public static let first = RelationshipType(rawValue: "FIRST")
  /// The next item of a series of items.
  public static let next = RelationshipType(rawValue: "NEXT")
  /// An item on which this item depends (RFC 9253 §4.4).
  public static let dependsOn = RelationshipType(rawValue: "DEPENDS-ON")
  /// The items with this REFID (RFC 9253 §4.5).
  public static let reference = RelationshipType(rawValue: "REFID")
  /// The items with this CONCEPT (RFC 9253 §4.5).
  public static let concept = RelationshipType(rawValue: "CONCEPT")
}

/// A reference to a resource outside of the calendar (RFC 9253 §8.2).
public struct Link: Hashable, Sendable {
  /// The target of a link.
  public enum Target: Hashable, Sendable {
    /// A resource at a URI.
    case uri(String)
    /// The item with a UID.
    case uid(String)
    /// A part of an XML document (RFC 9253 §7).
    case xmlReference(String)
  }

  /// The target.
  public var target: Target
  /// The link relation: a registered relation type or a URI (RFC 9253 §6.1).
  public var relation: String?
  /// The media type (RFC 5545 §3.2.8).
  public var formatType: String?
  /// The label, for display (RFC 7986 §6.4).
  public var label: String?
  /// The language of the target (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a link.
  public init(_ target: Target, relation: String? = nil) {
    self.target = target
    self.relation = relation
  }
}

/// The access to a conference (RFC 7986 §5.11).
public struct Conference: Hashable, Sendable {
  /// The URI for joining.
  public var uri: String
  /// The features of the conference, such as audio.
  public var features: [ConferenceFeature] = []
  /// The label, for display (RFC 7986 §6.4).
  public var label: String?
  /// The language of the label (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a conference.
  public init(_ uri: String, label: String? = nil) {
    self.uri = uri
    self.label = label
  }
}

/// A feature of a conference (RFC 7986 §6.3).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ConferenceFeature: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Audio.
  public static let audio = ConferenceFeature(rawValue: "AUDIO")
  /// Text chat.
  public static let chat = ConferenceFeature(rawValue: "CHAT")
  /// A blog or an Atom feed.
  public static let feed = ConferenceFeature(rawValue: "FEED")
  /// Moderator access.
  public static let moderator = ConferenceFeature(rawValue: "MODERATOR")
  /// A telephone conference.
  public static let phone = ConferenceFeature(rawValue: "PHONE")
  /// Screen sharing.
  public static let screen = ConferenceFeature(rawValue: "SCREEN")
  /// Video.
  public static let video = ConferenceFeature(rawValue: "VIDEO")
}
