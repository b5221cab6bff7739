// SPDX-License-Identifier: Apache-2.0

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
