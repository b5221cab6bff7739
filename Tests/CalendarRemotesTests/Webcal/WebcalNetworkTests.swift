// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Feeds over the network, with what only a network can do to them.
@Suite(.timeLimit(.minutes(60))) struct WebcalNetworkTests {
  static let feed =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\n"
    + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260301T090000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\n"
    + "END:VCALENDAR\r\n"

  func open(_ server: LoopbackServer, path: String = "/feed.ics") async throws -> any RemoteCalendar
  {
    var limits = HTTPLimits()
    limits.bodySize = 1_000_000
    return try await WebcalRemote(
      address: try RemoteURL(parsingFeed: "http://127.0.0.1:\(server.port)\(path)"),
      credentials: nil,
      transport: try NetworkTransport(userAgent: "epact-tests/1", limits: limits),
      now: { Instant(secondsSinceEpoch: 1_795_251_600) }
    ).openCalendar()
  }

  @Test func `A feed comes compressed, from where it moved, and is asked for with its tag`()
    async throws
  {
    let server = try LoopbackServer { request in
      if request.target == "/feed.ics" {
        return [.answer("301 Moved Permanently", fields: ["Location: /new.ics"])]
      }
      if request["if-none-match"] == "\"1-gzip\"" { return [.answer("304 Not Modified")] }
      let body = Gzip.stored(Array(Self.feed.utf8))
      return [
        .send(
          "HTTP/1.1 200 OK\r\nETag: \"1-gzip\"\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"), .bytes(body),
      ]
    }
    defer { server.stop() }
    let calendar = try await open(server)
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("no cursor")
      return
    }
    #expect(entries.map(\.href) == [Href("1")])
    guard case .none = try await open(server).changes(since: cursor) else {
      Issue.record("the tag is not known again")
      return
    }
    #expect(
      server.requests.map(\.target) == ["/feed.ics", "/new.ics", "/new.ics", "/new.ics"])
  }

  struct Spoilt: CustomTestStringConvertible {
    let testDescription: String
    let steps: [LoopbackServer.Step]
    let codes: Set<RemoteError.Code>
  }

  static let spoilt = [
    Spoilt(
      testDescription: "shorter than its length",
      steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + feed), .close],
      codes: [.interrupted]),
    Spoilt(
      testDescription: "no last chunk",
      steps: [
        .send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(feed.utf8.count, radix: 16) + "\r\n" + feed + "\r\n"), .close,
      ], codes: [.interrupted]),
    Spoilt(
      testDescription: "without a length, and cut off",
      steps: [.send("HTTP/1.1 200 OK\r\n\r\n" + feed.dropLast(20)), .close], codes: [.malformed]),
    Spoilt(
      testDescription: "compressed, and cut off",
      steps: [
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 120\r\n\r\n"),
        .bytes(Array(Gzip.stored(Array(feed.utf8)).prefix(120))),
      ], codes: [.malformed, .notCalendar]),
    Spoilt(
      testDescription: "inflating without end",
      steps: [
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
        .bytes(Gzip.bomb(size: 50_000_000)), .close,
      ], codes: [.tooLarge]),
    Spoilt(
      testDescription: "sent on to a login page",
      steps: [.answer("302 Found", fields: ["Location: file:///etc/passwd"])],
      codes: [.redirected]),
  ]

  @Test(arguments: spoilt) func `What is no whole feed is an error`(_ test: Spoilt) async throws {
    let server = try LoopbackServer { _ in test.steps }
    defer { server.stop() }
    let calendar = try await open(server, path: "/private-s3cret.ics")
    let error = await #expect(throws: RemoteError.self) { try await calendar.list() }
    let code = try #require(error?.code)
    #expect(test.codes.contains(code), "\(error.map(String.init(describing:)) ?? "")")
    #expect(error?.description.contains("s3cret") == false)
  }
}
