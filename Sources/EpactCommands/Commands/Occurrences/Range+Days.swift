// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact

extension Range<Instant> {
  /// The days of the range in a time zone, possibly with the following day.
  func days(in zone: ZoneRules) -> ClosedRange<CivilDate> {
    let first = zone.civil(at: lowerBound)?.date ?? .first
    let last = zone.civil(at: upperBound)?.date ?? .last
    return first...Swift.max(first, last)
  }
}
