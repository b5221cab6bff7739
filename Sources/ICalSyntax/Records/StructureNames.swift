// SPDX-License-Identifier: Apache-2.0

/// The indices of the names that define the structure of a stream (RFC 5545 §3.4, §3.6).
struct StructureNames: Sendable {
  static let shared = StructureNames()

  /// The indices of BEGIN and END in the property vocabulary.
  let begin: Int
  let end: Int
  /// The index of VCALENDAR in the component vocabulary.
  let calendar: Int
  let properties: NameTable
  let components: NameTable
  /// The components that are directly in a calendar, one bit for each index.
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

  /// Whether a component must be directly in a calendar.
  ///
  /// If it begins inside another component, the END line of that component is missing.
  func isOutermost(_ component: Int?) -> Bool {
    guard let component else { return false }
    return outermost & 1 << UInt64(truncatingIfNeeded: component) != 0
  }
}
