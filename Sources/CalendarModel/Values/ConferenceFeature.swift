// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What a conference can carry (RFC 7986 §6.3).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct ConferenceFeature: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Sound.
  public static let audio = ConferenceFeature(rawValue: "AUDIO")
  /// Written messages.
  public static let chat = ConferenceFeature(rawValue: "CHAT")
  /// A blog or an Atom feed.
  public static let feed = ConferenceFeature(rawValue: "FEED")
  /// What only the moderator needs.
  public static let moderator = ConferenceFeature(rawValue: "MODERATOR")
  /// A telephone line.
  public static let phone = ConferenceFeature(rawValue: "PHONE")
  /// What a screen shows.
  public static let screen = ConferenceFeature(rawValue: "SCREEN")
  /// Moving images.
  public static let video = ConferenceFeature(rawValue: "VIDEO")
}
