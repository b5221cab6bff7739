// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreChangeTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  @Test("A grant is seen by a store that looked while another process created the ledger")
  func ledger() async throws {
    let scene = try StoreScene()
    let state = scene.machine.stateFolder
    try PrivateFolder.make(state)
    let table = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
    let code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let maker = TestProgram(["python3", "-c", code, state + "/ledger.sqlite", table])
    #expect(try maker.run() == 0)
    let store = scene.newStore()
    #expect(store.status(for: .event) == .notDetermined)
    try await scene.grant(.full, for: .event)
    #expect(store.status(for: .event) == .fullAccess)
  }

  @Test("Own changes, those of other stores and those of other programs are reported on main")
  func changes() async throws {
    let (store, other) = (try await scene.store(), try await scene.store())
    _ = (store.eventsOf2026(), other.eventsOf2026())
    let (own, others) = (ChangeCounter(store), ChangeCounter(other))
    let event = store.newEvent(
      "A", StoreScene.date(2026, 3, 1), StoreScene.date(2026, 3, 2),
      in: try StoreScene.calendar("home", in: store))
    try store.save(event, span: .thisEvent)
    try await own.wait()
    try await others.wait()
    let (first, second) = (own.count, others.count)
    try scene.put(
      .event("UID:a\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z"), as: "a", in: "work")
    try await own.wait(after: first)
    try await others.wait(after: second)
    #expect(own.isAlwaysOnMain && others.isAlwaysOnMain)
  }

  @Test("An observer on the main queue of operations is called where no run loop runs")
  func mainOperations() async throws {
    let store = try await scene.store()
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let token = NotificationCenter.default.addObserver(
      forName: .EKEventStoreChanged, object: store, queue: .main
    ) { _ in
      MainActor.assumeIsolated { _ = continuation.yield(true) }
    }
    try store.save(store.newLunch(), span: .thisEvent)
    var calls = stream.makeAsyncIterator()
    #expect(await calls.next() == true)
    NotificationCenter.default.removeObserver(token)
  }

  @Test("A change is a message of Foundation, too")
  func message() async throws {
    let store = try await scene.store()
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let token = NotificationCenter.default.addObserver(of: store, for: .changed) {
      (_: EKEventStore.EventStoreChanged) in continuation.yield(true)
    }
    try store.save(store.newLunch(), span: .thisEvent)
    var messages = stream.makeAsyncIterator()
    #expect(await messages.next() == true)
    NotificationCenter.default.removeObserver(token)
    #expect(EKEventStore.EventStoreChanged.name == .EKEventStoreChanged)
  }

  @Test("A change of the access is reported")
  func access() async throws {
    let store = scene.newStore()
    let counter = ChangeCounter(store)
    #expect(try await store.requestFullAccessToEvents())
    try await counter.wait()
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
