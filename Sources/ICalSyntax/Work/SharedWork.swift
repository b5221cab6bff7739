// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Work on several parts that the caller shares with other threads.
///
/// The caller takes one part after the other, and so does each helper that has a thread. The caller
/// waits for none of them: at the end it does the parts again that helpers have taken and not
/// finished, and the first result counts. On a busy machine, a helper may have lost its core for
/// longer than the whole work takes.
///
/// It is a class, because the caller and the helpers share it.
package final class SharedWork<Part: Sendable, Result: Sendable>: Sendable {
  private struct State {
    /// The parts that were not taken yet, last one first.
    var parts: [Part]
    /// The results so far; empty after the caller has taken them.
    var results: [Result?]
  }

  private let state: Mutex<State>
  private let prepare: @Sendable (Int) -> Part
  private let work: @Sendable (Int, consuming Part) -> Result

  /// Prepares the work on some parts.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - prepare: Creates a part from its index; called by the caller's thread only.
  ///   - work: Returns the result of a part, which is the same each time.
  package init(
    _ count: Int, _ prepare: @escaping @Sendable (Int) -> Part,
    _ work: @escaping @Sendable (Int, consuming Part) -> Result
  ) {
    state = Mutex(
      State(
        parts: (0..<count).map(prepare).reversed(),
        results: Array(repeating: nil, count: count)))
    self.prepare = prepare
    self.work = work
  }

  /// Does the work, and returns the results in the order of the parts.
  ///
  /// - Parameter cores: The number of threads, with that of the caller.
  /// - Returns: The results.
  package func results(cores: Int) -> [Result] {
    for _ in 1..<max(1, cores) { Task { self.takeParts() } }
    takeParts()
    // A part that was taken last is the farthest from its end.
    while let index = state.withLock({ $0.results.lastIndex { $0 == nil } }) {
      finish(index, work(index, prepare(index)))
    }
    return state.withLock { state in
      defer { state.results = [] }
      return state.results.compactMap(\.self)
    }
  }

  /// Works on parts until all are taken.
  private func takeParts() {
    while let (index, part) = nextPart() {
      // Moved, so that a part is changed in place.
      finish(index, work(index, consume part))
    }
  }

  private func finish(_ index: Int, _ result: Result) {
    state.withLock { state in
      guard !state.results.isEmpty, state.results[index] == nil else { return }
      state.results[index] = result
    }
  }

  private func nextPart() -> (Int, Part)? {
    state.withLock { state in
      guard let part = state.parts.popLast() else { return nil }
      return (state.results.count - state.parts.count - 1, part)
    }
  }
}
