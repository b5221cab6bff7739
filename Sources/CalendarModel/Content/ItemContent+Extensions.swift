// SPDX-License-Identifier: Apache-2.0

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
