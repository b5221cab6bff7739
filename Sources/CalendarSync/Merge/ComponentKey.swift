// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// What tells the components of one item apart: nothing but the moment of the RECURRENCE-ID
/// (RFC 5545 §3.8.4.4), since kind and UID are the same for all.
struct ComponentKey: Hashable {
  /// The moment, or nil for the main component.
  let moment: MergeMoment?
  /// Which of several with the same moment it is, from 0; a valid item has only one.
  private let ordinal: Int

  /// The main component.
  static let main = ComponentKey(moment: nil, ordinal: 0)

  /// The components by key.
  static func keyed(
    _ components: [Component], _ clock: MergeClock
  ) -> KeyedComponents<ComponentKey> {
    var counts: [MergeMoment?: Int] = [:]
    let keys = components.map { component in
      let moment = component[.recurrenceID].map { clock.moment(of: $0) }
      defer { counts[moment, default: 0] += 1 }
      return ComponentKey(moment: moment, ordinal: counts[moment, default: 0])
    }
    return KeyedComponents(keys: keys, components: components)
  }
}
