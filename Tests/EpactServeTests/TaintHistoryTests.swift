// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Foundation
import HTTPTypes
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Epact

/// Random calendars whose hidden texts have a mark, on all ways on which others see a part of them.
///
/// `EPACT_SEED` replays one seed; `EPACT_HISTORIES` sets how many there are, from that seed on.
@Suite("Hidden texts on their way to others")
struct TaintHistoryTests {
  private static let mark = "SECRET"
  private static let mirrors = """

    [calendar.shared]
    path = "~/calendars/shared"

    [[mirror]]
    name = "busy"
    from = ["private", "family"]
    to = "shared"

    [[mirror]]
    name = "titles"
    from = ["family", "private"]
    to = "shared"
    show = "titles"
    title = "Taken"

    """

  private struct Way {
    let scene: PageScene
    let feeds: [(feed: Feed, token: FeedToken)]
    /// All that was seen since the last check.
    var seen: [(place: String, text: String)] = []

    init() throws {
      scene = try PageScene()
      try scene.folder.makeFolder("calendars/shared")
      try scene.folder.write(
        (PageScene.configuration + mirrors).utf8, to: ".config/epact/config.toml")
      var titles = FeedSettings(["private", "family"])
      titles.projection.detail = .titles
      titles.projection.title = try ProjectionTitle("Taken")
      let library = scene.library
      feeds = [
        try library.makeFeed(FeedSettings(["private", "family"])), try library.makeFeed(titles),
      ]
    }

    /// Replaces the items of the shown calendars; returns their number.
    func write(_ seed: UInt64) throws -> Int {
      var marked = MarkedCalendars(seed: seed, secret: mark)
      var count = 0
      for name in ["private", "family"] {
        let folder = scene.folder.path(of: "calendars/\(name)")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
          try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
        }
        for number in 0..<Int.random(in: 1...3, using: &marked.random) {
          let bytes = marked.calendar(number)
          // A mirror changes nothing while a file cannot be read.
          guard (try? CalendarItem(parsing: bytes)) != nil else { continue }
          try scene.folder.write(bytes, to: "calendars/\(name)/\(mark) \(number).ics")
          count += 1
        }
      }
      return count
    }

    /// Runs the mirrors, and collects their copies, messages, history and logs.
    mutating func mirror() async throws {
      var set = try SyncSet(
        try scene.library.configuration(), names: ["busy", "titles"], machine: scene.machine)
      let logs = scene.logs
      set.log = Logger(label: "mirrors") { _ in logs.handler }
      set.options.allowedDeletions = 1_000
      let events = Mutex<[String]>([])
      let result = try await set.run { event in
        guard case .running(_, let event) = event else { return }
        switch event {
        case .planned(let plan):
          let lines = plan.operations.map {
            "\($0.verb) \($0.title) \($0.uid) \($0.reason.words(ofMirror: true))"
          }
          events.withLock { $0 += lines }
        case .failed(let operation, let obstacle):
          events.withLock { $0.append("\(operation.title) \(obstacle.words)") }
        default: break
        }
      }
      seen.append(("plan", events.withLock { $0.joined(separator: "\n") }))
      for sync in result.syncs {
        #expect(sync.error == nil && sync.objection == nil, "\(sync.error?.text ?? "")")
        seen.append(("result", "\(sync.items)"))
      }
      let folder = scene.folder.path(of: "calendars/shared")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let bytes = try scene.folder.bytes(of: "calendars/shared/\(name)")
        seen.append(("copy", name + String(decoding: bytes, as: UTF8.self)))
      }
      let history = try History(machine: scene.machine)
      for run in try await history.runs(of: nil).prefix(2) {
        seen.append(("history", "\(try await history.changes(ofRun: run.id.rawValue).json)"))
      }
    }

    /// Writes the feeds, and reads them at their addresses.
    mutating func read() async throws {
      for (feed, token) in feeds {
        for form in FeedFile.Form.allCases {
          let name = "\(feed.name).\(form.rawValue)"
          try scene.library.write(feed, to: scene.folder.path(of: name))
          let bytes = try scene.folder.bytes(of: name)
          seen.append(("feed file", name + String(decoding: bytes, as: UTF8.self)))
          let answer = try await scene.get("/feed/\(token.revealed).\(form.rawValue)")
          #expect(answer.status == 200)
          seen.append(("feed address", answer.text + "\(answer.headers)"))
        }
      }
      seen.append(("log", scene.logs.lines.joined(separator: "\n")))
    }
  }

  @Test("No hidden text is in a copy, a feed, a message, the history or the log")
  func marks() async throws {
    let seeds = Seeds.played(12)
    var way = try Way()
    var (items, copies) = (0, 0)
    for seed in seeds {
      // The history of a scene gets longer with each run.
      if seed.isMultiple(of: 25) { way = try Way() }
      items += try way.write(seed)
      try await way.mirror()
      try await way.read()
      for (place, text) in way.seen {
        // A folded line continues after a space.
        let isMarked = text.replacing("\r\n ", with: "").contains(Self.mark)
        #expect(!isMarked, "EPACT_SEED=\(seed): \(place): \(text.prefix(2_000))")
        if place == "copy" { copies += 1 }
      }
      way.seen = []
    }
    if seeds.count >= 12 { #expect(items > seeds.count * 2 && copies > seeds.count * 2) }
  }

  @Test("The error about a file that cannot be read names the file, and nothing in it")
  func errors() async throws {
    let way = try Way()
    for (number, text) in [
      Self.mark, "BEGIN:VCALENDAR\r\n\(Self.mark)\r\n",
      "BEGIN:\(Self.mark)\r\nEND:\(Self.mark)\r\n",
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:\(Self.mark)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    ].enumerated() {
      try way.scene.folder.write(text.utf8, to: "calendars/private/broken.ics")
      let set = try SyncSet(
        try way.scene.library.configuration(), names: ["busy"], machine: way.scene.machine)
      let error = try #require(try await set.run().syncs.first?.error)
      #expect(error.text.contains("private/broken.ics"))
      #expect(!error.text.contains(Self.mark), "\(number): \(error.text)")
    }
  }
}
