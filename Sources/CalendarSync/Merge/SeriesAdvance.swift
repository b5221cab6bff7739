// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

// Worked example (scenario task-completed-once-here-twice-there). A weekly reminder is completed
// once here and twice there. Each completion moves the series to the next occurrence:
//
//     base    DTSTART:20260302T090000   RRULE:FREQ=WEEKLY;COUNT=10
//     local   DTSTART:20260309T090000   RRULE:FREQ=WEEKLY;COUNT=9
//     remote  DTSTART:20260316T090000   RRULE:FREQ=WEEKLY;COUNT=8
//     merged  DTSTART:20260316T090000   RRULE:FREQ=WEEKLY;COUNT=8

/// The advance of a recurring reminder on both sides.
///
/// Programs complete an occurrence of a recurring reminder by moving the series to the next one. If
/// both sides did only that, the occurrences before the later start are done on one of them.
struct SeriesAdvance {
  /// The maximum number of occurrences that are compared.
  private static let limit = 10_000

  /// The side with the later start.
  let further: MergeSide

  /// Compares the starts; nil unless both sides moved the start of their base to one of its
  /// occurrences, and changed the number of occurrences accordingly.
  init?(_ versions: MergeVersions, _ clock: MergeClock) {
    guard versions.local.name == .reminder,
      let here = Self.distance(from: versions.localBase, to: versions.local, clock),
      let there = Self.distance(from: versions.remoteBase, to: versions.remote, clock),
      here != there
    else { return nil }
    further = here > there ? .local : .remote
  }

  /// Whether a version completed occurrences of the reminder in its base and changed its times in no
  /// other way, so that its dates are at the same places.
  static func isAdvance(from base: Component?, to side: Component?, _ clock: MergeClock) -> Bool {
    guard let side, side.name == .reminder else { return false }
    return distance(from: base, to: side, clock) != nil
  }

  /// The number of occurrences by which a series was advanced; nil if it was changed otherwise.
  private static func distance(
    from base: Component?, to side: Component, _ clock: MergeClock
  ) -> Int? {
    guard let base = base.flatMap({ AdvancingSeries($0, clock) }),
      let side = AdvancingSeries(side, clock), side.differsOnlyInPlace(from: base, clock),
      let occurrences = MergedOccurrences(base.main, clock),
      let distance = occurrences.place(of: side.start.wallTime, limit: limit), distance > 0
    else { return nil }
    guard let count = base.rule.count else { return distance }
    return side.rule.count == count - distance ? distance : nil
  }
}

/// A reminder with one rule and no additional dates.
private struct AdvancingSeries {
  /// The main component, with a start: a series without DTSTART begins when it is due.
  let main: Component
  let start: EventTime
  let rule: RecurrenceRule
  /// The seconds from the start to the due time, on the clock.
  private let length: Int64

  init?(_ component: Component, _ clock: MergeClock) {
    var main = component
    if main[.dtStart] == nil, let due = main[.due] {
      main[.dtStart] = Property(.dtStart, rawValue: due.rawValue, parameters: due.parameters)
    }
    guard let start = clock.time(of: main[.dtStart]),
      case .recurrence(let rule)? = main[.rRule]?.typedValues.first,
      main.properties(named: .rRule).count == 1, main[.rDate] == nil, main[.exRule] == nil
    else { return nil }
    let due = clock.time(of: main[.due])?.wallTime ?? start.wallTime
    (self.main, self.start, self.rule) = (main, start, rule)
    length = due.wallSeconds - start.wallTime.wallSeconds
  }

  /// Whether only the start, its end and the number of occurrences may differ, and no occurrence
  /// is excluded that the other series has.
  func differsOnlyInPlace(from other: AdvancingSeries, _ clock: MergeClock) -> Bool {
    clock.areAlike(other.start.at(start.wallTime), start)
      && length == other.length && main[.duration]?.rawValue == other.main[.duration]?.rawValue
      && parts == other.parts && exclusions(clock).isSubset(of: other.exclusions(clock))
  }

  /// The parts of the rule, except COUNT.
  private var parts: [Substring] {
    rule.description.split(separator: ";").filter { !$0.hasPrefix("COUNT=") }
  }

  private func exclusions(_ clock: MergeClock) -> Set<OccurrenceKey> {
    Set(StartAlignment.occurrences(listedBy: .exDate, in: main, clock))
  }
}
