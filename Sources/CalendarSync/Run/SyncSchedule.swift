// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The execution order of syncs, which run concurrently where possible.
///
/// Two syncs run one after the other if they share a side, or if one depends on the other.
package struct SyncSchedule: Sendable {
  /// A constraint that one sync ends before another starts.
  package struct Precedence: Hashable, Sendable {
    /// The index of the sync that ends first.
    package let earlier: Int
    /// The index of the sync that starts afterwards.
    package let later: Int

    /// Creates a precedence.
    package init(_ earlier: Int, before later: Int) {
      (self.earlier, self.later) = (earlier, later)
    }
  }

  /// The maximum number of concurrent syncs.
  private let limit: Int
  /// The sides of each sync.
  private let sides: [Set<String>]
  private let order: [Precedence]

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - sides: The sides of each sync, in the order of the syncs.
  ///   - order: The precedences, without cycles.
  ///   - limit: The maximum number of concurrent syncs, from 1.
  package init(sides: [Set<String>], order: [Precedence] = [], limit: Int) {
    self.sides = sides
    self.order = order
    self.limit = max(1, limit)
  }

  /// Runs all syncs; syncs that share a side run one after the other, in their order.
  ///
  /// - Parameter body: Runs the sync with an index.
  /// - Returns: The result of each sync, in the order of the syncs.
  /// - Throws: The first error of a sync; the other syncs are cancelled.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var waiting = Array(sides.indices)
      var running: Set<Int> = []
      var results: [Int: Result] = [:]
      while true {
        for index in next(of: waiting, beside: running) {
          waiting.removeAll { $0 == index }
          running.insert(index)
          group.addTask { (index, try await body(index)) }
        }
        guard let (index, result) = try await group.next() else { break }
        running.remove(index)
        results[index] = result
      }
      return sides.indices.compactMap { results[$0] }
    }
  }

  /// The syncs that can start now; no sync overtakes an earlier one that shares a side.
  package func next(of waiting: [Int], beside running: Set<Int>) -> [Int] {
    var taken = running.reduce(into: Set<String>()) { $0.formUnion(sides[$1]) }
    var chosen: [Int] = []
    let unfinished = running.union(waiting)
    for index in waiting where running.count + chosen.count < limit {
      // A sync that waits for a predecessor must not block others, which may include the
      // predecessor.
      if order.contains(where: { $0.later == index && unfinished.contains($0.earlier) }) {
        continue
      }
      if taken.isDisjoint(with: sides[index]) { chosen.append(index) }
      taken.formUnion(sides[index])
    }
    return chosen
  }

  /// The syncs with moved items whose order cannot be satisfied because of a cycle.
  static func circling(_ traffic: [CalendarTraffic]) -> [Int] {
    let order = order(traffic)
    return traffic.indices.filter { index in
      traffic.indices.contains { other in
        other != index && !traffic[index].departed.isDisjoint(with: traffic[other].arrived)
          && !order.contains(Precedence(other, before: index))
      }
    }
  }

  /// The order that adds moved items before it deletes them; edges that close a cycle are omitted.
  ///
  /// - Parameters:
  ///   - traffic: The moved items of each sync.
  ///   - wished: Other edges, which give way to those of moved items.
  /// - Returns: The edges, without a cycle.
  static func order(
    _ traffic: [CalendarTraffic], wished: [Precedence] = []
  ) -> [Precedence] {
    var order: [Precedence] = []
    /// All syncs that directly or indirectly wait for a sync, and the sync itself.
    func behind(_ index: Int) -> Set<Int> {
      var found: Set<Int> = [index]
      // Each iteration extends the paths by one step.
      for _ in traffic.indices {
        found.formUnion(order.filter { found.contains($0.earlier) }.map(\.later))
      }
      return found
    }
    for later in traffic.indices {
      for earlier in traffic.indices
      where earlier != later && !traffic[later].departed.isDisjoint(with: traffic[earlier].arrived)
        && !behind(later).contains(earlier)
      {
        order.append(Precedence(earlier, before: later))
      }
    }
    for edge in wished where !behind(edge.later).contains(edge.earlier) { order.append(edge) }
    return order
  }
}

/// The items that left or entered a local calendar since its last run.
///
/// An item that leaves one calendar and enters another was moved. It is added to the new remote
/// before it is deleted from the old one. After an interruption it therefore exists twice instead
/// of nowhere.
struct CalendarTraffic: Hashable, Sendable {
  /// The agreed items that are no longer in the calendar.
  var departed: Set<UID> = []
  /// The items in the calendar that the sides have not agreed on.
  var arrived: Set<UID> = []

  /// Creates the traffic of an unchanged calendar.
  init() {}

  /// Determines the items that left or entered a calendar, without contacting the remote.
  ///
  /// - Parameters:
  ///   - calendar: The local calendar.
  ///   - ledger: The ledger of its sync.
  ///   - binding: The binding of the sync.
  ///   - form: The normal form for comparing items.
  ///   - now: The current time.
  /// - Throws: An error of the calendar or of the ledger.
  init(
    of calendar: any LocalCalendar, _ ledger: any Ledger, _ binding: SyncBinding,
    in form: NormalForm,
    at now: Instant
  ) async throws {
    let checkpoint = try await ledger.checkpoint(of: binding)
    let survey = try await calendar.survey(since: checkpoint.snapshot, in: form, at: now)
    guard !(survey.isUnchanged && checkpoint.isAtRest) else { return }
    if checkpoint.isAtRest, binding.filter.isEmpty, let changes = survey.changes {
      let here = Set(changes.found.map(\.uid))
      let known = Set(try await ledger.places(of: binding, for: changes.uids).places.map(\.uid))
      (arrived, departed) = (here.subtracting(known), known.subtracting(here))
      return
    }
    let here = Set(survey.records().map(\.uid))
    let known = Set(try await ledger.places(of: binding).map(\.uid))
    arrived = here.subtracting(known)
    // An unreadable file may be any missing item.
    if survey.unreadable.isEmpty { departed = known.subtracting(here) }
  }
}
