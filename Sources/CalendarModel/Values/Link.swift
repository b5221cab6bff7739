// SPDX-License-Identifier: Apache-2.0

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
