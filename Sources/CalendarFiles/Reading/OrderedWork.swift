// SPDX-License-Identifier: Apache-2.0

/// Work on the parts of a stream, whose results are taken in the order of the parts.
///
/// ```
/// next ──► part ──► work ──► result ──► take
///          part ──► work ──► result        in order, whichever is done first
/// ```
///
/// `next` and `take` are called by the caller's task alone. At most two parts for each core are in
/// memory, so that the memory does not depend on the length of the stream.
package struct OrderedWork<Part: Sendable, Result: Sendable>: Sendable {
  /// The number of parts in memory for each core.
  private static var partsPerCore: Int { 2 }

  /// The work on a part, which may be done on any thread.
  private let work: @Sendable (Part) -> Result

  /// Creates the work.
  package init(_ work: @escaping @Sendable (Part) -> Result) {
    self.work = work
  }

  /// Works on one part after the other.
  ///
  /// - Throws: The errors of `next` and `take`.
  package func run(next: () throws -> Part?, take: (Result) throws -> Void) throws {
    while let part = try next() { try take(work(part)) }
  }

  /// Works on several parts at the same time, with the same results.
  ///
  /// An error of `next` is thrown when the results of all earlier parts are taken.
  ///
  /// - Throws: The errors of `next` and `take`.
  package func run(
    cores: Int, next: () throws -> Part?, take: (Result) throws -> Void
  ) async throws {
    guard cores > 1 else { return try run(next: next, take: take) }
    guard let first = try next() else { return }
    let second: Part?
    do {
      second = try next()
    } catch {
      try take(work(first))
      throw error
    }
    // Most files are a single part, for which no other thread is needed.
    guard let second else { return try take(work(first)) }
    var failure: (any Error)?
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var waiting = [second, first]
      var (started, taken) = (0, 0)
      var results: [Int: Result] = [:]
      while true {
        while failure == nil, started - taken < cores * Self.partsPerCore {
          do {
            guard let part = try waiting.popLast() ?? next() else { break }
            group.addTask { [work, started] in (started, work(part)) }
            started += 1
          } catch {
            failure = error
          }
        }
        guard taken < started else { return }
        while results[taken] == nil, let (number, result) = try await group.next() {
          results[number] = result
        }
        while let result = results.removeValue(forKey: taken) {
          taken += 1
          try take(result)
        }
      }
    }
    if let failure { throw failure }
  }
}
