// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Epact

@Suite("Syncs side by side")
struct SyncScheduleTests {
  @Test(
    "Those that share a side wait for each other, in their order, and no more run than allowed",
    arguments: [
      // Waiting, running, what starts.
      ([0, 1, 2, 3], [], 4, [0, 2]),
      ([1, 3], [0, 2], 4, []),
      ([1, 3], [2], 4, [1]),
      ([1, 3], [0], 4, []),
      ([0, 1, 2, 3], [], 1, [0]),
      ([3], [], 4, [3]),
    ] as [([Int], Set<Int>, Int, [Int])])
  func next(_ waiting: [Int], _ running: Set<Int>, _ limit: Int, _ expected: [Int]) {
    let sides: [Set<String>] = [["a", "x"], ["b", "x"], ["c", "y"], ["b", "c"]]
    let schedule = SyncSchedule(sides: sides, limit: limit)
    #expect(schedule.next(of: waiting, beside: running) == expected)
  }

  @Test("One that waits for another begins after it, and keeps nobody else waiting")
  func precedence() {
    let schedule = SyncSchedule(
      sides: [["a", "x"], ["b", "x"], ["c", "y"]],
      order: [SyncSchedule.Precedence(1, before: 0), SyncSchedule.Precedence(0, before: 2)],
      limit: 4)
    #expect(schedule.next(of: [0, 1, 2], beside: []) == [1])
    #expect(schedule.next(of: [0, 2], beside: [1]) == [])
    #expect(schedule.next(of: [0, 2], beside: []) == [0])
    #expect(schedule.next(of: [2], beside: []) == [2])
  }

  @Test("All are run, and the results come in the order of the syncs")
  func results() async throws {
    let sides: [Set<String>] = (0..<20).map { ["\($0 % 3)", "r\($0)"] }
    let running = Mutex<Set<Int>>([])
    let results = try await SyncSchedule(sides: sides, limit: 3).run { index in
      let others = running.withLock { state in
        state.insert(index)
        return state
      }
      #expect(others.count <= 3)
      #expect(others.filter { $0 % 3 == index % 3 }.count == 1)
      await Task.yield()
      running.withLock { _ = $0.remove(index) }
      return index * 2
    }
    #expect(results == (0..<20).map { $0 * 2 })
  }
}
