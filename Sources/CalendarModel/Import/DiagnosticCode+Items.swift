// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

extension DiagnosticCode {
  /// A component has no UID, and gets one derived from its content.
  public static let derivedUID = DiagnosticCode(rawValue: "item.derived-uid")
  /// A component is truncated or incorrectly nested, and is omitted.
  public static let incompleteItem = DiagnosticCode(rawValue: "item.incomplete")
  /// A component is not an item, and is omitted.
  public static let unknownItem = DiagnosticCode(rawValue: "item.unknown")
  /// A component equals another one of its item, and is omitted.
  public static let repeatedItem = DiagnosticCode(rawValue: "item.repeated")
  /// A component is an older version of another one of its item, and is omitted.
  public static let supersededItem = DiagnosticCode(rawValue: "item.superseded")
  /// Components of different items share a UID; one of them gets another UID.
  public static let sharedUID = DiagnosticCode(rawValue: "item.shared-uid")
  /// The overrides of a series are too far from its main component to be grouped with it.
  public static let scatteredItem = DiagnosticCode(rawValue: "item.scattered")
  /// A time zone has two different definitions.
  public static let timeZoneConflict = DiagnosticCode(rawValue: "time-zone.conflict")
}
