// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Changes of the clocks of a zone that one observance can say: alike, and one a year on the same day of
/// the year.
struct ZoneChangeRun {
  /// What makes changes alike.
  struct Kind: Hashable {
    let before: LocalTimeType
    let after: LocalTimeType
  }

  let kind: Kind
  /// The onsets, as the clocks showed them before the changes, in order.
  private(set) var onsets: [CivilDateTime]
  /// The same, as points in time.
  private(set) var instants: [Instant]
  /// The days of the year that all of them are, the best form first.
  private var days: [YearlyDay]
  /// Whether they go on for ever.
  private(set) var isEndless = false

  /// Creates a run of one change; `more` are forms of its day that nobody would guess.
  init(_ change: ZoneTransition, onset: CivilDateTime, more: [YearlyDay]) {
    kind = Kind(before: change.before, after: change.after)
    onsets = [onset]
    instants = [change.instant]
    days = YearlyDay.candidates(for: onset.date) + more.filter { $0.matches(onset.date) }
  }

  /// Adds the change of the next year, if it is on the same day of it; false if it is not.
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

  /// Makes the run go on for ever, if it is on this day of the year and at this time.
  mutating func continueForEver(on day: YearlyDay, at time: TimeOfDay) {
    guard days.contains(day), onsets.last?.time == time else { return }
    days = [day]
    isEndless = true
  }

  /// Takes those changes of the run before that are on the day of this one, which goes on for ever.
  ///
  /// The day of some years is the fourth Sunday and the last one, and was counted as the former.
  private mutating func takeOver(from earlier: inout ZoneChangeRun) {
    while isEndless, let onset = earlier.onsets.last, let first = onsets.first,
      onset.date.year == first.date.year - 1, onset.time == first.time,
      days.contains(where: { $0.matches(onset.date) })
    {
      onsets.insert(earlier.onsets.removeLast(), at: 0)
      instants.insert(earlier.instants.removeLast(), at: 0)
    }
  }

  /// The rule of the run, without an end.
  var rule: String { days.first?.rule ?? "" }

  /// The rule of the run up to its change at an instant.
  func rule(until last: Instant) -> String {
    last.civil().map { "\(rule);UNTIL=\($0)Z" } ?? rule
  }

  /// The runs that the changes of a zone are, in the order of their first onsets.
  ///
  /// - Parameters:
  ///   - changes: All changes, in order, and so many of those of the final rule that it shows.
  ///   - finalRule: What the clocks do every year after them.
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
    // Only if a rule can say both changes of a year does either go on; else they would not take turns.
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
