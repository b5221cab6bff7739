// SPDX-License-Identifier: Apache-2.0

/// A reference to something outside of the calendar (RFC 9253 §8.2).
public struct Link: Hashable, Sendable {
  /// What it refers to.
  public enum Target: Hashable, Sendable {
    /// Something at a URI.
    case uri(String)
    /// The item of a UID.
    case uid(String)
    /// A part of an XML document (RFC 9253 §7).
    case xmlReference(String)
  }

  /// What it refers to.
  public var target: Target
  /// What that is to the item: a registered relation, or a URI (RFC 9253 §6.1).
  public var relation: String?
  /// The media type (RFC 5545 §3.2.8).
  public var formatType: String?
  /// What it is, for people (RFC 7986 §6.4).
  public var label: String?
  /// The language of what it refers to (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a link.
  public init(_ target: Target, relation: String? = nil) {
    self.target = target
    self.relation = relation
  }
}
