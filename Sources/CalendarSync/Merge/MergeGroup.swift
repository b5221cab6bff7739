// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Properties with a common meaning, which are always taken from one side as a whole.
package enum MergeGroup: String, Hashable, Sendable, CaseIterable {
  /// The time: a start of one side with an end of the other would be a time that no side chose.
  case time
  /// The recurrence rules: the rules of both sides would form a series that no side chose.
  case rule
  /// The time together with all recurrence properties.
  ///
  /// It replaces the groups `time` and `rule` if a side moved the start to another day, zone or
  /// type, because rules and dates depend on the start (RFC 5545 §3.8.5).
  case series
  /// The progress: completed, cancelled, a percentage.
  case progress
  /// The organizer; SEQUENCE follows it according to the bookkeeping rules.
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

  /// The group of a property; `isFused` states whether all times of the component are one group.
  static func group(of name: PropertyName, isFused: Bool) -> MergeGroup? {
    let table = isFused ? fused : apart
    guard let index = name.index, table.indices.contains(index) else { return nil }
    return table[index]
  }

  private static let apart = table(of: [.time, .rule, .progress, .organizer])
  private static let fused = table(of: [.series, .progress, .organizer])

  /// The groups of all known properties, by property index.
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
