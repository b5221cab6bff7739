// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Offset changes that one observance can express: yearly, on the same day, with the same offsets.
struct ZoneChangeRun {
  /// The local time types of a change.
  struct Kind: Hashable {
    let before: LocalTimeType
    let after: LocalTimeType
  }

  let kind: Kind
  /// The onsets in local time before the changes, in order.
  private(set) var onsets: [CivilDateTime]
  /// The instants of the onsets.
  private(set) var instants: [Instant]
  /// The yearly days that match all onsets, the preferred one first.
  private var days: [YearlyDay]
  /// Whether the run has no end.
  private(set) var isEndless = false

  /// Creates a run of one change; `more` contains additional yearly days to check.
  init(_ change: ZoneTransition, onset: CivilDateTime, more: [YearlyDay]) {
    kind = Kind(before: change.before, after: change.after)
    onsets = [onset]
    instants = [change.instant]
    days = YearlyDay.candidates(for: onset.date) + more.filter { $0.matches(onset.date) }
  }

  /// Appends a change if it is on the same day of the next year; returns false otherwise.
  mutating func append(_ change: ZoneTransition, onset: CivilDateTime) -> Bool {
    guard let last = onsets.last, onset.date.year == last.date.year + 1, onset.time == last.time
    else { return false }
    let common = days.filter { $0.matches(onset.date) }
    guard !common.isEmpty else { return false }
    days = common
    onsets.append(onset)
    instants.append(change.instant)
    return true
  }

  /// Marks the run as endless if it matches this day and time.
  mutating func continueForEver(on day: YearlyDay, at time: TimeOfDay) {
    guard days.contains(day), onsets.last?.time == time else { return }
    days = [day]
    isEndless = true
  }

  /// Moves the last changes of an earlier run to this endless run if they match its day.
  ///
  /// In some years the fourth Sunday is also the last one; such a change was assigned to the
  /// earlier run.
  private mutating func takeOver(from earlier: inout ZoneChangeRun) {
    while isEndless, let onset = earlier.onsets.last, let first = onsets.first,
      onset.date.year == first.date.year - 1, onset.time == first.time,
      days.contains(where: { $0.matches(onset.date) })
    {
      onsets.insert(earlier.onsets.removeLast(), at: 0)
      instants.insert(earlier.instants.removeLast(), at: 0)
    }
  }

  /// The rule of the run, without UNTIL.
  var rule: String { days.first?.rule ?? "" }

  /// Returns the rule of the run with UNTIL at an instant.
  func rule(until last: Instant) -> String {
    last.civil().map { "\(rule);UNTIL=\($0)Z" } ?? rule
  }

  /// Groups the changes of a zone into runs, in the order of their first onsets.
  ///
  /// - Parameters:
  ///   - changes: All changes in order, with enough changes of the final rule to detect a run.
  ///   - finalRule: The yearly rule after the last listed change.
  /// - Returns: The runs, each of one kind.
  static func runs(
    of changes: some Sequence<ZoneTransition>, finalRule: POSIXZone?
  ) -> [ZoneChangeRun] {
    let yearly = (finalRule?.daylight).map { [$0.start, $0.end] } ?? []
    let final = yearly.compactMap { YearlyDay.day(of: $0) }
    var runs: [ZoneChangeRun] = []
    var places: [Kind: Int] = [:]
    for change in changes {
      guard let onset = change.wallTimeBefore else { continue }
      let kind = Kind(before: change.before, after: change.after)
      if let place = places[kind], runs[place].append(change, onset: onset) { continue }
      places[kind] = runs.count
      runs.append(ZoneChangeRun(change, onset: onset, more: final.map(\.day)))
    }
    // The runs are endless only if rules can express both changes of a year; otherwise only one of
    // the two would continue.
    if let standard = finalRule?.standard, let daylight = finalRule?.daylight, final.count == 2 {
      let kinds = [
        Kind(before: standard, after: daylight.type), Kind(before: daylight.type, after: standard),
      ]
      for (kind, (day, time)) in zip(kinds, final) {
        guard let place = places[kind] else { continue }
        runs[place].continueForEver(on: day, at: time)
        guard let earlier = runs[..<place].lastIndex(where: { $0.kind == kind }) else { continue }
        var run = runs[earlier]
        runs[place].takeOver(from: &run)
        runs[earlier] = run
      }
    }
    return runs
  }
}
