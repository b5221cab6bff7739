// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What a filter says of an item.
enum FilterVerdict: Hashable, Sendable {
  /// It is brought to the other side.
  case inside
  /// It stays where it is, until then at least; for ever if it is not changed and there is no such time.
  case outside(until: Instant?)
}
