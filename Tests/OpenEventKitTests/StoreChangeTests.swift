// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import OpenEventKit
import Synchronization
import TestSupport
import Testing

@Suite struct StoreChangeTests {
  /// Counts the notifications of one store.
  private final class Counter: Sendable {
    private let state = Mutex((count: 0, isMain: true))

    var count: Int { state.withLock { $0.count } }
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

    /// Waits until there is a notification; the time limit is that of a broken watch only.
    func wait(after before: Int = 0) async -> Bool {
      for _ in 0..<60_000 {
        if count > before { return true }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
  }

  let scene: StoreScene

  init() throws { scene = try StoreScene() }

  @Test("Own changes, those of other stores and those of other programs are reported on main")
  func changes() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    _ = (store.eventsOf2026(), other.eventsOf2026())
    let (own, others) = (Counter(store), Counter(other))
    let event = store.newEvent(
      "A", StoreScene.date(2026, 3, 1), StoreScene.date(2026, 3, 2),
      in: try StoreScene.calendar("home", in: store))
    try store.save(event, span: .thisEvent)
    #expect(await own.wait())
    #expect(await others.wait())
    let (first, second) = (own.count, others.count)
    try scene.put(
      .event("UID:a\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z"), as: "a", in: "work")
    #expect(await own.wait(after: first))
    #expect(await others.wait(after: second))
    #expect(own.isAlwaysOnMain && others.isAlwaysOnMain)
  }

  @Test("A change of the access is reported")
  func access() async throws {
    let store = scene.newStore()
    let counter = Counter(store)
    #expect(try await store.requestFullAccessToEvents())
    #expect(await counter.wait())
  }

  @Test("A store that nobody holds is released, with its watch")
  func lifetime() async throws {
    weak var released: EKEventStore?
    do {
      let store = try await scene.store()
      _ = store.eventsOf2026()
      released = store
    }
    for _ in 0..<60_000 where released != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(released == nil)
  }
}
