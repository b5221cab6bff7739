// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import CalendarRemotes

@Suite("Requests in flight at once")
struct RequestWindowTests {
  private static func writes(
    _ window: inout RequestWindow, _ times: [Int], count: Int = 8
  ) {
    for time in times {
      for _ in 0..<count {
        window.note(.write(.milliseconds(time)), sentAfter: window.reductions)
      }
    }
  }

  @Test func `A server that answers gets more requests, up to the maximum`() {
    var window = RequestWindow(most: 6)
    #expect(window.size == 3)
    for size in [4, 5, 6, 6] {
      window.note(.read, sentAfter: 0)
      #expect(window.size == size)
    }
  }

  @Test(arguments: [0, 1])
  func `There is always one`(most: Int) {
    var window = RequestWindow(most: most)
    for _ in 0..<9 { window.note(.overload, sentAfter: window.reductions) }
    #expect(window.size == 1)
  }

  @Test func `A busy server gets half as many, once for all requests in flight`() {
    var window = RequestWindow(most: 8)
    Self.writes(&window, [50])
    #expect(window.size == 8)
    for _ in 0..<8 { window.note(.overload, sentAfter: 0) }
    #expect(window.size == 4)
    window.note(.overload, sentAfter: 1)
    #expect(window.size == 2)
  }

  @Test func `After that it gets more only slowly`() {
    var window = RequestWindow(most: 8)
    Self.writes(&window, [50])
    window.note(.overload, sentAfter: 0)
    Self.writes(&window, [50], count: 7)
    #expect(window.size == 4)
    Self.writes(&window, [50], count: 1)
    #expect(window.size == 5)
  }

  @Test func `A server that becomes slow gets fewer`() {
    var window = RequestWindow(most: 8)
    Self.writes(&window, [50, 60])
    #expect(window.size == 8)
    Self.writes(&window, [300, 300])
    #expect(window.size == 6)
    // One fast answer shows that the server is not slow; larger items just take longer.
    for time in [300, 300, 300, 60, 300, 300, 300, 300] {
      window.note(.write(.milliseconds(time)), sentAfter: window.reductions)
    }
    #expect(window.size == 7)
  }

  @Test func `Short times may differ by chance`() {
    var window = RequestWindow(most: 8)
    Self.writes(&window, [1, 15, 1, 15])
    #expect(window.size == 8)
  }

  @Test func `One that stays slow is compared with itself`() {
    var window = RequestWindow(most: 4)
    Self.writes(&window, [50] + Array(repeating: 500, count: 3))
    #expect(window.size == 1)
    Self.writes(&window, [500, 500, 500])
    #expect(window.size > 1)
  }

  /// What came, in order.
  private final class Record: Sendable {
    private let entries = Mutex<[Int]>([])

    var numbers: [Int] { entries.withLock { $0 } }

    func add(_ number: Int) { entries.withLock { $0.append(number) } }
  }

  @Test func `Requests wait for their turn`() async throws {
    let limiter = RequestLimiter(most: 1, stopwatch: { .zero })
    let first = try await limiter.begin(isWrite: false)
    let record = Record()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          let turn = try await limiter.begin(isWrite: false)
          record.add(number)
          limiter.end(turn, .read)
        }
      }
      for _ in 0..<200 { await Task.yield() }
      #expect(record.numbers.isEmpty)
      limiter.end(first, .read)
      try await group.waitForAll()
    }
    #expect(record.numbers.sorted() == [1, 2, 3])
  }

  @Test func `Writes start with two at once, even after many reads`() {
    var window = RequestWindow(most: 6)
    for _ in 0..<9 { window.note(.read, sentAfter: 0) }
    #expect(window.size == 6)
    for most in [2, 3, 4, 5, 6, 6] {
      #expect(window.mostWrites == most)
      Self.writes(&window, [50], count: 1)
    }
  }

  @Test func `A server that locks the calendar gets one write, and then spaced ones`() {
    var window = RequestWindow(most: 8)
    Self.writes(&window, [50])
    for _ in 0..<3 { window.note(.locked, sentAfter: 0) }
    #expect(window.mostWrites == 1 && window.spacing == nil)
    Self.writes(&window, [100], count: 1)
    #expect(window.mostWrites == 3 && window.spacing == .milliseconds(100))
    Self.writes(&window, [100], count: 20)
    let short = window.spacing ?? .zero
    #expect(short > .milliseconds(30) && short < .milliseconds(40))
    window.note(.locked, sentAfter: 0)
    #expect(window.spacing == short * 4 / 3)
    // A longer one than the time of a write would leave the server without work.
    for _ in 0..<9 { window.note(.locked, sentAfter: 0) }
    #expect(window.spacing == .milliseconds(100))
    #expect(window.mostWrites == 3 && window.size == 8)
  }

  @Test(arguments: [
    // Servers behind a round trip of 50, 200 and 100 ms, which take about 30 ms for a write.
    (80, [52, 60], 33), (230, [201, 250], 34), (130, [100], 36),
    // A server behind a round trip of 8 ms.
    (35, [8], 32),
    // Servers that respond to nothing faster than to a write.
    (30, [30], 4), (80, [200], 12),
  ])
  func `The round trip is no part of the spacing`(
    _ time: Int, _ others: [Int], _ expected: Int
  ) {
    var window = RequestWindow(most: 8)
    window.note(.locked, sentAfter: 0)
    for other in others + [time] { window.note(responseAfter: .milliseconds(other)) }
    window.note(.write(.milliseconds(time)), sentAfter: 0)
    let spacing = window.spacing ?? .zero
    #expect(Int(spacing / .milliseconds(1)) == expected)
  }

  @Test(arguments: [(35, 8, true), (35, 7, false), (400, 50, true), (400, 43, false)])
  func `Writes to a server that is near are sent one after another`(
    _ time: Int, _ shortest: Int, _ isSpaced: Bool
  ) {
    var window = RequestWindow(most: 8)
    window.note(.locked, sentAfter: 0)
    window.note(responseAfter: .milliseconds(shortest))
    Self.writes(&window, [time], count: 3)
    #expect(window.mostWrites == (isSpaced ? 3 : 1) && (window.spacing != nil) == isSpaced)
  }

  @Test func `Spacing ends when a response shows that the server is near`() {
    var window = RequestWindow(most: 8)
    window.note(.locked, sentAfter: 0)
    window.note(responseAfter: .milliseconds(30))
    Self.writes(&window, [50], count: 2)
    #expect(window.mostWrites == 3 && window.spacing != nil)
    window.note(responseAfter: .milliseconds(2))
    Self.writes(&window, [50], count: 1)
    window.note(.locked, sentAfter: 0)
    #expect(window.mostWrites == 1 && window.spacing == nil)
  }

  @Test func `The first spacing is corrected by a faster write`() {
    var window = RequestWindow(most: 8)
    window.note(.locked, sentAfter: 0)
    window.note(responseAfter: .milliseconds(50))
    for (time, expected) in [(150, 120), (80, 36), (80, 34), (150, 32)] {
      window.note(.write(.milliseconds(time)), sentAfter: 0)
      #expect(Int((window.spacing ?? .zero) / .milliseconds(1)) == expected)
    }
  }

  @Test func `Writes that were sent before the spacing grew do not make it grow again`() {
    var window = RequestWindow(most: 8)
    window.note(.locked, sentAfter: 0)
    Self.writes(&window, [100], count: 20)
    let before = window.spacing ?? .zero
    window.note(.locked, sentAfter: 0)
    #expect(window.spacing == before * 4 / 3 && window.extensions == 1)
    window.note(.locked, sentAfter: 0, isSpacedAsNow: false)
    #expect(window.spacing == before * 4 / 3 && window.extensions == 1)
    // From now on it shrinks slowly, so that few writes are rejected,
    Self.writes(&window, [100], count: 1)
    #expect(window.spacing == before * 4 / 3 * 49 / 50)
    // unless it is much longer than a write of which the round trip is known.
    window.note(responseAfter: .milliseconds(90))
    let long = window.spacing ?? .zero
    Self.writes(&window, [100], count: 1)
    #expect(window.spacing == long * 19 / 20)
  }

  @Test func `A rejection counts once for all writes in flight`() async throws {
    let limiter = RequestLimiter(most: 4, stopwatch: { .seconds(1) })
    for answer in [.locked, .write(.milliseconds(90))] as [RequestWindow.Answer] {
      limiter.end(try await limiter.begin(isWrite: true), answer, after: .milliseconds(90))
    }
    var turns: [RequestLimiter.Turn] = []
    for _ in 0..<3 { turns.append(try await limiter.begin(isWrite: true)) }
    for turn in turns { limiter.end(turn, .locked) }
    let first = try await limiter.begin(isWrite: true)
    let next = try await limiter.begin(isWrite: true)
    // An eighth of 90 ms, a fifth more, and a third more than that.
    #expect(next.delay - first.delay == .milliseconds(18))
  }

  @Test func `Spaced writes start one after another, and reads at once`() async throws {
    let limiter = RequestLimiter(most: 4, stopwatch: { .seconds(1) })
    var delays: [Duration] = []
    for answer in [.locked, .write(.milliseconds(100)), .none, .none] as [RequestWindow.Answer] {
      let turn = try await limiter.begin(isWrite: true)
      delays.append(turn.delay)
      limiter.end(turn, answer)
    }
    #expect(delays == [.zero, .zero, .milliseconds(100), .milliseconds(200)])
    #expect(try await limiter.begin(isWrite: false).delay == .zero)
  }

  @Test func `Reads overtake writes that wait for another write`() async throws {
    let limiter = RequestLimiter(most: 4, stopwatch: { .zero })
    let locked = try await limiter.begin(isWrite: true)
    limiter.end(locked, .locked)
    let first = try await limiter.begin(isWrite: true)
    let record = Record()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in [1, 2] {
        group.addTask {
          let turn = try await limiter.begin(isWrite: true)
          record.add(number)
          limiter.end(turn, .write(.zero))
        }
      }
      for _ in 0..<200 { await Task.yield() }
      let read = try await limiter.begin(isWrite: false)
      limiter.end(read, .read)
      #expect(record.numbers.isEmpty)
      limiter.end(first, .write(.zero))
      try await group.waitForAll()
    }
    #expect(record.numbers.sorted() == [1, 2])
  }

  @Test func `A cancelled request waits no longer, and takes no turn`() async throws {
    let limiter = RequestLimiter(most: 1, stopwatch: { .zero })
    let first = try await limiter.begin(isWrite: false)
    let waiting = Task { try await limiter.begin(isWrite: false) }
    for _ in 0..<50 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    limiter.end(first, .none)
    let next = try await limiter.begin(isWrite: false)
    limiter.end(next, .none)
  }

  @Test func `The time of requests that wait together counts once`() {
    var waiting = WaitingTime()
    for start in 0..<8 {
      let isAdded = waiting.add(.seconds(10), from: .seconds(start), upTo: .seconds(20))
      #expect(isAdded)
    }
    #expect(waiting.total == .seconds(17))
    let isOver = !waiting.add(.seconds(4), from: .seconds(30), upTo: .seconds(20))
    let fits = waiting.add(.seconds(3), from: .seconds(30), upTo: .seconds(20))
    #expect(isOver && fits)
    #expect(waiting.total == .seconds(20))
  }

  @Test func `Reports do not grow without a round trip to hide`() {
    var size = BatchSize(for: .near)
    for _ in 0..<20 { size.note(.milliseconds(10), of: 100) }
    #expect(size.items == 100)
    size.limit(to: 50)
    for _ in 0..<20 { size.note(.milliseconds(10), of: 100) }
    #expect(size.items == 100)
  }

  @Test(
    arguments: [
      (0, 1, 100), (19, 1, 100), (20, 2, 100), (39, 2, 100), (40, 3, 250), (nil, 3, 250),
    ] as [(Int?, Int, Int)])
  func `A server that is farther away gets more reports at once, and larger ones`(
    _ time: Int?, _ reports: Int, _ items: Int
  ) {
    let distance = ServerDistance(responseTime: time.map { .milliseconds($0) })
    #expect(distance.reportsAtOnce == reports)
    #expect(BatchSize(for: distance).items == items)
  }

  @Test func `Reports grow over a medium distance`() {
    var size = BatchSize(for: .medium)
    for expected in [200, 400, 500, 500] {
      size.note(.milliseconds(200), of: size.items)
      #expect(size.items == expected)
    }
  }

  @Test func `Reports grow while they are fast, and shrink after a failure`() {
    var size = BatchSize()
    #expect(size.items == 250)
    size.note(.milliseconds(200), of: 40)
    #expect(size.items == 250)
    size.note(.milliseconds(900), of: 250)
    #expect(size.items == 500)
    size.note(.milliseconds(900), of: 500)
    size.note(.milliseconds(2000), of: 500)
    #expect(size.items == 500)
    size.note(.seconds(9), of: 500)
    #expect(size.items == 250)
    size.limit(to: 10)
    for _ in 0..<7 { size.note(.milliseconds(10), of: 10) }
    #expect(size.items == 10)
    size.note(.milliseconds(10), of: 10)
    #expect(size.items == 20)
    size.limit(to: 0)
    #expect(size.items == 1)
  }
}
