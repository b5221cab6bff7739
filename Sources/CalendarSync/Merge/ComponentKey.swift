// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The identity of a component in an item: the occurrence that it describes (RFC 5545 §3.8.4.4).
///
/// Kind and UID are the same for all components.
struct ComponentKey: Hashable {
  /// The occurrence, or the series as a whole.
  let occurrence: OccurrenceKey
  /// The index among components with the same occurrence, from 0; a valid item has only one.
  private let ordinal: Int

  /// The main component.
  static let main = ComponentKey(occurrence: .series, ordinal: 0)

  /// The components by key.
  static func keyed(
    _ components: [Component], _ clock: MergeClock
  ) -> KeyedComponents<ComponentKey> {
    var counts: [OccurrenceKey: Int] = [:]
    let keys = components.map { component in
      let occurrence = clock.occurrence(of: component)
      defer { counts[occurrence, default: 0] += 1 }
      return ComponentKey(occurrence: occurrence, ordinal: counts[occurrence, default: 0])
    }
    return KeyedComponents(keys: keys, components: components)
  }
}
