// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Dispatch
import Epact
import Foundation
import Synchronization

/// Asks for access, and fetches reminders, on queues of a store.
struct StoreRequests: Sendable {
  private let core: StoreCore
  /// The queue on which requests for access wait for their answer.
  private let questions = DispatchQueue(label: "EKEventStore.questions")
  /// The queue of the completions, which may wait for further requests.
  private let completions = DispatchQueue(
    label: "EKEventStore.completions", attributes: .concurrent)

  init(_ core: StoreCore) {
    self.core = core
    completions.async { core.watch() }
  }

  /// Requests a tier, and returns at once.
  func request(
    _ tier: AccessTier, for entity: EKEntityType,
    _ completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    questions.async { [core, completions] in
      let before = core.gate.status(for: entity)
      let answer = Self.waiting { try await core.gate.request(tier, for: entity) }
      if core.gate.status(for: entity) != before {
        core.watch()
        core.changes.schedule()
      }
      completions.async {
        switch answer {
        case .success(let isGranted): completion(isGranted, nil)
        case .failure(let error): completion(false, core.storeError(error))
        }
      }
    }
  }

  /// The result of a function, for which the thread of a queue waits.
  private static func waiting(
    _ body: @escaping @Sendable () async throws -> Bool
  ) -> Result<Bool, any Error> {
    let answer = Answer()
    let end = DispatchSemaphore(value: 0)
    Task {
      do {
        answer.result.withLock { [isGranted = try await body()] in $0 = .success(isGranted) }
      } catch {
        answer.result.withLock { $0 = .failure(error) }
      }
      end.signal()
    }
    end.wait()
    return answer.result.withLock { $0 }
  }

  /// The answer of a request that another task waits for.
  private final class Answer: Sendable {
    let result = Mutex<Result<Bool, any Error>>(.success(false))
  }

  /// Gives the error of a request that states no tier.
  func refuse(_ completion: @escaping EKEventStoreRequestAccessCompletionHandler) {
    completions.async {
      completion(
        false, EKError(.osNotSupported, "the program must request a tier: full or write-only"))
    }
  }

  /// Waits for the answer to a request.
  func answer(
    _ request: (@escaping EKEventStoreRequestAccessCompletionHandler) -> Void
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      request { isGranted, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isGranted)
        }
      }
    }
  }

  /// Fetches the reminders of a query; nil without access or for a query of another store.
  func fetch(
    _ query: StoreQuery?, _ completion: @escaping ([EKReminder]?) -> Void
  ) -> FetchRequest {
    let request = FetchRequest(completion)
    completions.async { [core] in
      guard !request.isCancelled else { return }
      request.finish(query.flatMap { core.reminders(matching: $0) })
    }
    return request
  }
}

/// A request for reminders, which can be cancelled.
final class FetchRequest: @unchecked Sendable {
  private let lock = NSLock()
  private var completion: (([EKReminder]?) -> Void)?

  fileprivate init(_ completion: @escaping ([EKReminder]?) -> Void) {
    self.completion = completion
  }

  fileprivate var isCancelled: Bool { lock.withLock { completion == nil } }

  /// Forgets the completion, so that it is not called.
  func cancel() {
    lock.withLock { completion = nil }
  }

  /// Calls the completion unless the request was cancelled.
  fileprivate func finish(_ reminders: [EKReminder]?) {
    let completion = lock.withLock {
      defer { self.completion = nil }
      return self.completion
    }
    completion?(reminders)
  }
}
