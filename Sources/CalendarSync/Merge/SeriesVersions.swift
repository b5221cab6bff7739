// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// The components of all versions of an item, with their dates adjusted to one start.
///
/// A side that moved the start of a series also moved its occurrences. The dates of the other side
/// and of the bases are moved accordingly, so that corresponding occurrences match.
struct SeriesVersions {
  typealias Components = KeyedComponents<ComponentKey>

  private(set) var localBase: Components
  private(set) var remoteBase: Components
  private(set) var local: Components
  private(set) var remote: Components
  /// Whether a side moved the start to another day, zone or type, so that all times are one group.
  let isFused: Bool
  /// The side that alone changed the rules; nil if neither or both did.
  let sideOfRule: MergeSide?
  /// The side whose start applies to all versions, if the sides have different starts.
  let sideOfStart: MergeSide?
  /// The outcome for a start whose type or zone differs between the versions.
  ///
  /// It is nil if all starts have the same type and zone, or if the sides agree. It also applies to
  /// the times of overrides: a date does not determine the time it was converted from, and a
  /// floating time does not determine an instant.
  private let outcomeOfClock: MergeConflict.Outcome?
  /// The overrides that the side with the other start edited, according to its own start.
  ///
  /// The adjustment to another start can hide an edit. A time on the same day is lost, and a time
  /// that equals the new place of the occurrence looks unmoved.
  private let edits: (side: MergeSide, keys: Set<ComponentKey>)?
  /// The local overrides whose times are unresolved together with the start.
  ///
  /// Their times conflict if they are adjusted to the start of one side, but not with the start of
  /// the other.
  private let waitingTimes: Set<ComponentKey>
  /// The clock of the merged series.
  let clock: MergeClock
  /// The start of the local version.
  private let start: EventTime?
  /// The local base before the adjustment.
  private let unmovedBase: [Component]
  /// The clock of all versions.
  private let plainClock: MergeClock

  init(
    localBase: [Component]?, remoteBase: [Component]?, local: [Component], remote: [Component],
    policies: MergePolicies, clock: MergeClock
  ) {
    unmovedBase = localBase ?? []
    plainClock = clock
    var lists = SeriesLists(
      localBase: localBase ?? [], remoteBase: remoteBase ?? [], local: local, remote: remote)
    let bases = (SeriesLists.main(lists.localBase), SeriesLists.main(lists.remoteBase))
    let (here, there) = (SeriesLists.main(local), SeriesLists.main(remote))
    start = clock.time(of: here?[.dtStart])
    isFused = Self.isFused(bases.0, bases.1, here, there, clock)
    var (edited, waiting): (Set<Int>, Set<Int>) = ([], [])
    if let here, let there, lists.all.contains(where: Self.dependsOnStart) {
      let parts = MergeVersions(
        localBase: bases.0, remoteBase: bases.1, local: here, remote: there)
      let mains = ComponentMerge(parts, isFused: isFused, clock)
      sideOfRule = mains.sideThatChanged(isFused ? .series : .rule)
      let policy = MergeSettings(policies: policies, path: "")
        .outcome(for: MergeGroup.series.names.map(\.canonicalName), parts)
      let outcome = mains.outcome(of: isFused ? .series : .time, contested: policy)
      let starts = parts.all.compactMap { clock.time(of: $0[.dtStart]) }
      outcomeOfClock = Self.areOfOneClock(starts, clock) ? nil : outcome
      let winner = (outcome ?? policy).side
      self.clock = clock.naming(by: winner == .local ? here : there)
      let own = lists.reckonedFromOwnStarts(clock)
      lists = own.reckoned(from: winner, clock)
      sideOfStart = own.hasTwoStarts(clock) ? winner : nil
      edited = sideOfStart.map { own.edited(by: $0.other, clock) } ?? []
      waiting =
        outcome == .waits && outcomeOfClock == nil
        ? lists.contestedTimes(self.clock)
          .symmetricDifference(own.reckoned(from: .remote, clock).contestedTimes(self.clock)) : []
    } else {
      (sideOfRule, sideOfStart, outcomeOfClock) = (nil, nil, nil)
      self.clock = clock
    }
    self.localBase = ComponentKey.keyed(lists.localBase, self.clock)
    self.remoteBase = ComponentKey.keyed(lists.remoteBase, self.clock)
    let own = ComponentKey.keyed(lists.local, self.clock)
    let theirs = ComponentKey.keyed(lists.remote, self.clock)
    (self.local, self.remote) = (own, theirs)
    edits = sideOfStart.map { winner in
      let keys = (winner.other == .local ? own : theirs).keys
      return (winner.other, Set(edited.map { keys[$0] }))
    }
    waitingTimes = Set(waiting.map { own.keys[$0] })
  }

  /// Whether a side edited an override, even if the adjusted version hides it.
  func isEdited(_ key: ComponentKey, by side: MergeSide) -> Bool {
    guard let edits, edits.side == side else { return false }
    return edits.keys.contains(key)
  }

  /// The outcome for the time of an override that depends on the start; nil if it is independent.
  func outcomeOfTime(_ key: ComponentKey) -> MergeConflict.Outcome? {
    guard key != .main else { return nil }
    return outcomeOfClock ?? (waitingTimes.contains(key) ? .waits : nil)
  }

  /// Whether a component contains dates that depend on a start.
  private static func dependsOnStart(_ component: Component) -> Bool {
    component.isOverride || component[.exDate] != nil || component[.rDate] != nil
  }

  /// The occurrences that a side newly excluded from the series.
  func exclusions(by side: MergeSide) -> Set<OccurrenceKey> {
    let now = side == .local ? local[.main] : remote[.main]
    let before = side == .local ? localBase[.main] : remoteBase[.main]
    return Set(SeriesLists.named(by: .exDate, in: now, clock))
      .subtracting(SeriesLists.named(by: .exDate, in: before, clock))
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
  private static func areOfOneClock(_ starts: [EventTime], _ clock: MergeClock) -> Bool {
    guard let first = starts.first else { return true }
    return starts.allSatisfy { clock.areAlike($0.moved(to: first.wallTime), first) }
  }

  /// Components of the local version, adjusted to the start of their own main component.
  ///
  /// This start is that of the base if the other start is unresolved. Without a base, no start
  /// exists for adjusting the dates, so that they are unresolved with it.
  func reckonedFromOwnStart(_ components: [Component]) -> [Component] {
    guard let start, var main = SeriesLists.main(components) else { return components }
    guard let before = plainClock.time(of: main[.dtStart]) else {
      for name in [PropertyName.exDate, .rDate] { main[name] = nil }
      return [main]
    }
    let reckoned = SeriesLists.moved(components, start, before, as: unmovedBase, plainClock)
    guard start.isAllDay != before.isAllDay else { return reckoned }
    var places: [OccurrenceKey: Int] = [:]
    for (place, key) in localBase.keys.enumerated() where places[key.occurrence] == nil {
      places[key.occurrence] = place
    }
    return zip(components, reckoned).map {
      timeRestored($0, $1, place: places[clock.occurrence(of: $0)])
    }
  }

  /// An override with its original time from the base, if the time is unchanged.
  ///
  /// A date does not determine the time that it was converted from.
  private func timeRestored(
    _ component: Component, _ reckoned: Component, place: Int?
  ) -> Component {
    guard component.isOverride, let place,
      let moved = localBase[localBase.keys[place]], unmovedBase.indices.contains(place),
      moved.lines(of: .time) == component.lines(of: .time)
    else { return reckoned }
    var result = reckoned
    for name in MergeGroup.time.names { result[name] = unmovedBase[place][name] }
    return result
  }

  private static func isFused(
    _ localBase: Component?, _ remoteBase: Component?, _ local: Component?, _ remote: Component?,
    _ clock: MergeClock
  ) -> Bool {
    let recurring: [PropertyName] = MergeGroup.rule.names + [.rDate, .exDate]
    let all = [localBase, remoteBase, local, remote].compactMap(\.self)
    guard all.contains(where: { main in recurring.contains { main[$0] != nil } }) else {
      return false
    }
    func isMoved(_ base: Component?, _ side: Component?) -> Bool {
      guard let from = clock.time(of: base?[.dtStart]), let to = clock.time(of: side?[.dtStart])
      else { return false }
      return from.date != to.date || !clock.areAlike(from.moved(to: to.wallTime), to)
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
