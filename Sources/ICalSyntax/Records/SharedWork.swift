// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Work on several parts that the caller shares with other threads.
///
/// The caller takes one part after the other, and so does each helper that has a thread. At the end
/// the caller waits only for parts that a helper has taken, and not for helpers without a thread. A
/// helper whose thread is interrupted still holds up the caller for one part.
///
/// It is a class, because the caller and the helpers share it.
final class SharedWork<Part: Sendable, Result: Sendable>: Sendable {
  private struct State {
    /// The parts that were not taken yet, last one first.
    var parts: [Part]
    var results: [Result?]
    /// The number of missing results.
    var missing: Int
    /// The caller, if it waits for the last results.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>
  private let work: @Sendable (Int, consuming Part) -> Result

  /// Prepares the work on some parts, which gets the index of each part.
  init(_ parts: [Part], _ work: @escaping @Sendable (Int, consuming Part) -> Result) {
    state = Mutex(
      State(
        parts: parts.reversed(), results: Array(repeating: nil, count: parts.count),
        missing: parts.count))
    self.work = work
  }

  /// Does the work, and returns the results in the order of the parts.
  ///
  /// - Parameter cores: The number of threads, with that of the caller.
  /// - Returns: The results.
  func results(cores: Int) async -> [Result] {
    for _ in 1..<max(1, cores) { Task { self.takeParts() } }
    takeParts()
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.missing > 0 { state.waiter = continuation }
        return state.missing == 0
      }
      if isDone { continuation.resume() }
    }
    // A helper that starts late still refers to the state.
    return state.withLock { state in
      defer { state.results = [] }
      return state.results.compactMap(\.self)
    }
  }

  /// Works on parts until all are taken.
  private func takeParts() {
    while let (index, part) = nextPart() {
      // Moved, so that a part is changed in place.
      let result = work(index, consume part)
      let waiter = state.withLock { state in
        state.results[index] = result
        state.missing -= 1
        return state.missing == 0 ? state.waiter.take() : nil
      }
      waiter?.resume()
    }
  }

  private func nextPart() -> (Int, Part)? {
    state.withLock { state in
      guard let part = state.parts.popLast() else { return nil }
      return (state.results.count - state.parts.count - 1, part)
    }
  }
}
