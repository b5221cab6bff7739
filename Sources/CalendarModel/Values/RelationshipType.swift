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
  /// What begins once it is finished (RFC 9253 §4.2).
  public static let finishToStart = RelationshipType(rawValue: "FINISHTOSTART")
  /// What is finished once it is finished.
  public static let finishToFinish = RelationshipType(rawValue: "FINISHTOFINISH")
  /// What is finished once it begins.
  public static let startToFinish = RelationshipType(rawValue: "STARTTOFINISH")
  /// What begins once it begins.
  public static let startToStart = RelationshipType(rawValue: "STARTTOSTART")
  /// What comes first in a series of items (RFC 9253 §4.3).
  public static let first = RelationshipType(rawValue: "FIRST")
  /// What comes next in a series of items.
  public static let next = RelationshipType(rawValue: "NEXT")
  /// What it cannot do without (RFC 9253 §4.4).
  public static let dependsOn = RelationshipType(rawValue: "DEPENDS-ON")
  /// Items with this reference are related to it (RFC 9253 §4.5).
  public static let reference = RelationshipType(rawValue: "REFID")
  /// Items with this concept are related to it (RFC 9253 §4.5).
  public static let concept = RelationshipType(rawValue: "CONCEPT")
}
