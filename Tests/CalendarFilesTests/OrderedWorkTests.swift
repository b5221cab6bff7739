// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Synchronization
import Testing

/// Parts of a stream that are worked on at the same time.
struct OrderedWorkTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// Work that takes longer for some parts than for later ones.
  private let work = OrderedWork<Int, Int> { part in
    var sum = 0
    for number in 0..<(part % 7 == 0 ? 20_000 : 10) { sum &+= number ^ sum }
    return sum == 1 ? 0 : part
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 3, 100])
  func takesTheResultsInOrder(cores: Int, count: Int) async throws {
    var (read, taken) = (0, [Int]())
    try await work.run(cores: cores) {
      guard read < count else { return nil }
      read += 1
      return read
    } take: {
      taken.append($0)
      // No more parts are read than memory is meant for.
      #expect(read - taken.count <= cores * 2)
    }
    #expect(taken == Array(1..<(count + 1)))
  }

  @Test(arguments: [1, 4], [0, 1, 2, 30])
  func takesAllPartsBeforeAnError(cores: Int, count: Int) async throws {
    var (read, taken) = (0, [Int]())
    let error = await #expect(throws: Failure.self) {
      try await work.run(cores: cores) {
        guard read < count else { throw Failure(number: read) }
        read += 1
        return read
      } take: {
        taken.append($0)
      }
    }
    #expect(error == Failure(number: count))
    #expect(taken == Array(1..<(count + 1)))
  }

  @Test(arguments: [1, 4])
  func endsWithAnErrorOfTheReceiver(cores: Int) async throws {
    var (read, taken) = (0, [Int]())
    let error = await #expect(throws: Failure.self) {
      try await work.run(cores: cores) {
        read += 1
        return read
      } take: {
        taken.append($0)
        if $0 == 20 { throw Failure(number: $0) }
      }
    }
    #expect(error == Failure(number: 20))
    #expect(taken == Array(1...20))
  }
}
