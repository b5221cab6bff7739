// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

extension DiagnosticCode {
  /// A component has no UID, and gets one that is made of its content.
  public static let derivedUID = DiagnosticCode(rawValue: "item.derived-uid")
  /// A component is cut off or mis-nested, and is left out.
  public static let incompleteItem = DiagnosticCode(rawValue: "item.incomplete")
  /// A component is of a kind that is no item, and is left out.
  public static let unknownItem = DiagnosticCode(rawValue: "item.unknown")
  /// A component says the same as another one of its item, and is left out.
  public static let repeatedItem = DiagnosticCode(rawValue: "item.repeated")
  /// A component is an older version of another one of its item, and is left out.
  public static let supersededItem = DiagnosticCode(rawValue: "item.superseded")
  /// Two components that are not one item share a UID; one of them gets another.
  public static let sharedUID = DiagnosticCode(rawValue: "item.shared-uid")
  /// The overrides of a series stand too far from its main component to be read together with it.
  public static let scatteredItem = DiagnosticCode(rawValue: "item.scattered")
  /// A time zone is defined twice, and differently.
  public static let timeZoneConflict = DiagnosticCode(rawValue: "time-zone.conflict")
}
