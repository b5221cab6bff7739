// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension DateSpan {
  /// Whether the span consists of more than one whole day.
  public var isSeveralDays: Bool {
    guard case .date(let first) = start, case .date(let end)? = end else { return false }
    return end.dayNumber - first.dayNumber > 1
  }
}
