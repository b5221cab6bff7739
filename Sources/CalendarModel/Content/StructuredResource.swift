// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A thing that is needed, described for programs (VRESOURCE, RFC 9073 §7.3).
public struct StructuredResource: ComponentModel {
  /// The UID, by which others refer to it (RFC 5545 §3.8.4.7).
  public var uid: UID?
  /// The name, for people (RFC 7986 §5.1).
  public var name: String?
  /// What it is, at length (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// What kind of thing it is, such as ROOM or PROJECTOR (RFC 9073 §6.3).
  public var type: String?
  /// Where it is on the globe (RFC 5545 §3.8.1.6).
  public var geo: GeoPoint?
  /// A URI that tells more (RFC 5545 §3.8.4.6).
  public var url: String?
  /// What it is about, with layout (RFC 9073 §6.5).
  public var styledDescriptions: [StyledDescription] = []
  /// Data for programs (RFC 9073 §6.6).
  public var structuredData: [StructuredData] = []

  /// Creates a value that says nothing.
  public init() {}
}

extension StructuredResource {
  /// The name of the component.
  public static let componentName = ComponentName.resource

  /// How its fields stand in the properties of the component.
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
