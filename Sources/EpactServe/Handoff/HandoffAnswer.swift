// SPDX-License-Identifier: Apache-2.0

package import Epact
import Synchronization

/// The answer of the user, which is given once.
package final class HandoffAnswer: Sendable {
  private enum State {
    case open
    /// A form is being processed, possibly the last one in time.
    case working(isLast: Bool)
    case given(HandoffOutcome)
  }

  /// The time after an answer in which the browser loads the page that confirms it, in seconds.
  private static let confirmationTime = 30.0

  private let state = Mutex(State.open)
  /// The answer, and then the page that confirms it.
  private let steps: AsyncStream<Void>
  private let progress: AsyncStream<Void>.Continuation

  /// Creates an answer that is not given yet.
  package init() {
    (steps, progress) = AsyncStream.makeStream()
  }

  /// The answer; nil before it is given.
  package var outcome: HandoffOutcome? {
    state.withLock { if case .given(let outcome) = $0 { outcome } else { nil } }
  }

  /// Begins to process a form.
  ///
  /// - Returns: Whether no other form is processed, and no answer was given.
  package func begin() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .working(isLast: false)
      return true
    }
  }

  /// Lets the user correct a form, if there is time left.
  package func reopen() {
    let isOver = state.withLock { state in
      guard case .working(let isLast) = state else { return false }
      state = isLast ? .given(.cancelled) : .open
      return isLast
    }
    if isOver { progress.yield() }
  }

  /// Gives the answer after ``begin()``.
  package func give(_ outcome: HandoffOutcome) {
    state.withLock { $0 = .given(outcome) }
    progress.yield()
  }

  /// Reports that the browser has the page that confirms the answer.
  package func see() {
    progress.yield()
  }

  /// Cancels an answer that was not given; the form that is processed is the last one.
  private func expire() {
    let isOver = state.withLock { state in
      switch state {
      case .open:
        state = .given(.cancelled)
        return true
      case .working:
        state = .working(isLast: true)
        return false
      case .given: return false
      }
    }
    if isOver { progress.yield() }
  }

  /// Waits until the answer was given and confirmed, or was not given in time.
  ///
  /// - Parameter seconds: The time for the answer.
  package func end(within seconds: Double) async {
    var steps = steps.makeAsyncIterator()
    let limit = Task {
      try await Task.sleep(for: .seconds(seconds))
      expire()
    }
    _ = await steps.next(isolation: nil)
    limit.cancel()
    let confirmation = Task {
      try await Task.sleep(for: .seconds(Self.confirmationTime))
      progress.yield()
    }
    _ = await steps.next(isolation: nil)
    confirmation.cancel()
  }
}
