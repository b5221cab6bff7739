// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Properties that mean something only together, and are taken whole from one side.
package enum MergeGroup: String, Hashable, Sendable, CaseIterable {
  /// When it is: a start of one side with an end of the other is a time that nobody chose.
  case time
  /// The rules by which it recurs; two of them would be a series that nobody chose.
  case rule
  /// The time together with everything that says when it recurs.
  ///
  /// Used in place of the others where a side moved the start to another day, zone or type: rules and
  /// dates are reckoned from the start (RFC 5545 §3.8.5).
  case series
  /// How far it is: done, cancelled, to one half.
  case progress
  /// Who it is of; its SEQUENCE follows by the rules of bookkeeping.
  case organizer

  /// The properties of the group.
  package var names: [PropertyName] {
    switch self {
    case .time: [.dtStart, .dtEnd, .duration, .due]
    case .rule: [.rRule, .exRule]
    case .series: MergeGroup.time.names + MergeGroup.rule.names + [.rDate, .exDate]
    case .progress: [.status, .completed, .percentComplete]
    case .organizer: [.organizer]
    }
  }

  /// The group of a property, where `isFused` tells whether the times of the component are one group.
  static func group(of name: PropertyName, isFused: Bool) -> MergeGroup? {
    let table = isFused ? fused : apart
    guard let index = name.index, table.indices.contains(index) else { return nil }
    return table[index]
  }

  private static let apart = table(of: [.time, .rule, .progress, .organizer])
  private static let fused = table(of: [.series, .progress, .organizer])

  /// The group of each known property, by its number.
  private static func table(of groups: [MergeGroup]) -> [MergeGroup?] {
    var table: [MergeGroup?] = []
    for group in groups {
      for index in group.names.compactMap(\.index) {
        while table.count <= index { table.append(nil) }
        table[index] = group
      }
    }
    return table
  }
}
