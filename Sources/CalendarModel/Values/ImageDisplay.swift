// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// How an image is meant to be shown (RFC 7986 §6.1).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct ImageDisplay: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Beside the title; so it is where nothing is said.
  public static let badge = ImageDisplay(rawValue: "BADGE")
  /// In the place of the title.
  public static let graphic = ImageDisplay(rawValue: "GRAPHIC")
  /// To be looked at by itself.
  public static let fullsize = ImageDisplay(rawValue: "FULLSIZE")
  /// Where many are shown at once.
  public static let thumbnail = ImageDisplay(rawValue: "THUMBNAIL")
}
