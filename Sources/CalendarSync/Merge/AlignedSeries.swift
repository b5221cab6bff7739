// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

// Worked examples. A weekly series starts at 09:00 on 2 March; "ID" is RECURRENCE-ID.
//
// 1. One side moved the start, and the other side added a date (scenario
//    start-moved-here-exclusion-added-there). The date moves along:
//
//        base     DTSTART:20260302T090000
//        local    DTSTART:20260302T100000
//        remote   DTSTART:20260302T090000   EXDATE:20260309T090000
//        aligned  DTSTART:20260302T100000   EXDATE:20260309T100000    (the remote version)
//        merged   DTSTART:20260302T100000   EXDATE:20260309T100000
//
// 2. Both sides moved the start. By default the conflict waits, and the local start applies to the
//    merged item (scenario start-on-both-sides-dates-on-both-sides):
//
//        local    DTSTART:20260302T100000   EXDATE:20260309T100000
//        remote   DTSTART:20260302T110000   EXDATE:20260316T110000
//        aligned  DTSTART:20260302T100000   EXDATE:20260316T100000    (the remote version)
//        merged   DTSTART:20260302T100000   EXDATE:20260309T100000,20260316T100000
//
//    While it waits, each side agrees on the exclusions, counted from the start of the base.
//    `withOwnStart` moves them there: EXDATE:20260309T090000 in the undecided local version.
//
// 3. A side moved the start to another day, zone or type. Rules depend on these, so that the time,
//    the rules and the dates are one group of the merge (`isFused`, scenario
//    day-moved-here-rule-changed-there):
//
//        base     DTSTART:20260302T090000   RRULE:FREQ=WEEKLY;COUNT=10
//        local    DTSTART:20260303T090000   RRULE:FREQ=WEEKLY;COUNT=10
//        remote   DTSTART:20260302T090000   RRULE:FREQ=WEEKLY;COUNT=4
//        conflict DTSTART, RRULE: edited on both sides; waits
//
// 4. The alignment can hide an edit. Here the series becomes one of whole days, and the remote
//    override moves from 11:00 to 12:00 on its day:
//
//        base     DTSTART:20260302T090000      ID:20260309T090000, DTSTART:20260309T110000
//        local    DTSTART;VALUE=DATE:20260302  (override deleted)
//        remote   DTSTART:20260302T090000      ID:20260309T090000, DTSTART:20260309T120000
//
//    The aligned base and the aligned remote version are equal:
//
//        aligned  DTSTART;VALUE=DATE:20260302  ID;VALUE=DATE:20260309, DTSTART;VALUE=DATE:20260309
//
//    `edits` records that the remote side edited the override, so that it survives the deletion.

/// The components of all versions of an item, aligned to one start.
///
/// The dates of a series (EXDATE, RDATE, RECURRENCE-ID, UNTIL) follow from its start. A side that moved
/// the start also moved its occurrences. The dates of the other side and of the bases are moved
/// accordingly, so that corresponding occurrences match.
struct AlignedSeries {
  typealias Components = KeyedComponents<ComponentIdentity>

  let localBase: Components
  let remoteBase: Components
  let local: Components
  let remote: Components
  /// Whether a side moved the start to another day, zone or type, so that all times are one group.
  let isFused: Bool
  /// The side that alone changed the rules; nil if neither or both did.
  let sideOfRule: MergeSide?
  /// The side whose start applies to all versions, if the sides have different starts.
  let sideOfStart: MergeSide?
  /// The clock of the merged series.
  let clock: MergeClock
  /// The outcome for a start whose type or zone differs between the versions.
  ///
  /// It is nil if all starts have the same type and zone, or if the sides agree. It also applies to
  /// the times of overrides: a date does not determine the time it was converted from, and a
  /// floating time does not determine an instant.
  private let outcomeOfTypeOrZone: MergeConflict.Outcome?
  /// The overrides that the side with the other start edited, as seen from its own start.
  ///
  /// The alignment can hide an edit: a time on the same day is lost, and a time that equals the new
  /// place of the occurrence looks unmoved.
  private let edits: (side: MergeSide, keys: Set<ComponentIdentity>)?
  /// The local overrides whose times wait together with the start.
  ///
  /// Their times conflict if they are aligned to the start of one side, but not with the start of
  /// the other.
  private let waitingTimes: Set<ComponentIdentity>
  /// The versions before the alignment.
  private let original: StartAlignment
  /// The clock of all versions.
  private let originalClock: MergeClock

  init(_ original: StartAlignment, policies: MergePolicies, clock: MergeClock) {
    self.original = original
    originalClock = clock
    let mains = Mains(of: original)
    isFused = mains.isStartMovedToOtherDayZoneOrType(clock)
    var aligned = original
    var (edited, waiting): (Set<Int>, Set<Int>) = ([], [])
    if let parts = mains.versions, original.all.contains(where: Self.dependsOnStart) {
      let changes = ComponentChanges(parts, isFused: isFused, clock)
      sideOfRule = changes.sideThatChanged(isFused ? .series : .rule)
      let policy = MergeSettings(policies: policies, path: "")
        .outcome(for: MergeGroup.series.names.map(\.canonicalName), parts)
      let outcome = changes.outcome(of: isFused ? .series : .time, contested: policy)
      let starts = parts.all.compactMap { clock.time(of: $0[.dtStart]) }
      outcomeOfTypeOrZone = Self.haveSameTypeAndZone(starts, clock) ? nil : outcome
      let winner = (outcome ?? policy).side
      self.clock = clock.naming(by: winner == .local ? parts.local : parts.remote)
      let own = original.aligningBases(clock)
      aligned = own.aligning(to: winner, clock)
      sideOfStart = own.hasDifferentStarts(clock) ? winner : nil
      edited = sideOfStart.map { own.editedOverrides(of: $0.other, clock) } ?? []
      if outcome == .waits, outcomeOfTypeOrZone == nil {
        let other = own.aligning(to: .remote, clock)
        waiting = aligned.contestedTimes(self.clock)
          .symmetricDifference(other.contestedTimes(self.clock))
      }
    } else {
      (sideOfRule, sideOfStart, outcomeOfTypeOrZone) = (nil, nil, nil)
      self.clock = clock
    }
    localBase = ComponentIdentity.keyed(aligned.localBase, self.clock)
    remoteBase = ComponentIdentity.keyed(aligned.remoteBase, self.clock)
    let here = ComponentIdentity.keyed(aligned.local, self.clock)
    let there = ComponentIdentity.keyed(aligned.remote, self.clock)
    (local, remote) = (here, there)
    edits = sideOfStart.map { winner in
      let keys = (winner.other == .local ? here : there).keys
      return (winner.other, Set(edited.map { keys[$0] }))
    }
    waitingTimes = Set(waiting.map { here.keys[$0] })
  }

  /// Whether a side edited an override, even if the adjusted version hides it.
  func isEdited(_ key: ComponentIdentity, by side: MergeSide) -> Bool {
    guard let edits, edits.side == side else { return false }
    return edits.keys.contains(key)
  }

  /// The outcome for the time of an override that depends on the start; nil if it is independent.
  func outcomeOfTime(_ key: ComponentIdentity) -> MergeConflict.Outcome? {
    guard key != .main else { return nil }
    return outcomeOfTypeOrZone ?? (waitingTimes.contains(key) ? .waits : nil)
  }

  /// Whether all starts have the same type and zone.
  var haveStartsOfOneKind: Bool { outcomeOfTypeOrZone == nil }

  /// The overrides of a side whose occurrences the alignment moved to another day.
  func movedToOtherDay(of side: MergeSide) -> Set<ComponentIdentity> {
    let (aligned, components) =
      side == .local ? (local, original.local) : (remote, original.remote)
    return Set(
      zip(aligned.keys, components).compactMap { key, component in
        guard let before = originalClock.time(of: component[.recurrenceID]),
          let after = clock.time(of: aligned[key]?[.recurrenceID])
        else { return nil }
        return before.date != after.date ? key : nil
      })
  }

  /// Whether a component contains dates that depend on a start.
  private static func dependsOnStart(_ component: Component) -> Bool {
    component.isOverride || component[.exDate] != nil || component[.rDate] != nil
      || component[.rRule]?.rawValue.uppercased().contains("UNTIL=") == true
  }

  /// The occurrences that a side newly excluded from the series.
  func exclusions(by side: MergeSide) -> Set<OccurrenceKey> {
    let now = side == .local ? local[.main] : remote[.main]
    let before = side == .local ? localBase[.main] : remoteBase[.main]
    return Set(StartAlignment.occurrences(listedBy: .exDate, in: now, clock))
      .subtracting(StartAlignment.occurrences(listedBy: .exDate, in: before, clock))
  }

  /// A main component without the EXDATEs of some occurrences.
  func main(_ component: Component, without occurrences: Set<OccurrenceKey>) -> Component {
    var result = component
    result.properties = PropertyList(
      component.properties.compactMap { line -> Property? in
        guard line.isNamed(.exDate) else { return line }
        let values = line.listValues
        let kept = values.filter { value in
          guard let named = clock.occurrence(named: line.with(rawValue: value)) else { return true }
          return !occurrences.contains(named)
        }
        guard kept.count < values.count else { return line }
        return kept.isEmpty ? nil : line.with(rawValue: kept.joined(separator: ","))
      })
    return result
  }

  // MARK: Starts

  /// Whether starts are all dates, or all times in equal zones.
  private static func haveSameTypeAndZone(_ starts: [EventTime], _ clock: MergeClock) -> Bool {
    guard let first = starts.first else { return true }
    return starts.allSatisfy { clock.areAlike($0.at(first.wallTime), first) }
  }

  /// Components of the aligned local version, moved back to the start of their main component.
  ///
  /// This start is that of the base if the other start is undecided. Without a base, no start
  /// exists for the dates, so that they are removed.
  func withOwnStart(_ components: [Component]) -> [Component] {
    guard let start = originalClock.time(of: StartAlignment.main(original.local)?[.dtStart]),
      var main = StartAlignment.main(components)
    else { return components }
    guard let own = originalClock.time(of: main[.dtStart]) else {
      for name in [PropertyName.exDate, .rDate] { main[name] = nil }
      return [main]
    }
    let shifted = StartAlignment.shifted(
      components, start, own, like: original.localBase, originalClock)
    guard start.isAllDay != own.isAllDay else { return shifted }
    var places: [OccurrenceKey: Int] = [:]
    for (place, key) in localBase.keys.enumerated() where places[key.occurrence] == nil {
      places[key.occurrence] = place
    }
    return zip(components, shifted).map { component, shifted in
      withOriginalTime(component, shifted, place: places[clock.occurrence(of: component)])
    }
  }

  /// A shifted override with its original time from the base, if the time is unchanged.
  ///
  /// A date does not determine the time that it was converted from.
  private func withOriginalTime(
    _ component: Component, _ shifted: Component, place: Int?
  ) -> Component {
    guard component.isOverride, let place,
      let base = localBase[localBase.keys[place]], original.localBase.indices.contains(place),
      base.lines(of: .time) == component.lines(of: .time)
    else { return shifted }
    var result = shifted
    for name in MergeGroup.time.names { result[name] = original.localBase[place][name] }
    return result
  }
}

/// The main components of all versions.
private struct Mains {
  let localBase: Component?
  let remoteBase: Component?
  let local: Component?
  let remote: Component?

  init(of versions: StartAlignment) {
    localBase = StartAlignment.main(versions.localBase)
    remoteBase = StartAlignment.main(versions.remoteBase)
    local = StartAlignment.main(versions.local)
    remote = StartAlignment.main(versions.remote)
  }

  /// The versions to merge; nil if a side has no main component.
  var versions: MergeVersions? {
    guard let local, let remote else { return nil }
    return MergeVersions(
      localBase: localBase, remoteBase: remoteBase, local: local, remote: remote)
  }

  /// Whether a side of a recurring item moved its start to another day, zone or type.
  func isStartMovedToOtherDayZoneOrType(_ clock: MergeClock) -> Bool {
    let recurring: [PropertyName] = MergeGroup.rule.names + [.rDate, .exDate]
    let all = [localBase, remoteBase, local, remote].compactMap(\.self)
    guard all.contains(where: { main in recurring.contains { main[$0] != nil } }) else {
      return false
    }
    func isMoved(_ base: Component?, _ side: Component?) -> Bool {
      guard let from = clock.time(of: base?[.dtStart]), let to = clock.time(of: side?[.dtStart])
      else { return false }
      return from.date != to.date || !clock.areAlike(from.at(to.wallTime), to)
    }
    // Without bases, the sides never agreed on a start.
    guard localBase?[.dtStart] != nil || remoteBase?[.dtStart] != nil else {
      return isMoved(local, remote)
    }
    return isMoved(localBase, local) || isMoved(remoteBase, remote)
  }
}

extension Component {
  /// The properties of a group.
  fileprivate func lines(of group: MergeGroup) -> [Property?] { group.names.map { self[$0] } }
}
