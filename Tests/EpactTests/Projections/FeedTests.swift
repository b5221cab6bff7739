// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Epact

@Suite("Feeds")
struct FeedTests {
  private static let day: Int64 = 86_400
  private let scene: LibraryScene
  private var library: CalendarLibrary { scene.library }

  init() throws {
    scene = try LibraryScene()
  }

  /// Writes an event some days from now.
  private func write(
    _ uid: String, in calendar: String = "private", file: String? = nil, days: Int64 = 1,
    _ lines: String = "SUMMARY:Secret"
  ) throws {
    let start = scene.machine.now().secondsSinceEpoch / Self.day * Self.day + days * Self.day
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Test//EN
      BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20261101T120000Z
      DTSTART:\(Instant(secondsSinceEpoch: start + 36_000))
      DURATION:PT1H
      \(lines)
      END:VEVENT
      END:VCALENDAR

      """
    try scene.folder.write(
      Array(text.replacing("\n", with: "\r\n").utf8),
      to: "calendars/\(calendar)/\(file ?? uid).ics")
  }

  private func text(
    _ feed: Feed, as form: FeedFile.Form = .calendar
  ) throws -> String {
    String(decoding: try library.contents(of: feed, as: form).bytes, as: UTF8.self)
  }

  private static func settings(
    _ calendars: [String] = ["private"], _ detail: ProjectionSettings.Detail = .busy
  ) -> FeedSettings {
    var settings = FeedSettings(calendars)
    settings.projection.detail = detail
    return settings
  }

  // MARK: Making

  @Test("A feed is found by its token and its name until it is revoked")
  func life() throws {
    let (feed, token) = try library.makeFeed(Self.settings(), comment: "for Ana")
    #expect(feed.name == "for-ana")
    #expect(feed.lastUsedAt == nil)
    #expect(try library.feeds() == [feed])
    #expect(try library.feed(for: FeedToken(token.revealed)) == feed)
    #expect(try library.feed(for: FeedToken(token.revealed + "x")) == nil)
    #expect(try library.feed(for: FeedToken("")) == nil)
    try library.noteUse(of: feed)
    #expect(try library.feed(named: "for-ana").lastUsedAt == scene.machine.now())
    try library.revokeFeed(named: "for-ana")
    #expect(try library.feed(for: FeedToken(token.revealed)) == nil)
    #expect(throws: EpactError.self) { try library.feed(named: "for-ana") }
    #expect(throws: EpactError.self) { try library.revokeFeed(named: "for-ana") }
  }

  @Test("The token is 256 random bits, and is stored nowhere")
  func tokens() throws {
    let (_, token) = try library.makeFeed(Self.settings())
    let (_, other) = try library.makeFeed(Self.settings())
    #expect(token != other)
    #expect(token.revealed.count == 43)
    #expect(token.revealed.wholeMatch(of: #/[A-Za-z0-9_\-]+/#) != nil)
    #expect("\(token)" == "[redacted]")
    let files = try FileManager.default.subpathsOfDirectory(atPath: scene.machine.stateFolder)
    for name in files {
      guard let bytes = FileManager.default.contents(atPath: "\(scene.machine.stateFolder)/\(name)")
      else { continue }
      #expect(bytes.range(of: Data(token.revealed.utf8)) == nil, "\(name)")
    }
  }

  @Test("Names are made from the comment or the calendars, and are unique")
  func names() throws {
    #expect(
      try library.makeFeed(Self.settings(["private", "tasks"])).feed.name == "private-tasks-busy")
    #expect(try library.makeFeed(Self.settings(), comment: "Ana & Bob!").feed.name == "ana-bob")
    #expect(try library.makeFeed(Self.settings(), comment: "ana bob").feed.name == "ana-bob-2")
    #expect(try library.makeFeed(Self.settings(), named: "x").feed.name == "x")
    #expect(throws: EpactError.self) { try library.makeFeed(Self.settings(), named: "x") }
  }

  @Test("The settings are stored as they were given")
  func stored() throws {
    var settings = Self.settings(["tasks", "private"], .titles)
    settings.projection.title = try ProjectionTitle("{title} ({calendar})")
    try settings.projection.keep(["location"])
    settings.projection.privateItems = .hide
    settings.projection.query = "start>=today"
    (settings.past, settings.future) = (30, 0)
    _ = try library.makeFeed(settings, named: "x")
    #expect(try library.feed(named: "x").settings == settings)
  }

  @Test("Settings that cannot work are an error, and nothing is stored")
  func errors() throws {
    #expect(throws: EpactError.self) { try library.makeFeed(Self.settings(["nothing"])) }
    #expect(throws: EpactError.self) { try library.makeFeed(Self.settings([])) }
    var settings = Self.settings()
    settings.projection.query = "nofield:x"
    let badQuery = settings
    #expect(throws: (any Error).self) { try library.makeFeed(badQuery) }
    var titles = Self.settings()
    titles.projection.title = try ProjectionTitle("{title}")
    let hidden = titles
    let error = #expect(throws: EpactError.self) { try library.makeFeed(hidden) }
    #expect(
      error?.message == "{title} would show the titles, which busy time hides; show titles")
    for name in ["UID", "NOSUCH"] {
      #expect(throws: EpactError.self) {
        var projection = ProjectionSettings()
        try projection.keep([name])
      }
    }
    #expect(try library.feeds() == [])
  }

  // MARK: Contents

  @Test("Busy time has the same bytes whatever the hidden texts are")
  func hidden() throws {
    try write("a")
    try write("b", days: 2)
    let (feed, _) = try library.makeFeed(Self.settings())
    let first = try library.contents(of: feed)
    #expect(String(decoding: first.bytes, as: UTF8.self).contains("SUMMARY:Busy"))
    #expect(!String(decoding: first.bytes, as: UTF8.self).contains("Secret"))
    #expect(first.etag.count == 34)
    #expect(try library.contents(of: feed) == first)
    try write("a", "SUMMARY:Another\r\nDESCRIPTION:much longer than before")
    #expect(try library.contents(of: feed) == first)
    try write("a", days: 3)
    #expect(try library.contents(of: feed).etag != first.etag)
  }

  @Test("An item that two calendars have appears once, from the first that shows it")
  func once() throws {
    try write("a", in: "private", "SUMMARY:Mine\r\nTRANSP:TRANSPARENT")
    try write("a", in: "tasks", "SUMMARY:Theirs")
    let titles = try library.makeFeed(Self.settings(["private", "tasks"], .titles)).feed
    #expect(try text(titles).matches(of: #/BEGIN:VEVENT/#).count == 1)
    #expect(try text(titles).contains("SUMMARY:Mine"))
    let busy = try library.makeFeed(Self.settings(["private", "tasks"])).feed
    #expect(try text(busy).matches(of: #/BEGIN:VEVENT/#).count == 1)
  }

  @Test("A window of time leaves out what takes place before and after it")
  func windows() throws {
    for (uid, days) in [("old", -40), ("recent", -10), ("soon", 5), ("later", 50)] as [(_, Int64)] {
      try write(uid, days: days, "SUMMARY:\(uid)")
    }
    try write("series", days: -400, "SUMMARY:series\r\nRRULE:FREQ=DAILY")
    var settings = Self.settings(["private"], .titles)
    (settings.past, settings.future) = (30, 30)
    let text = try text(library.makeFeed(settings).feed)
    let titles = text.matches(of: #/SUMMARY:(\w+)/#).map { String($0.1) }
    #expect(titles.sorted() == ["recent", "series", "soon"])
  }

  @Test("Busy time as VFREEBUSY is that of the next sixty days, without texts")
  func freeBusy() throws {
    try write("a", days: 1)
    try write("b", days: 70)
    try write("c", days: -1)
    let (feed, _) = try library.makeFeed(Self.settings(["private"], .all))
    let text = try text(feed, as: .freeBusy)
    #expect(text.matches(of: #/FREEBUSY:/#).count == 1)
    #expect(text.contains("BEGIN:VFREEBUSY"))
    #expect(!text.contains("Secret"))
    #expect(try self.text(feed, as: .freeBusy) == text)
  }

  @Test("A feed asks its readers to read it again, and names its zones")
  func heading() throws {
    try write("a", "SUMMARY:x")
    let text = try text(library.makeFeed(Self.settings(["private"], .titles)).feed)
    #expect(text.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H"))
    #expect(text.contains("NAME:private"))
  }

  @Test("A file is replaced only if something that is shown changed")
  func files() throws {
    try write("a")
    let (feed, _) = try library.makeFeed(Self.settings())
    let path = scene.folder.path(of: "busy.ics")
    #expect(try library.write(feed, to: path))
    #expect(try !library.write(feed, to: path))
    try write("a", "SUMMARY:Other")
    #expect(try !library.write(feed, to: path))
    try write("b")
    #expect(try library.write(feed, to: path))
    let busyTime = scene.folder.path(of: "busy.ifb")
    #expect(try library.write(feed, to: busyTime))
    let bytes = try scene.folder.bytes(of: "busy.ifb")
    #expect(String(decoding: bytes, as: UTF8.self).contains("VFREEBUSY"))
  }

  @Test("A file that cannot be read is an error, because readers would delete its items")
  func unreadable() throws {
    try write("a")
    let (feed, _) = try library.makeFeed(Self.settings())
    let path = scene.folder.path(of: "busy.ics")
    #expect(try library.write(feed, to: path))
    let before = try scene.folder.bytes(of: "busy.ics")
    try scene.folder.write(Array("SECRET".utf8), to: "calendars/private/a.ics")
    for _ in 0..<2 {
      let error = #expect(throws: EpactError.self) { try library.write(feed, to: path) }
      #expect(error?.message.hasPrefix("private/a.ics cannot be read") == true)
    }
    #expect(throws: EpactError.self) { try library.contents(of: feed, as: .freeBusy) }
    #expect(try scene.folder.bytes(of: "busy.ics") == before)
    try write("a", "SUMMARY:Other")
    #expect(try !library.write(feed, to: path))
  }

  @Test("A calendar that is empty although a sync has items in it is an error")
  func empty() async throws {
    let scene = try LibraryScene(
      """
      [calendar.private]
      path = "~/calendars/private"
      [remote.disk]
      kind = "folder"
      path = "~/disk"
      [[sync]]
      name = "disk"
      calendar = "private"
      remote = "disk"

      """)
    let (feed, _) = try scene.library.makeFeed(Self.settings())
    // Nothing was ever there.
    #expect(throws: Never.self) { try scene.library.contents(of: feed) }
    try scene.folder.makeFolder("disk")
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    let set = try SyncSet(configuration, machine: scene.machine)
    try await set.grant(.full, to: "disk", purpose: "Keeps a copy of my appointments on a disk.")
    #expect(try await set.run().syncs.first?.error == nil)
    #expect(throws: Never.self) { try scene.library.contents(of: feed) }
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "calendars/private/a.ics"))
    let error = #expect(throws: EpactError.self) { try scene.library.contents(of: feed) }
    #expect(error?.message == "private is empty, and had 1 item in the last run of disk")
  }

  @Test("A calendar that is gone is an error, and not an empty feed")
  func gone() throws {
    let (feed, _) = try library.makeFeed(Self.settings())
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "calendars/private"))
    let error = #expect(throws: EpactError.self) { try library.contents(of: feed) }
    let path = scene.folder.path(of: "calendars/private")
    #expect(error?.message == "the calendar \"private\" is not at \(path)")
    #expect(error?.remedy == .makeFolder(path: path))
  }
}
