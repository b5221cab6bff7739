// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A resolved TZID, with a name that is equal for all TZIDs with the same meaning.
struct CanonicalZone: Equatable, Sendable {
  /// The name of the zone in the normal form.
  let name: String
  /// The UTC offsets of the zone, or nil if they are unknown.
  let rules: ZoneRules?

  /// The name of UTC; times in this zone are treated as UTC times.
  static let utc = "UTC"

  static func == (left: CanonicalZone, right: CanonicalZone) -> Bool {
    left.name == right.name
  }
}
