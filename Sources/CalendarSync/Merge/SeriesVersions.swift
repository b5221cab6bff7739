// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// The components of all versions of an item, with their dates reckoned from one start.
///
/// A side that moved the start of a series moved its occurrences; what the other side says of them is
/// moved along, and the bases too, so that what belongs together meets.
struct SeriesVersions {
  typealias Components = KeyedComponents<ComponentKey>

  private(set) var localBase: Components
  private(set) var remoteBase: Components
  private(set) var local: Components
  private(set) var remote: Components
  /// Whether a side moved the start to another day, zone or type, so that its times are one group.
  let isFused: Bool
  /// The side that alone changed the rules, if there is one.
  let sideOfRule: MergeSide?
  /// What becomes of a start that is a day in one version and a time in another, or of another zone; nil
  /// if all are of one clock, or the sides agree.
  ///
  /// The times of overrides go with it: a day does not tell of which time it was made, nor a time without
  /// a zone which moment it is.
  let outcomeOfClock: MergeConflict.Outcome?
  /// The overrides of the side whose start is not taken that it edited, as it names their times itself.
  ///
  /// Reckoned from a start on another clock an edit may not show: of a time on the same day nothing is left.
  private let edits: (side: MergeSide, keys: Set<ComponentKey>)?
  /// The clock of the merged series.
  let clock: MergeClock
  /// The start of the local version, and what its base is before it is moved there.
  private let start: EventTime?
  private let unmovedBase: [Component]
  /// The clock of all versions.
  private let plainClock: MergeClock

  init(
    localBase: [Component]?, remoteBase: [Component]?, local: [Component], remote: [Component],
    policies: MergePolicies, clock: MergeClock
  ) {
    unmovedBase = localBase ?? []
    plainClock = clock
    start = clock.time(of: Self.main(local)?[.dtStart])
    var (localBase, remoteBase) = (localBase ?? [], remoteBase ?? [])
    var (local, remote) = (local, remote)
    let mains = (Self.main(localBase), Self.main(remoteBase), Self.main(local), Self.main(remote))
    isFused = Self.isFused(mains.0, mains.1, mains.2, mains.3, clock)
    let all = [localBase, remoteBase, local, remote].joined()
    if let here = mains.2, let there = mains.3, all.contains(where: Self.dependsOnStart) {
      let parts = MergeVersions(
        localBase: mains.0, remoteBase: mains.1, local: here, remote: there)
      let (sideOfTime, sideOfRule, isContested) = Self.sides(of: parts, isFused: isFused, clock)
      self.sideOfRule = sideOfRule
      let outcome = MergeSettings(policies: policies, path: "")
        .outcome(for: MergeGroup.series.names.map(\.canonicalName), parts)
      let winner = sideOfTime ?? outcome.side
      let (start, other) = (clock.time(of: here[.dtStart]), clock.time(of: there[.dtStart]))
      let starts = parts.all.compactMap { clock.time(of: $0[.dtStart]) }
      outcomeOfClock =
        Self.areOfOneClock(starts, clock)
        ? nil : sideOfTime.map { .chosen($0) } ?? (isContested ? outcome : nil)
      localBase = Self.moved(localBase, clock.time(of: mains.0?[.dtStart]), start, as: local, clock)
      remoteBase = Self.moved(
        remoteBase, clock.time(of: mains.1?[.dtStart]), other, as: remote, clock)
      let places: [Int]
      switch winner {
      case .local:
        places = outcomeOfClock == nil ? [] : Self.edited(remote, since: remoteBase, clock)
        Self.move(&remote, &remoteBase, other, start, as: local, clock)
      case .remote:
        places = outcomeOfClock == nil ? [] : Self.edited(local, since: localBase, clock)
        Self.move(&local, &localBase, start, other, as: remote, clock)
      }
      self.clock = clock.naming(by: winner == .local ? here : there)
      let keys = ComponentKey.keyed(winner == .local ? remote : local, self.clock).keys
      edits = (winner.other, Set(places.map { keys[$0] }))
    } else {
      (sideOfRule, outcomeOfClock, edits) = (nil, nil, nil)
      self.clock = clock
    }
    self.localBase = ComponentKey.keyed(localBase, self.clock)
    self.remoteBase = ComponentKey.keyed(remoteBase, self.clock)
    self.local = ComponentKey.keyed(local, self.clock)
    self.remote = ComponentKey.keyed(remote, self.clock)
  }

  /// Reckons a version and its base from another start.
  private static func move(
    _ components: inout [Component], _ base: inout [Component], _ from: EventTime?,
    _ to: EventTime?, as mover: [Component], _ clock: MergeClock
  ) {
    base = moved(base, from, to, as: mover, clock)
    components = moved(components, from, to, as: mover, clock)
  }

  /// Whether a side edited an override although that does not show here.
  func isEdited(_ key: ComponentKey, by side: MergeSide) -> Bool {
    edits.map { $0.side == side && $0.keys.contains(key) } ?? false
  }

  /// Where overrides are that say something else than in a base that starts where they do.
  private static func edited(
    _ components: [Component], since base: [Component], _ clock: MergeClock
  ) -> [Int] {
    let earlier = ComponentKey.keyed(base, clock)
    let keys = ComponentKey.keyed(components, clock).keys
    return components.indices.filter { place in
      guard components[place].isOverride, let before = earlier[keys[place]] else { return false }
      return clock.meaning(of: components[place].withoutBookkeeping)
        != clock.meaning(of: before.withoutBookkeeping)
    }
  }

  private static func main(_ components: [Component]) -> Component? {
    components.first { !$0.isOverride }
  }

  /// Whether a component says anything that is reckoned from the start of another one or of its own.
  private static func dependsOnStart(_ component: Component) -> Bool {
    component.isOverride || component[.exDate] != nil || component[.rDate] != nil
  }

  /// The sides that alone changed when it is, and by which rules, and whether both changed when it is.
  private static func sides(
    of mains: MergeVersions, isFused: Bool, _ clock: MergeClock
  ) -> (time: MergeSide?, rule: MergeSide?, isContested: Bool) {
    let layout = MergeLayout(
      of: mains.all, component: mains.local.name, isFused: isFused, clock: clock)
    let merge = ComponentMerge(mains, layout, MergeSettings(policies: MergePolicies(), path: ""))
    let time = isFused ? MergeGroup.series : .time
    return (
      merge.sideThatChanged(time), merge.sideThatChanged(isFused ? .series : .rule),
      merge.isContested(time)
    )
  }

  /// Components with their dates moved from one start to another, but for those that the version which
  /// moved the start left where they were.
  private static func moved(
    _ components: [Component], _ from: EventTime?, _ to: EventTime?, as mover: [Component],
    _ clock: MergeClock
  ) -> [Component] {
    guard let shift = StartShift(from: from, to: to, of: main(mover), clock: clock) else {
      return components
    }
    let held = Set(mover.flatMap { Self.occurrences(in: $0, clock) })
    return components.map { component in
      shift.moved(component) { time in
        held.contains(clock.occurrence(at: time))
          && !(shift.occurrence(at: time).map(held.contains) ?? true)
      }
    }
  }

  /// The occurrences that the dates and the identifier of a component name.
  private static func occurrences(
    in component: Component, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    let dates = named(by: .exDate, in: component, clock) + named(by: .rDate, in: component, clock)
    return dates
      + (component[.recurrenceID].flatMap { clock.occurrence(named: $0) }.map { [$0] } ?? [])
  }

  private static func named(
    by name: PropertyName, in component: Component?, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    let lines = component?.properties(named: name) ?? []
    return lines.flatMap { line in
      line.listValues.compactMap { clock.occurrence(named: line.with(rawValue: $0)) }
    }
  }

  /// Whether a side took an occurrence out of the series that was in it before.
  func isExcluded(_ occurrence: OccurrenceKey, by side: MergeSide) -> Bool {
    let now = side == .local ? local[.main] : remote[.main]
    let before = side == .local ? localBase[.main] : remoteBase[.main]
    return Self.named(by: .exDate, in: now, clock).contains(occurrence)
      && !Self.named(by: .exDate, in: before, clock).contains(occurrence)
  }

  /// A main component without the exclusion of an occurrence.
  func main(_ component: Component, without occurrence: OccurrenceKey) -> Component {
    var result = component
    result.properties = PropertyList(
      component.properties.compactMap { line -> Property? in
        guard line.isNamed(.exDate) else { return line }
        let values = line.listValues
        let kept = values.filter { clock.occurrence(named: line.with(rawValue: $0)) != occurrence }
        guard kept.count < values.count else { return line }
        return kept.isEmpty ? nil : line.with(rawValue: kept.joined(separator: ","))
      })
    return result
  }

  // MARK: Starts

  /// Whether starts are all days, or all times on clocks that are the same.
  private static func areOfOneClock(_ starts: [EventTime], _ clock: MergeClock) -> Bool {
    guard let first = starts.first else { return true }
    return starts.allSatisfy { clock.areAlike($0.moved(to: first.wallTime), first) }
  }

  /// Components of the local version, with their dates reckoned from the start that their main component
  /// has: where that is the one of the base, because another waits for a choice.
  ///
  /// Without a base there is no start from which they could be reckoned, so that they wait with it.
  func reckonedFromOwnStart(_ components: [Component]) -> [Component] {
    guard let start, var main = Self.main(components) else { return components }
    guard let before = plainClock.time(of: main[.dtStart]) else {
      for name in [PropertyName.exDate, .rDate] { main[name] = nil }
      return [main]
    }
    let reckoned = Self.moved(components, start, before, as: unmovedBase, plainClock)
    guard start.isAllDay != before.isAllDay else { return reckoned }
    return zip(components, reckoned).map(timeRestored)
  }

  /// An override with the time that it had in the base, if it still has that: a day does not tell which
  /// time it was made of.
  private func timeRestored(_ component: Component, _ reckoned: Component) -> Component {
    let occurrence = clock.occurrence(of: component)
    guard component.isOverride,
      let place = localBase.keys.firstIndex(where: { $0.occurrence == occurrence }),
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
    // Nor has a base a start on which nobody agreed yet.
    guard localBase?[.dtStart] != nil || remoteBase?[.dtStart] != nil else {
      return isMoved(local, remote)
    }
    return isMoved(localBase, local) || isMoved(remoteBase, remote)
  }
}

extension Component {
  /// What it says of a group.
  fileprivate func lines(of group: MergeGroup) -> [Property?] { group.names.map { self[$0] } }
}
