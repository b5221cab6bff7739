// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// The properties whose change is a revision of the item (RFC 5545 §3.8.7.4, RFC 5546 §2.1.4).
  private static let significant: [PropertyName] = [
    .dtStart, .dtEnd, .due, .duration, .rRule, .exRule, .rDate, .exDate, .status,
  ]

  /// Updates the timestamps of a changed component, and its SEQUENCE after a significant change.
  ///
  /// DTSTAMP is the time at which this information was written. Without METHOD it equals
  /// LAST-MODIFIED (RFC 5545 §3.8.7.2).
  func stamp(_ component: inout Component, since before: Component) {
    guard component != before else { return }
    let isRevision = Self.significant.contains {
      component.properties(named: $0) != before.properties(named: $0)
    }
    if isRevision, isOrganizer {
      let sequence = before[.sequence].flatMap { Int($0.rawValue) } ?? 0
      set(.sequence, to: String(min(sequence, Int(Int32.max) - 1) + 1), in: &component)
    }
    guard let time = now.civil() else { return }
    set(.dtStamp, to: "\(time)Z", in: &component)
    set(.lastModified, to: "\(time)Z", in: &component)
  }

  private func set(_ name: PropertyName, to value: String, in component: inout Component) {
    if var property = component[name] {
      property.rawValue = value
      component[name] = property
    } else {
      component[name] = Property(name, rawValue: value)
    }
  }
}
