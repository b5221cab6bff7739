// SPDX-License-Identifier: Apache-2.0

/// The names that make the structure of a stream (RFC 5545 §3.4, §3.6), by their numbers.
struct StructureNames: Sendable {
  static let shared = StructureNames()

  /// BEGIN and END, among the properties.
  let begin: Int
  let end: Int
  /// VCALENDAR, among the components.
  let calendar: Int
  let properties: NameTable
  let components: NameTable
  /// The numbers of the components that stand directly in a calendar, one bit each.
  private let outermost: UInt64

  private init() {
    begin = PropertyName("BEGIN").index ?? -1
    end = PropertyName("END").index ?? -1
    calendar = ComponentName.calendar.index ?? -1
    properties = PropertyVocabulary.table
    components = ComponentVocabulary.table
    let outermost: [ComponentName] = [
      .event, .reminder, .journal, .freeBusy, .timeZone, .availability,
    ]
    self.outermost = outermost.reduce(0) { $0 | 1 << UInt64($1.index ?? 63) }
  }

  /// Whether the component stands directly in a calendar: one inside another is one whose END is
  /// missing.
  func isOutermost(_ component: Int?) -> Bool {
    guard let component else { return false }
    return outermost & 1 << UInt64(truncatingIfNeeded: component) != 0
  }
}
