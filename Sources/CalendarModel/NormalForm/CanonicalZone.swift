// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What a TZID means, by a name that is the same for all that mean the same.
struct CanonicalZone: Equatable, Sendable {
  /// What stands for the zone in the normal form.
  let name: String
  /// What its clocks do, or nil if that is not known.
  let rules: ZoneRules?

  /// The name under which times in UTC need no zone.
  static let utc = "UTC"

  static func == (left: CanonicalZone, right: CanonicalZone) -> Bool {
    left.name == right.name
  }
}
