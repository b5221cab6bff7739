// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// What a program removes is meant: the guard of a sync does not stop it.
struct DeliberateRemovalTests {
  @Test func theOnlyEventThatAProgramRemovesIsRemovedThereToo() async throws {
    let scene = try StoreScene(extra: StoreScene.homeSync)
    try await scene.grant(.full, for: .event)
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    var access = try await RemoteAccess(to: "disk", in: configuration, machine: scene.machine)
    try await access.store(.full, purpose: "Keeps a copy on a disk.")
    let set = try SyncSet(configuration, machine: scene.machine)
    let store = scene.newStore()
    let event = store.newLunch(in: "home")
    try store.save(event, span: .thisEvent)
    _ = try await set.run()
    let files = try FileManager.default.contentsOfDirectory(
      atPath: scene.folder.path(of: "holidays"))
    #expect(files.contains { $0.hasSuffix(".ics") })
    try store.remove(event, span: .thisEvent)
    let result = try #require(try await set.run().syncs.first)
    #expect(!result.summary.stoppedByGuard)
    #expect(result.summary.deletedRemotely == 1)
    // It is a run of the history, which can be undone.
    _ = try await set.undo(nil)
    _ = try await set.run()
    #expect(store.lunches.count == 1)
  }
}
