// SPDX-License-Identifier: Apache-2.0

/// How to join a conference (RFC 7986 §5.11).
public struct Conference: Hashable, Sendable {
  /// The URI by which one joins.
  public var uri: String
  /// What it carries.
  public var features: [ConferenceFeature] = []
  /// What it is, for people (RFC 7986 §6.4).
  public var label: String?
  /// The language of the label (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a conference.
  public init(_ uri: String, label: String? = nil) {
    self.uri = uri
    self.label = label
  }
}
