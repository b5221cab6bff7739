// SPDX-License-Identifier: Apache-2.0

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
