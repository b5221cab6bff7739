// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Synchronization
import Testing

/// Parts of a stream that are worked on at the same time.
struct OrderedPartsTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// Work that takes longer for some parts than for later ones.
  private func work(_ cores: Int) -> OrderedTasks<Int, Int> {
    OrderedTasks(onCores: cores) { part in
      var sum = 0
      for number in 0..<(part % 7 == 0 ? 20_000 : 10) { sum &+= number ^ sum }
      return sum == 1 ? 0 : part
    }
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 3, 100])
  func takesTheResultsInOrder(cores: Int, count: Int) async throws {
    var (read, taken) = (0, [Int]())
    try await work(cores).run {
      guard read < count else { return nil }
      read += 1
      return read
    } _: { _, part in
      taken.append(part)
      // No more parts are read than memory is meant for.
      #expect(read - taken.count <= cores * 2)
    }
    #expect(taken == Array(1..<(count + 1)))
  }

  @Test(arguments: [1, 4], [0, 1, 2, 30])
  func takesAllPartsBeforeAnError(cores: Int, count: Int) async throws {
    var (read, taken) = (0, [Int]())
    let error = await #expect(throws: Failure.self) {
      try await work(cores).run {
        guard read < count else { throw Failure(number: read) }
        read += 1
        return read
      } _: { _, part in
        taken.append(part)
      }
    }
    #expect(error == Failure(number: count))
    #expect(taken == Array(1..<(count + 1)))
  }

  @Test(arguments: [1, 4])
  func endsWithAnErrorOfTheReceiver(cores: Int) async throws {
    var (read, taken) = (0, [Int]())
    let error = await #expect(throws: Failure.self) {
      try await work(cores).run {
        read += 1
        return read
      } _: { _, part in
        taken.append(part)
        if part == 20 { throw Failure(number: part) }
      }
    }
    #expect(error == Failure(number: 20))
    #expect(taken == Array(1...20))
  }
}
