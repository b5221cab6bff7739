// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The result of a filter for an item.
enum FilterVerdict: Hashable, Sendable {
  /// The item is copied to the other side.
  case inside
  /// The item is not copied, at least until this time; nil if only an edit can change this.
  case outside(until: Instant?)
}
