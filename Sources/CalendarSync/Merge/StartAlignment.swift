// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

// Worked example (scenario start-on-both-sides-override-where-one-side-starts). A weekly series
// started at 10:00 on 2 March; its occurrence of 9 March was moved to 13:00. Then both sides moved
// the start, and the occurrence to 12:00. "ID" is RECURRENCE-ID, and times are those of 9 March:
//
//                   DTSTART of the series    override of 9 March
//     base          10:00                    ID 10:00, DTSTART 13:00
//     local         11:00                    ID 11:00, DTSTART 12:00
//     remote        12:00                    ID 12:00, DTSTART 12:00
//
// No two versions name the occurrence alike. `aligningBases` gives each base the start of its side,
// which shows that both sides edited the override:
//
//     local base    11:00                    ID 11:00, DTSTART 13:00
//     remote base   12:00                    ID 12:00, DTSTART 13:00
//
// `aligning(to: .local)` gives the remote versions the local start, so that all names are equal:
//
//     remote base   11:00                    ID 11:00, DTSTART 13:00
//     remote        11:00                    ID 11:00, DTSTART 11:00
//
// The remote override was at the place where its series starts, so that it moved with the series.
// Now its time differs from the local one. Aligned to the remote start, it is 12:00 on both sides.
// A time that is in conflict for one start only waits together with the start (`contestedTimes`).

/// The components of all versions of an item, with the operations that move them to other starts.
struct StartAlignment {
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

  // MARK: Alignment

  /// The versions, with each base aligned to the current start of its side.
  func aligningBases(_ clock: MergeClock) -> StartAlignment {
    guard !isAdvanced(clock) else { return self }
    var copy = self
    copy.localBase = Self.shifted(
      localBase, Self.start(localBase, clock), Self.start(local, clock), like: local, clock)
    copy.remoteBase = Self.shifted(
      remoteBase, Self.start(remoteBase, clock), Self.start(remote, clock), like: remote, clock)
    return copy
  }

  /// The versions, with the other side and its base aligned to the start of a side.
  func aligning(to side: MergeSide, _ clock: MergeClock) -> StartAlignment {
    guard !isAdvanced(clock) else { return self }
    var copy = self
    let (here, there) = (Self.start(local, clock), Self.start(remote, clock))
    switch side {
    case .local:
      copy.remoteBase = Self.shifted(remoteBase, there, here, like: local, clock)
      copy.remote = Self.shifted(remote, there, here, like: local, clock)
    case .remote:
      copy.localBase = Self.shifted(localBase, here, there, like: remote, clock)
      copy.local = Self.shifted(local, here, there, like: remote, clock)
    }
    return copy
  }

  /// Whether the dates of all versions are at their places: a side completed occurrences of a reminder,
  /// and the other side left the start or did the same.
  private func isAdvanced(_ clock: MergeClock) -> Bool {
    let pairs = [(localBase, local), (remoteBase, remote)].map { base, side in
      (base: Self.main(base), side: Self.main(side))
    }
    let advanced = pairs.map { SeriesAdvance.isAdvance(from: $0.base, to: $0.side, clock) }
    guard advanced.contains(true) else { return false }
    return zip(pairs, advanced).allSatisfy { pair, isAdvanced in
      isAdvanced
        || clock.time(of: pair.base?[.dtStart]) == clock.time(of: pair.side?[.dtStart])
    }
  }

  /// Components with their dates shifted from one start to another.
  ///
  /// Dates that the moving side left at their places are not shifted. If the type of the start
  /// changed, all dates are shifted.
  static func shifted(
    _ components: [Component], _ from: EventTime?, _ to: EventTime?, like mover: [Component],
    _ clock: MergeClock
  ) -> [Component] {
    guard let shift = StartShift(from: from, to: to, of: main(mover), clock: clock) else {
      return components
    }
    let ofMover = shift.changesType ? [] : Set(mover.flatMap { occurrences(in: $0, clock) })
    return components.map { component in
      shift.shifted(component) { time in
        ofMover.contains(clock.occurrence(at: time))
          && !(shift.shiftedOccurrence(at: time).map(ofMover.contains) ?? true)
      }
    }
  }

  private static func start(_ components: [Component], _ clock: MergeClock) -> EventTime? {
    clock.time(of: main(components)?[.dtStart])
  }

  // MARK: Comparison

  /// Whether the sides have different starts.
  func hasDifferentStarts(_ clock: MergeClock) -> Bool {
    guard let here = Self.start(local, clock), let there = Self.start(remote, clock) else {
      return false
    }
    return !clock.areAlike(here, there)
  }

  /// The indices of edited overrides of a side; its base must be aligned to its start.
  func editedOverrides(of side: MergeSide, _ clock: MergeClock) -> Set<Int> {
    let (components, base) = side == .local ? (local, localBase) : (remote, remoteBase)
    let earlier = ComponentIdentity.keyed(base, clock)
    let keys = ComponentIdentity.keyed(components, clock).keys
    return Set(
      components.indices.filter { place in
        guard components[place].isOverride, let before = earlier[keys[place]] else { return false }
        return clock.meaning(of: components[place].withoutBookkeeping)
          != clock.meaning(of: before.withoutBookkeeping)
      })
  }

  /// The indices of local overrides whose times both sides changed differently.
  func contestedTimes(_ clock: MergeClock) -> Set<Int> {
    let earlier = (
      local: ComponentIdentity.keyed(localBase, clock),
      remote: ComponentIdentity.keyed(remoteBase, clock)
    )
    let there = ComponentIdentity.keyed(remote, clock)
    let keys = ComponentIdentity.keyed(local, clock).keys
    let mains = (
      local: MergeVersions.withoutRecurrence(earlier.local[.main]),
      remote: MergeVersions.withoutRecurrence(earlier.remote[.main])
    )
    return Set(
      local.indices.filter { place in
        let key = keys[place]
        guard local[place].isOverride, let other = there[key] else { return false }
        var parts = MergeVersions(
          localBase: earlier.local[key], remoteBase: earlier.remote[key], local: local[place],
          remote: other)
        parts.implyBases(mains.local, mains.remote, clock)
        return ComponentChanges(parts, isFused: false, clock).isContested(.time)
      })
  }

  // MARK: Occurrences

  /// The occurrences that the dates and the RECURRENCE-ID of a component identify.
  private static func occurrences(
    in component: Component, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    occurrences(listedBy: .exDate, in: component, clock)
      + occurrences(listedBy: .rDate, in: component, clock)
      + [component[.recurrenceID].flatMap { clock.occurrence(named: $0) }].compactMap(\.self)
  }

  /// The occurrences that the lists with a property name identify.
  static func occurrences(
    listedBy name: PropertyName, in component: Component?, _ clock: MergeClock
  ) -> [OccurrenceKey] {
    let lines = component?.properties(named: name) ?? []
    return lines.flatMap { line in
      line.listValues.compactMap { clock.occurrence(named: line.with(rawValue: $0)) }
    }
  }
}
