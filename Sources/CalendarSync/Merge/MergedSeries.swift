// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// The occurrences of a merged series, for finding overrides without an occurrence.
struct MergedSeries {
  private let start: EventTime
  private let instances: RecurrenceInstances
  private let clock: MergeClock

  /// Creates the series, or nil if it does not recur or its rules cannot be expanded.
  init?(_ main: Component, _ clock: MergeClock) {
    guard let start = clock.time(of: main[.dtStart]),
      let recurrenceClock = clock.recurrenceClock(of: start)
    else { return nil }
    var set = RecurrenceSet(start: start.wallTime, clock: recurrenceClock)
    for property in main.properties(named: .rRule) {
      guard case .recurrence(let rule)? = property.typedValues.first else { return nil }
      set.rules.append(rule)
    }
    guard !set.rules.isEmpty else { return nil }
    for property in main.properties(named: .rDate) {
      for value in property.listValues {
        guard let time = clock.time(of: property.with(rawValue: value)),
          let wall = clock.wall(of: time, on: start)
        else { continue }
        set.dates.append(.local(wall))
      }
    }
    do throws(ExpansionError) { instances = try set.instances() } catch { return nil }
    self.start = start
    self.clock = clock
  }

  /// Whether the series is known not to contain the occurrence of an override.
  func lacks(_ override: Component) -> Bool {
    guard let time = clock.time(of: override[.recurrenceID]),
      let wall = clock.wall(of: time, on: start)
    else { return false }
    let next = instances.starting(at: wall).first { _ in true }
    return next?.local != wall
  }
}
