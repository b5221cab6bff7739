// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import EpactServe

/// Pages and feeds that are kept until something changes.
struct KeptResultTests {
  private static let views = ["/week", "/month", "/agenda"]

  @Test("Every change of another program is seen by the next request", arguments: views)
  func changes(view: String) async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    #expect(try await visitor.get(view).text.contains("Dinner"))
    // The second request is answered by what is kept.
    #expect(try await visitor.get(view).text.contains("Dinner"))
    try scene.add("dinner", "SUMMARY:Supper")
    #expect(try await visitor.get(view).text.contains("Supper"))
    try FileManager.default.removeItem(
      atPath: scene.folder.path(of: "calendars/private/dinner.ics"))
    let empty = try await visitor.get(view).text
    #expect(!empty.contains("Supper") && !empty.contains("Dinner"))
  }

  @Test("A change of the configuration is seen by the next request", arguments: views)
  func configuration(view: String) async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    #expect(try await visitor.get(view).text.contains("Dinner"))
    let other = PageScene.configuration.replacing("~/calendars/private", with: "~/elsewhere")
    try scene.folder.makeFolder("elsewhere")
    try scene.folder.write(other.utf8, to: ".config/epact/config.toml")
    #expect(try await visitor.get(view).text.contains("Dinner") == false)
  }

  @Test("An edit on the page is on the page that follows")
  func edits() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    #expect(try await visitor.get("/week").text.contains("Dentist") == false)
    _ = try await visitor.submit(
      "/new", ["text": "Dentist today 12:00-13:00", "calendar": "private"])
    #expect(try await visitor.get("/week").text.contains("Dentist"))
    _ = try await visitor.submit("/undo", ["run": "1"])
    #expect(try await visitor.get("/week").text.contains("Dentist") == false)
  }

  @Test("What has passed is marked as time goes on")
  func time() async throws {
    let scene = try PageScene()
    try scene.add("call", "SUMMARY:Call", "DTSTART:20261201T100000Z", "DURATION:PT15M")
    let visitor = try await scene.signIn()
    let before = try await visitor.get("/agenda").text
    scene.clock.now = PageScene.instant("20261201T120000Z")
    #expect(try await visitor.get("/agenda").text != before)
  }

  @Test("Each browser gets forms with its own token")
  func sessions() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let (ada, bob) = (try await scene.signIn(), try await scene.signIn())
    for visitor in [ada, bob, ada] {
      let text = try await visitor.get("/agenda").text
      #expect(text.contains("Dinner"))
      #expect([ada, bob].filter { text.contains($0.csrf) }.allSatisfy { $0.csrf == visitor.csrf })
    }
  }

  @Test("Many requests at once get one right answer each, while files change")
  func crowd() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    for round in 0..<10 {
      try scene.add("dinner", "SUMMARY:Dinner \(round) of ten")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let answer = try await visitor.get("/week")
            #expect(answer.text.contains("Dinner \(round) of ten"))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  // MARK: Coded feeds

  private static func feed() throws -> (scene: PageScene, path: String) {
    let scene = try PageScene()
    for number in 0..<50 { try scene.add("dinner-\(number)", "SUMMARY:Dinner \(number)") }
    let (_, token) = try scene.library.makeFeed(FeedSettings(["private"]))
    return (scene, "/feed/\(token.revealed).ics")
  }

  @Test("A feed that is made anew with the same name shows what it was made for")
  func remade() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    var settings = FeedSettings(["private"])
    settings.projection.detail = .titles
    let (_, first) = try scene.library.makeFeed(settings, named: "ana")
    #expect(try await scene.get("/feed/\(first.revealed).ics").text.contains("Dinner"))
    // The clock stands still: both are made in the same second.
    try scene.library.revokeFeed(named: "ana")
    settings.projection.detail = .busy
    let (_, second) = try scene.library.makeFeed(settings, named: "ana")
    let answer = try await scene.get("/feed/\(second.revealed).ics")
    #expect(answer.status == 200 && !answer.text.contains("Dinner"))
  }

  @Test("A client that takes gzip gets the same bytes, coded")
  func gzip() async throws {
    let (scene, path) = try Self.feed()
    let plain = try await scene.get(path)
    let coded = try await scene.get(path, [.acceptEncoding: "deflate, gzip;q=0.8"])
    #expect(plain.headers[.contentEncoding] == nil && coded.headers[.contentEncoding] == "gzip")
    #expect(
      plain.headers[.vary] == "Accept-Encoding" && coded.headers[.vary] == plain.headers[.vary])
    #expect(coded.bytes.count < plain.bytes.count / 2)
    try scene.folder.write(coded.bytes, to: "feed.ics.gz")
    let program = TestProgram(["gzip", "-dc", scene.folder.path(of: "feed.ics.gz")])
    #expect(try program.outputBytes() == plain.bytes)
  }

  @Test("Each form of a feed has a tag of its own, and is not sent again")
  func tags() async throws {
    let (scene, path) = try Self.feed()
    let first = try await scene.get(path)
    let plain = try #require(first.headers[.eTag])
    let answer = try await scene.get(path, [.acceptEncoding: "gzip"])
    let coded = try #require(answer.headers[.eTag])
    #expect(plain != coded)
    for (tag, coding, status) in [
      (plain, "identity", 304), (coded, "gzip", 304), (plain, "gzip", 200),
      (coded, "identity", 200),
    ] {
      let answer = try await scene.get(path, [.acceptEncoding: coding, .ifNoneMatch: tag])
      #expect(answer.status == status, "\(tag) \(coding)")
      #expect(answer.bytes.isEmpty == (status == 304))
    }
  }

  /// RFC 9110 §12.5.3.
  @Test(
    "The codings that a client takes",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br", false),
      ("*", true), ("br, *;q=0", false), ("gzip;q=0", false), ("gzip;q=0.0, *", false),
      ("identity, gzip ; q=0.5", true), ("*;q=0, gzip", true), ("gzip;q=x", false),
    ] as [(String?, Bool)])
  func codings(header: String?, isTaken: Bool) {
    #expect(FeedRoute.takesGzip(header) == isTaken)
  }
}
