// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What another item is to one (RFC 5545 §3.2.15).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct RelationshipType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// What it belongs to; so it is where nothing is said.
  public static let parent = RelationshipType(rawValue: "PARENT")
  /// What belongs to it.
  public static let child = RelationshipType(rawValue: "CHILD")
  /// What belongs to the same as it.
  public static let sibling = RelationshipType(rawValue: "SIBLING")
  /// The alarm that it repeats (RFC 9074 §7.1).
  public static let snooze = RelationshipType(rawValue: "SNOOZE")
}
