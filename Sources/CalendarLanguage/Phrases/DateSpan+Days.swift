// SPDX-License-Identifier: Apache-2.0

package import CivilTime

extension DateSpan {
  /// Whether the span consists of more than one whole day.
  public var isSeveralDays: Bool {
    guard case .date(let first) = start, case .date(let end)? = end else { return false }
    return end.dayNumber - first.dayNumber > 1
  }

  /// The start and the due time of a reminder in the span.
  ///
  /// One day is only due; several days begin on the first and are due on the last one.
  package var reminderTimes: (start: Moment?, due: Moment) {
    guard let end else { return (nil, start) }
    guard case .date(let day) = end else { return (start, end) }
    guard isSeveralDays, let last = day.adding(days: -1) else { return (nil, start) }
    return (start, .date(last))
  }

  /// The due day of a reminder of several days, such as `this week`: the first one, or the last one if the
  /// days have begun; the start of other spans.
  ///
  /// - Parameter today: The current date.
  /// - Returns: The day or the time.
  package func due(on today: CivilDate) -> Moment {
    guard isSeveralDays, case .date(let first) = start, case .date(let end)? = end,
      first <= today, end > today, let last = end.adding(days: -1)
    else { return start }
    return .date(last)
  }
}
