// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactServe
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Feeds at their secret addresses.
struct FeedRouteTests {
  private static func scene() throws -> (scene: PageScene, token: String) {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner", "LOCATION:Café")
    var settings = FeedSettings(["private"])
    settings.projection.detail = .titles
    let (_, token) = try scene.library.makeFeed(settings, comment: "for Ana")
    return (scene, token.revealed)
  }

  @Test("A feed needs no cookie, and shows what it was made for")
  func contents() async throws {
    let (scene, token) = try Self.scene()
    let answer = try await scene.get("/feed/\(token).ics")
    #expect(answer.status == 200)
    #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
    #expect(answer.headers[.cacheControl] == "private, max-age=900")
    #expect(answer.text.contains("SUMMARY:Dinner\r\n"))
    #expect(!answer.text.contains("Café") && !answer.text.contains("UID:dinner"))
    #expect(try scene.library.feeds().first?.lastUsedAt == PageScene.now)
  }

  @Test("An address that ends in .ifb has busy time without titles")
  func busyTime() async throws {
    let (scene, token) = try Self.scene()
    let answer = try await scene.get("/feed/\(token).ifb")
    #expect(answer.status == 200)
    #expect(answer.text.contains("BEGIN:VFREEBUSY\r\n"))
    #expect(answer.text.contains("20261201T110000Z"))
    #expect(!answer.text.contains("Dinner"))
  }

  @Test("All addresses of no feed answer alike, and read no calendar")
  func wrongTokens() async throws {
    let (scene, token) = try Self.scene()
    let (other, revoked) = try scene.library.makeFeed(.init(["private"]))
    try scene.library.revokeFeed(named: other.name)
    let opened = try await OpenedFiles(in: scene.folder.path(of: "calendars/private"))
    _ = opened.names()
    let state = try await OpenedFiles(in: scene.folder.path(of: ".local/state/epact"))
    _ = try await scene.get("/feed/x.ics")
    _ = state.names()
    let expected = try await scene.get("/feed/x.ics")
    let work = state.names()
    // The ledger stays open, and SQLite looks for a journal before each reading.
    #expect(!work.isEmpty, "a wrong token is looked up")
    #expect(expected.status == 404)
    let headOfWrong = try await scene.send(.head, "/feed/x.ics")
    _ = state.names()
    let otherCase = String(
      token.map { Character($0.isUppercase ? $0.lowercased() : $0.uppercased()) })
    let paths = [
      "/feed/\(revoked.revealed).ics", "/feed/\(token)", "/feed/\(token).html",
      "/feed/\(token).ics.ics", "/feed/\(token).ICS", "/feed/\(token).", "/feed/.ics", "/feed/.",
      "/feed/\(token.dropLast()).ics", "/feed/\(token)x.ics", "/feed/\(token).ics%00",
      "/feed/%2E%2E%2Fx.ics", "/feed/\(String(repeating: "a", count: 10_000)).ics",
      "/feed/\(String(token.reversed())).ifb", "/feed/%FF.ics", "/feed/\(token)%20.ics",
      "/feed/\(otherCase).ics", "/feed/\(token).ifb.ics", "/feed/\(token).ics.ifb",
      "/feed/\(token).IFB", "/feed/\(revoked.revealed).ifb", "/feed/\(token.prefix(20)).ics",
      "/feed/\(other.name).ics", "/feed/\(String(repeating: "A", count: 43)).ics",
    ]
    for path in paths {
      let answer = try await scene.get(path)
      #expect(answer.status == 404, "\(path)")
      #expect(answer.bytes == expected.bytes && answer.headers == expected.headers, "\(path)")
      #expect(state.names() == work, "\(path) is looked up like every other token")
      let head = try await scene.send(.head, path)
      #expect(head.status == 404 && head.headers == headOfWrong.headers, "\(path)")
      _ = state.names()
    }
    #expect(opened.names() == [] && !opened.isListed)
    _ = try await scene.get("/feed/\(token).ics")
    #expect(opened.names() != [] || opened.isListed, "the calendar of a feed is read")
  }

  @Test("A revoked feed ends at once")
  func revoked() async throws {
    let (scene, token) = try Self.scene()
    #expect(try await scene.get("/feed/\(token).ics").status == 200)
    try scene.library.revokeFeed(named: "for-ana")
    #expect(try await scene.get("/feed/\(token).ics").status == 404)
  }

  @Test("A reader that has the current version gets no body")
  func unchanged() async throws {
    let (scene, token) = try Self.scene()
    let first = try await scene.get("/feed/\(token).ics")
    let tag = try #require(first.headers[.eTag])
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 10)
    for known in [
      tag, "W/\(tag)", "\"a\", \(tag)", "\"a\",W/\(tag) , \"b\"", "*", " \(tag) ",
    ] {
      let answer = try await scene.get("/feed/\(token).ics", [.ifNoneMatch: known])
      #expect(answer.status == 304, "\(known)")
      #expect(answer.bytes.isEmpty && answer.headers[.eTag] == tag)
      #expect(answer.headers[.cacheControl] == "private, max-age=900")
    }
    for known in ["\"a\"", "", String(tag.dropFirst().dropLast()), "W/\"*\"", "\"*\""] {
      let answer = try await scene.get("/feed/\(token).ics", [.ifNoneMatch: known])
      #expect(answer.status == 200 && answer.bytes == first.bytes, "\(known)")
    }
  }

  @Test("A change of what is shown changes the tag, and another one does not")
  func changed() async throws {
    let (scene, token) = try Self.scene()
    let tag = try await scene.get("/feed/\(token).ics").headers[.eTag]
    try scene.add("dinner", "SUMMARY:Dinner", "LOCATION:Bistro")
    #expect(try await scene.get("/feed/\(token).ics").headers[.eTag] == tag)
    try scene.add("dinner", "SUMMARY:Supper")
    let answer = try await scene.get("/feed/\(token).ics", [.ifNoneMatch: tag ?? ""])
    #expect(answer.status == 200 && answer.headers[.eTag] != tag)
  }

  @Test("HEAD of a feed has the headers of GET and no body")
  func head() async throws {
    let (scene, token) = try Self.scene()
    let get = try await scene.get("/feed/\(token).ics")
    let head = try await scene.send(.head, "/feed/\(token).ics")
    #expect(head.status == 200 && head.bytes.isEmpty)
    #expect(head.headers[.eTag] == get.headers[.eTag])
  }

  @Test("A reader learns nothing about errors of the calendars")
  func failures() async throws {
    let (scene, token) = try Self.scene()
    try scene.folder.write("[calendar.secret]\npath = 1\n".utf8, to: ".config/epact/config.toml")
    let answers = [
      try await scene.get("/feed/\(token).ics"), try await scene.get("/feed/x.ics"),
    ]
    #expect(answers.map(\.status) == [503, 404])
    for answer in answers {
      #expect(!answer.text.contains("secret") && !answer.text.contains(scene.folder.path))
    }
    let other = PageScene.configuration.replacing("calendar.private", with: "calendar.mine")
      .replacing("\"private\"", with: "\"mine\"")
    try scene.folder.write(other.utf8, to: ".config/epact/config.toml")
    let gone = try await scene.get("/feed/\(token).ics")
    #expect(gone.status == 503 && !gone.text.contains("mine"))
    #expect(gone.headers[.retryAfter] == "300")
  }

  @Test("Nothing of a token is in the logs and in the ledger")
  func secrecy() async throws {
    let (scene, token) = try Self.scene()
    for path in [
      "/feed/\(token).ics", "/feed/\(token).ifb", "/feed/\(token).x", "/feed/\(token)y.ics",
    ] {
      _ = try await scene.get(path)
    }
    #expect(!scene.logs.lines.contains { $0.contains(token) })
    let folder = scene.folder.path(of: ".local/state/epact")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains("ledger.sqlite"))
    for name in names {
      let bytes = try scene.folder.bytes(of: ".local/state/epact/\(name)")
      #expect(!String(decoding: bytes, as: UTF8.self).contains(token), "\(name)")
    }
  }

  @Test("A feed takes no form")
  func post() async throws {
    let (scene, token) = try Self.scene()
    let answer = try await scene.send(.post, "/feed/\(token).ics", body: Array("x=y".utf8))
    #expect(answer.status == 404 || answer.status == 405)
  }
}
