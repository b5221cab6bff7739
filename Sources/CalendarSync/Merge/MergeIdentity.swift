// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// What tells the properties of a component apart that are merged one by one.
package enum MergeIdentity: Hashable, Sendable, CaseIterable {
  /// Nothing but the name, and it never conflicts.
  case bookkeeping
  /// The group that is taken whole.
  case group
  /// The calendar address, in lower case (RFC 5545 §3.8.4.1).
  case address
  /// The day or time, in whatever zone it is written.
  case moment
  /// The value of a list (RFC 5545 §3.1.1).
  case listValue
  /// The value of a property that may stand several times.
  case value
  /// The name.
  case name

  /// What tells a property apart in a component.
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
