// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

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
