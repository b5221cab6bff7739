// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

struct MemoryRemoteTests {
  @Test func `The double of a remote does what every remote must`() async throws {
    try await RemoteConformance(MemoryRemote()).run()
  }

  @Test func `Calendars of an account tell each other's items apart by their paths`() async throws {
    let remotes = ["a", "b", "c"].map { MemoryRemote($0, quirks: .tellsPaths) }
    for remote in remotes { remote.share(anAccountWith: { remotes }) }
    let item = TestItem.make(uid: "x", summary: "1")
    remotes[0].write(item)
    let source = try #require(try await remotes[0].list().first)
    remotes[0].remove("x")
    remotes[1].write(TestItem.make(uid: "x", summary: "2"))
    #expect(try await remotes[1].list().first?.etag == source.etag)
    #expect(try await remotes[2].move(item, from: source) == .conditionFailed)
    #expect(remotes[1].items["x"]?.title == "2")
  }
}
