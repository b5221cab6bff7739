// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Synchronization
import TestSupport
import Testing

@Suite("Tasks whose results come in order")
struct OrderedTasksTests {
  private struct Problem: Error {}

  /// What is in work, and what was.
  private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0, started: 0, ended: 0))

    var most: Int { state.withLock { $0.most } }
    var started: Int { state.withLock { $0.started } }
    var ended: Int { state.withLock { $0.ended } }

    func begin() {
      state.withLock { state in
        state.now += 1
        state.started += 1
        state.most = max(state.most, state.now)
      }
    }

    func end() {
      state.withLock { state in
        state.now -= 1
        state.ended += 1
      }
    }
  }

  private let counter = Counter()

  private func tasks(
    limit: Int, waiting: Int? = nil, ending: OrderedTasks<Int, Int>.Ending = .complete,
    runsAhead: Bool? = nil, order: Interleaving
  ) -> OrderedTasks<Int, Int> {
    OrderedTasks(limit: limit, waiting: waiting, ending: ending, runsAhead: runsAhead) {
      [counter] input in
      counter.begin()
      await order.turn()
      counter.end()
      return input * 10
    }
  }

  @Test(arguments: 1...40)
  func `Results come in order, however the tasks end`(seed: UInt64) async throws {
    let order = Interleaving(seed: seed, limit: 4)
    var inputs = Array(1...50)[...]
    var results: [Int] = []
    try await tasks(limit: 4, order: order).run({ inputs.popFirst() }) { input, result in
      #expect(result == input * 10)
      results.append(input)
    }
    #expect(results == Array(1...50))
    #expect(counter.most <= 4)
    #expect(order.most > 1)
  }

  @Test func `One at a time is one after another`() async throws {
    var inputs = [1, 2, 3][...]
    let order = Interleaving(seed: 1, limit: 2)
    try await tasks(limit: 1, order: order).run({ inputs.popFirst() }) { input, _ in
      for _ in 0..<500 { await Task.yield() }
      #expect(counter.started == input)
    }
    #expect(counter.most == 1)
  }

  @Test func `The next one runs ahead while a result is taken`() async throws {
    var inputs = [1, 2, 3][...]
    var started: [Int] = []
    let order = Interleaving(seed: 1, limit: 2)
    try await tasks(limit: 1, waiting: 1, runsAhead: true, order: order).run({
      inputs.popFirst()
    }) { _, _ in
      for _ in 0..<500 { await Task.yield() }
      started.append(counter.started)
    }
    #expect(started == [2, 3, 3])
    #expect(counter.most == 1)
  }

  @Test func `The results that wait are limited`() async throws {
    var inputs = Array(1...30)[...]
    var taken = 0
    var ahead = 0
    try await tasks(limit: 2, waiting: 2, order: Interleaving(seed: 1, limit: 2)).run({
      ahead = max(ahead, 30 - inputs.count - taken)
      return inputs.popFirst()
    }) { _, _ in taken += 1 }
    #expect(taken == 30)
    #expect(ahead <= 5)
  }

  @Test(arguments: 1...20)
  func `After an error nothing is started, and what was is completed`(seed: UInt64) async throws {
    var inputs = Array(1...50)[...]
    var taken: [Int] = []
    let order = Interleaving(seed: seed, limit: 4)
    await #expect(throws: Problem.self) {
      try await tasks(limit: 4, order: order).run({ inputs.popFirst() }) { input, _ in
        taken.append(input)
        if input >= 5 { throw Problem() }
      }
    }
    #expect(taken == Array(1...counter.started))
    #expect(counter.ended == counter.started)
    #expect(counter.started < 50)
  }

  @Test func `After an error the rest is dropped if its effects do not matter`() async throws {
    var inputs = Array(1...50)[...]
    var taken: [Int] = []
    let order = Interleaving(seed: 1, limit: 4)
    await #expect(throws: Problem.self) {
      try await tasks(limit: 4, ending: .cancel, order: order).run({ inputs.popFirst() }) {
        input, _ in
        taken.append(input)
        throw Problem()
      }
    }
    #expect(taken == [1])
    #expect(counter.ended == counter.started)
  }

  @Test func `A cancelled task starts nothing more`() async throws {
    let order = Interleaving(seed: 1, limit: 2)
    let tasks = tasks(limit: 2, order: order)
    let running = Task {
      var inputs = Array(1...1000)[...]
      var taken = 0
      do {
        try await tasks.run({ inputs.popFirst() }) { _, _ in
          taken += 1
          if taken == 10 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
      } catch is CancellationError {
        return taken
      }
      return -1
    }
    #expect((10...13).contains(try await running.value))
  }
}
