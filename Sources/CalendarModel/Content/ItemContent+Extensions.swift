// SPDX-License-Identifier: Apache-2.0

extension ItemContent {
  /// Images (RFC 7986 §5.10).
  public var images: [Image] {
    get { extensions.images }
    set { extensions.images = newValue }
  }

  /// How to join conferences (RFC 7986 §5.11).
  public var conferences: [Conference] {
    get { extensions.conferences }
    set { extensions.conferences = newValue }
  }

  /// What it is about, with layout (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] {
    get { extensions.styledDescriptions }
    set { extensions.styledDescriptions = newValue }
  }

  /// Data for programs (RFC 9073 §6.6).
  public var structuredData: [StructuredData] {
    get { extensions.structuredData }
    set { extensions.structuredData = newValue }
  }

  /// Who takes part, whether invited or not (RFC 9073 §7.1).
  public var participants: [Participant] {
    get { extensions.participants }
    set { extensions.participants = newValue }
  }

  /// Where it takes place, for programs (RFC 9073 §7.2).
  public var structuredLocations: [StructuredLocation] {
    get { extensions.structuredLocations }
    set { extensions.structuredLocations = newValue }
  }

  /// Things that are needed, for programs (RFC 9073 §7.3).
  public var structuredResources: [StructuredResource] {
    get { extensions.structuredResources }
    set { extensions.structuredResources = newValue }
  }

  /// URIs of what it is an instance of (RFC 9253 §8.1).
  public var concepts: [String] {
    get { extensions.concepts }
    set { extensions.concepts = newValue }
  }

  /// References to what lies outside of the calendar (RFC 9253 §8.2).
  public var links: [Link] {
    get { extensions.links }
    set { extensions.links = newValue }
  }

  /// Words that all items of a group share (RFC 9253 §8.3).
  public var referenceIDs: [String] {
    get { extensions.referenceIDs }
    set { extensions.referenceIDs = newValue }
  }
}
