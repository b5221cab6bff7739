// SPDX-License-Identifier: Apache-2.0

/// What later RFCs add to items: nearly always nothing, and then it takes no room.
///
/// It is a value: changing a copy changes no other.
public struct ItemExtensions: Hashable, Sendable {
  /// The fields, which are shared until one is changed.
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

  /// Creates extensions that say nothing.
  public init() {}

  /// Whether they say nothing.
  public var isEmpty: Bool { storage == .nothing }

  private var fields: Fields {
    get {
      if case .fields(let fields) = storage { return fields }
      return Fields()
    }
    set { storage = newValue == Fields() ? .nothing : .fields(newValue) }
  }

  /// Images (RFC 7986 §5.10).
  public var images: [Image] {
    get { fields.images }
    set { fields.images = newValue }
  }

  /// How to join conferences (RFC 7986 §5.11).
  public var conferences: [Conference] {
    get { fields.conferences }
    set { fields.conferences = newValue }
  }

  /// What it is about, with layout (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] {
    get { fields.styledDescriptions }
    set { fields.styledDescriptions = newValue }
  }

  /// Data for programs (RFC 9073 §6.6).
  public var structuredData: [StructuredData] {
    get { fields.structuredData }
    set { fields.structuredData = newValue }
  }

  /// Who takes part, whether invited or not (RFC 9073 §7.1).
  public var participants: [Participant] {
    get { fields.participants }
    set { fields.participants = newValue }
  }

  /// Where it takes place, for programs (RFC 9073 §7.2).
  public var structuredLocations: [StructuredLocation] {
    get { fields.structuredLocations }
    set { fields.structuredLocations = newValue }
  }

  /// Things that are needed, for programs (RFC 9073 §7.3).
  public var structuredResources: [StructuredResource] {
    get { fields.structuredResources }
    set { fields.structuredResources = newValue }
  }

  /// URIs of what it is an instance of (RFC 9253 §8.1).
  public var concepts: [String] {
    get { fields.concepts }
    set { fields.concepts = newValue }
  }

  /// References to what lies outside of the calendar (RFC 9253 §8.2).
  public var links: [Link] {
    get { fields.links }
    set { fields.links = newValue }
  }

  /// Words that all items of a group share (RFC 9253 §8.3).
  public var referenceIDs: [String] {
    get { fields.referenceIDs }
    set { fields.referenceIDs = newValue }
  }
}
