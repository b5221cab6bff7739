// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Dispatch
import Epact
import Foundation
import OpenEventKit
import Synchronization

/// A prompt with a fixed answer, which counts its questions.
final class CountingPrompt: ProgramPrompt {
  private struct State {
    var answer: ProgramAnswer?
    var gate: DispatchSemaphore?
    var questions: [ProgramQuestion] = []
  }

  private let state: Mutex<State>

  init(_ answer: ProgramAnswer?) {
    state = Mutex(State(answer: answer))
  }

  var canAsk: Bool { true }

  var answer: ProgramAnswer? {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// A semaphore that each question waits for.
  var gate: DispatchSemaphore? {
    get { state.withLock { $0.gate } }
    set { state.withLock { $0.gate = newValue } }
  }

  var questions: [ProgramQuestion] { state.withLock(\.questions) }
  var count: Int { state.withLock { $0.questions.count } }
  var tiers: [AccessTier] { state.withLock { $0.questions.map(\.tier) } }
  var purposes: [String?] { state.withLock { $0.questions.map(\.purpose) } }

  func ask(_ question: ProgramQuestion) -> ProgramAnswer? {
    gate?.wait()
    return state.withLock { state in
      state.questions.append(question)
      return state.answer
    }
  }
}

/// Counts the notifications of a store, from its creation on.
final class ChangeCounter: Sendable {
  private let state = Mutex((count: 0, isMain: true))

  var count: Int { state.withLock { $0.count } }
  /// Whether all notifications were posted on the main queue.
  var isAlwaysOnMain: Bool { state.withLock { $0.isMain } }

  init(_ store: EKEventStore) {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    _ = NotificationCenter.default.addObserver(
      forName: .EKEventStoreChanged, object: store, queue: nil
    ) { [self] _ in
      state.withLock {
        $0 = ($0.count + 1, $0.isMain && DispatchQueue.getSpecific(key: key) == true)
      }
    }
  }

  /// Waits for a notification after some others; the time limit of the suite ends a test that hangs.
  func wait(after before: Int = 0) async throws {
    while count <= before { try await Task.sleep(for: .milliseconds(10)) }
  }
}
