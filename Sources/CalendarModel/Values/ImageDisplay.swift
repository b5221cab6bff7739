// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// An intended display mode of an image (RFC 7986 §6.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ImageDisplay: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Beside the title; the default.
  public static let badge = ImageDisplay(rawValue: "BADGE")
  /// Instead of the title.
  public static let graphic = ImageDisplay(rawValue: "GRAPHIC")
  /// In full size.
  public static let fullsize = ImageDisplay(rawValue: "FULLSIZE")
  /// As a thumbnail, where many images are shown.
  public static let thumbnail = ImageDisplay(rawValue: "THUMBNAIL")
}
