// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The order in which syncs run: side by side, unless two of them share a side, or one waits for what the
/// other does.
package struct SyncSchedule: Sendable {
  /// That one sync ends before another begins.
  package struct Precedence: Hashable, Sendable {
    /// The index of the sync that ends first.
    package let earlier: Int
    /// The index of the sync that begins then.
    package let later: Int

    /// Creates a precedence.
    package init(_ earlier: Int, before later: Int) {
      (self.earlier, self.later) = (earlier, later)
    }
  }

  /// How many syncs run at a time.
  private let limit: Int
  /// What each sync touches.
  private let sides: [Set<String>]
  private let order: [Precedence]

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - sides: What each sync touches, in the order of the syncs.
  ///   - order: Which end before which begin, without a circle.
  ///   - limit: How many run at a time, from 1.
  package init(sides: [Set<String>], order: [Precedence] = [], limit: Int) {
    self.sides = sides
    self.order = order
    self.limit = max(1, limit)
  }

  /// Runs all of them; those that share a side, one after the other in their order.
  ///
  /// - Parameter body: Runs the sync with an index.
  /// - Returns: What each gave, in the order of the syncs.
  /// - Throws: What the first throws that throws; the others are cancelled.
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

  /// The syncs that can start while others run; none overtakes one that it shares a side with.
  package func next(of waiting: [Int], beside running: Set<Int>) -> [Int] {
    var taken = running.reduce(into: Set<String>()) { $0.formUnion(sides[$1]) }
    var chosen: [Int] = []
    let unfinished = running.union(waiting)
    for index in waiting where running.count + chosen.count < limit {
      // One that waits for another keeps nobody else waiting, or the other might wait for it.
      if order.contains(where: { $0.later == index && unfinished.contains($0.earlier) }) {
        continue
      }
      if taken.isDisjoint(with: sides[index]) { chosen.append(index) }
      taken.formUnion(sides[index])
    }
    return chosen
  }

  /// The syncs that cannot all run after those that what left them went to: things were exchanged, or went
  /// round in a circle.
  static func circling(_ traffic: [CalendarTraffic]) -> [Int] {
    let order = order(traffic)
    return traffic.indices.filter { index in
      traffic.indices.contains { other in
        other != index && !traffic[index].departed.isDisjoint(with: traffic[other].arrived)
          && !order.contains(Precedence(other, before: index))
      }
    }
  }

  /// The order that adds what was moved before it deletes it; what would close a circle is left out.
  static func order(_ traffic: [CalendarTraffic]) -> [Precedence] {
    var order: [Precedence] = []
    /// Everything that waits for a sync, however far behind it.
    func behind(_ index: Int) -> Set<Int> {
      var found: Set<Int> = [index]
      // Each round finds one more step of the way.
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
    return order
  }
}
