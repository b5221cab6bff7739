// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The components of all versions of an item, for adjusting their dates to other starts.
struct SeriesLists {
  var localBase: [Component]
  var remoteBase: [Component]
  var local: [Component]
  var remote: [Component]

  /// The components of all versions.
  var all: [Component] { localBase + remoteBase + local + remote }

  /// The main component of a version.
  static func main(_ components: [Component]) -> Component? {
    components.first { !$0.isOverride }
  }

  /// The versions, with each base adjusted to the current start of its side.
  func reckonedFromOwnStarts(_ clock: MergeClock) -> SeriesLists {
    var copy = self
    copy.localBase = Self.moved(
      localBase, Self.start(localBase, clock), Self.start(local, clock), as: local, clock)
    copy.remoteBase = Self.moved(
      remoteBase, Self.start(remoteBase, clock), Self.start(remote, clock), as: remote, clock)
    return copy
  }

  /// The versions, with the other side and its base adjusted to the start of a side.
  func reckoned(from side: MergeSide, _ clock: MergeClock) -> SeriesLists {
    var copy = self
    let (here, there) = (Self.start(local, clock), Self.start(remote, clock))
    switch side {
    case .local:
      copy.remoteBase = Self.moved(remoteBase, there, here, as: local, clock)
      copy.remote = Self.moved(remote, there, here, as: local, clock)
    case .remote:
      copy.localBase = Self.moved(localBase, here, there, as: remote, clock)
      copy.local = Self.moved(local, here, there, as: remote, clock)
    }
    return copy
  }

  /// Whether the sides have different starts.
  func hasTwoStarts(_ clock: MergeClock) -> Bool {
    guard let here = Self.start(local, clock), let there = Self.start(remote, clock) else {
      return false
    }
    return !clock.areAlike(here, there)
  }

  /// The indices of edited overrides of a side; its base must have the same start.
  func edited(by side: MergeSide, _ clock: MergeClock) -> Set<Int> {
    let (components, base) = side == .local ? (local, localBase) : (remote, remoteBase)
    let earlier = ComponentKey.keyed(base, clock)
    let keys = ComponentKey.keyed(components, clock).keys
    return Set(
      components.indices.filter { place in
        guard components[place].isOverride, let before = earlier[keys[place]] else { return false }
        return clock.meaning(of: components[place].withoutBookkeeping)
          != clock.meaning(of: before.withoutBookkeeping)
      })
  }

  /// The indices of local overrides whose times both sides changed differently.
  func contestedTimes(_ clock: MergeClock) -> Set<Int> {
    let earlier = (ComponentKey.keyed(localBase, clock), ComponentKey.keyed(remoteBase, clock))
    let there = ComponentKey.keyed(remote, clock)
    let keys = ComponentKey.keyed(local, clock).keys
    let mains = (
      MergeVersions.withoutRecurrence(earlier.0[.main]),
      MergeVersions.withoutRecurrence(earlier.1[.main])
    )
    return Set(
      local.indices.filter { place in
        let key = keys[place]
        guard local[place].isOverride, let other = there[key] else { return false }
        var parts = MergeVersions(
          localBase: earlier.0[key], remoteBase: earlier.1[key], local: local[place], remote: other)
        parts.implyBases(mains.0, mains.1, clock)
        return ComponentMerge(parts, isFused: false, clock).isContested(.time)
      })
  }

  // MARK: Dates

  private static func start(_ components: [Component], _ clock: MergeClock) -> EventTime? {
    clock.time(of: main(components)?[.dtStart])
  }

  /// Components with their dates moved from one start to another.
  ///
  /// Dates that the moving side left at their places are not moved. If the type of the start
  /// changed, all dates are moved.
  static func moved(
    _ components: [Component], _ from: EventTime?, _ to: EventTime?, as mover: [Component],
    _ clock: MergeClock
  ) -> [Component] {
    guard let shift = StartShift(from: from, to: to, of: main(mover), clock: clock) else {
      return components
    }
    let held = shift.changesType ? [] : Set(mover.flatMap { occurrences(in: $0, clock) })
    return components.map { component in
      shift.moved(component) { time in
        held.contains(clock.occurrence(at: time))
          && !(shift.occurrence(at: time).map(held.contains) ?? true)
      }
    }
  }

  /// The occurrences that the dates and the RECURRENCE-ID of a component identify.
  private static func occurrences(
    in component: Component, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    let dates = named(by: .exDate, in: component, clock) + named(by: .rDate, in: component, clock)
    return dates
      + (component[.recurrenceID].flatMap { clock.occurrence(named: $0) }.map { [$0] } ?? [])
  }

  /// The occurrences in the lists with a property name.
  static func named(
    by name: PropertyName, in component: Component?, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    let lines = component?.properties(named: name) ?? []
    return lines.flatMap { line in
      line.listValues.compactMap { clock.occurrence(named: line.with(rawValue: $0)) }
    }
  }
}
