// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

/// The time that a run of syncs may take.
@Suite(.timeLimit(.minutes(60))) struct TimeLimitTests {
  private static let feed =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:a\r\n"
    + "DTSTAMP:20261101T000000Z\r\nDTSTART:20261124T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

  @Test("A server that sends slowly ends its sync at the limit, and the next run does the rest")
  func dripping() async throws {
    let isSlow = Mutex(true)
    let server = try LoopbackServer { _ in
      guard isSlow.withLock({ $0 }) else { return [.answer("200 OK", body: Self.feed)] }
      let head = LoopbackServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      return [head]
        + (0..<3000).flatMap { _ in
          [LoopbackServer.Step.pause(milliseconds: 200), .send("x")]
        }
    }
    defer { server.stop() }
    let scene = try SyncScene(local: [])
    let address = try RemoteURL(parsingFeed: "http://127.0.0.1:\(server.port)/a.ics")
    var set = SyncSet(
      [Sync("feed", local: .folder("local"), remote: .feed(address))], ledger: "state",
      machine: scene.machine)
    try await set.grant(.full, to: "feed", purpose: SyncScene.purpose)
    set.options.timeLimit = .seconds(2)
    let slow = try #require(try await set.run().syncs.first)
    #expect(slow.error?.code == .unavailable)
    #expect(
      slow.error?.message
        == "the run reached its time limit of 2.0 seconds; the next run does the rest")
    isSlow.withLock { $0 = false }
    set.options.timeLimit = .seconds(3600)
    let quick = try #require(try await set.run().syncs.first)
    #expect(quick.error == nil)
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path(of: "local"))
    #expect(files.count == 1)
  }

  @Test("The configuration states minutes, and 0 is no limit")
  func configured() throws {
    func limit(_ line: String) throws -> Duration? {
      try ConfigurationTests.read(line).timeLimit
    }
    #expect(try limit("time-limit-minutes = 90\n") == .seconds(5400))
    #expect(try limit("time-limit-minutes = 0\n") == nil)
    #expect(try limit("") == nil)
  }
}
