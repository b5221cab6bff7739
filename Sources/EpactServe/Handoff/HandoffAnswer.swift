// SPDX-License-Identifier: Apache-2.0

import Epact
import Synchronization

/// The answer of the user, which is given once.
final class HandoffAnswer: Sendable {
  private enum State {
    case open
    /// A form is being processed.
    case working
    case given(HandoffOutcome)
  }

  private let state = Mutex(State.open)
  private let steps: AsyncStream<Void>
  private let progress: AsyncStream<Void>.Continuation

  /// Creates an answer that is not given yet.
  init() {
    (steps, progress) = AsyncStream.makeStream()
  }

  /// The answer; nil before it is given.
  var outcome: HandoffOutcome? {
    state.withLock { if case .given(let outcome) = $0 { outcome } else { nil } }
  }

  /// Begins to process a form.
  ///
  /// - Returns: Whether no other form is processed, and no answer was given.
  func begin() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .working
      return true
    }
  }

  /// Lets the user correct a form, or send another one.
  func reopen() {
    state.withLock { if case .working = $0 { $0 = .open } }
  }

  /// Gives the answer after ``begin()``.
  func give(_ outcome: HandoffOutcome) {
    state.withLock { $0 = .given(outcome) }
    progress.yield()
  }

  /// States that the user has seen what came of the answer.
  func see() {
    progress.yield()
    progress.finish()
  }

  /// Cancels an answer that was not given.
  ///
  /// - Returns: Whether the answer is given now; false while a form is processed.
  private func expire() -> Bool {
    state.withLock { state in
      switch state {
      case .open:
        state = .given(.cancelled)
        return true
      case .working: return false
      case .given: return true
      }
    }
  }

  /// The time after an answer in which the browser loads the page that confirms it, in seconds.
  private static let confirmationTime = 5.0
  /// The time in which a form is processed, in seconds.
  private static let workingTime = 60.0

  /// Waits until the answer was given and seen, or was not given in time.
  ///
  /// - Parameter seconds: The time for the answer.
  func end(within seconds: Double) async {
    if await !step(within: seconds) {
      guard !expire() else { return }
      // The form that was sent last is still processed.
      guard await step(within: Self.workingTime) else { return }
    }
    _ = await step(within: Self.confirmationTime)
  }

  /// Waits for a step of the user.
  ///
  /// - Returns: Whether there was one within the time.
  private func step(within seconds: Double) async -> Bool {
    let steps = steps
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await _ in steps { return true }
        return !Task.isCancelled
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(seconds))
        return false
      }
      let isStep = await group.next() ?? false
      group.cancelAll()
      return isStep
    }
  }
}
