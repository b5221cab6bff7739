// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The identity of separately merged properties in a component.
package enum MergeIdentity: Hashable, Sendable, CaseIterable {
  /// The name; the property never conflicts.
  case bookkeeping
  /// The group, which is taken as a whole.
  case group
  /// The calendar address, in lower case (RFC 5545 §3.8.4.1).
  case address
  /// The date or time, regardless of its zone.
  case moment
  /// The value in a list (RFC 5545 §3.1.1).
  case listValue
  /// The value of a property that may occur several times.
  case value
  /// The name.
  case name

  /// The identity of a property in a component.
  package static func of(_ name: PropertyName, in component: ComponentName) -> MergeIdentity {
    if MergeBookkeeping.rule(for: name) != nil { return .bookkeeping }
    if MergeGroup.group(of: name, isFused: false) != nil { return .group }
    if name == .attendee { return .address }
    if name == .exDate || name == .rDate { return .moment }
    guard let row = PropertyTable.row(for: name),
      let occurrence = row.occurrence(in: ComponentSet(component))
    else { return .name }
    if row.separator == .comma, occurrence != .upToOne { return .listValue }
    return occurrence == .any ? .value : .name
  }
}
