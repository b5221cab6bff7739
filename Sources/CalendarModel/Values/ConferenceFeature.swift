// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A feature of a conference (RFC 7986 §6.3).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ConferenceFeature: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Audio.
  public static let audio = ConferenceFeature(rawValue: "AUDIO")
  /// Text chat.
  public static let chat = ConferenceFeature(rawValue: "CHAT")
  /// A blog or an Atom feed.
  public static let feed = ConferenceFeature(rawValue: "FEED")
  /// Moderator access.
  public static let moderator = ConferenceFeature(rawValue: "MODERATOR")
  /// A telephone conference.
  public static let phone = ConferenceFeature(rawValue: "PHONE")
  /// Screen sharing.
  public static let screen = ConferenceFeature(rawValue: "SCREEN")
  /// Video.
  public static let video = ConferenceFeature(rawValue: "VIDEO")
}
