// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Posts the notification of a store after changes, several together.
///
/// It is posted on the main actor, for as long as the store lives.
final class StoreChanges: @unchecked Sendable {
  /// The time in which further changes join a notification.
  private static let delay = DispatchTimeInterval.milliseconds(150)

  private let lock = NSLock()
  private let queue = DispatchQueue(label: "EKEventStore.changes")
  private weak var store: EKEventStore?
  private var isScheduled = false

  /// Begins to post for a store.
  func attach(_ store: EKEventStore) {
    lock.withLock { self.store = store }
  }

  /// Posts a notification soon, unless one is scheduled already.
  func schedule() {
    let isFirst = lock.withLock {
      defer { isScheduled = true }
      return !isScheduled
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
      // An operation, because a center waits for observers on another queue of operations than the
      // current one. A task of the main actor has no current one if no run loop runs on the main
      // thread, and would wait for itself.
      LiveDependencies.mainOperations.addOperation { [self] in
        MainActor.assumeIsolated { post() }
      }
    }
  }

  @MainActor
  private func post() {
    let store = lock.withLock {
      isScheduled = false
      return self.store
    }
    guard let store else { return }
    let center = LiveDependencies.notificationCenter
    center.post(name: .EKEventStoreChanged, object: store)
    // On Linux, the messages of Foundation and its notifications have separate observers.
    center.post(EKEventStore.EventStoreChanged(), subject: store)
  }
}
