// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport
import Testing

/// Remotes that are opened with the clock and the network of the system.
@Suite(.timeLimit(.minutes(60))) struct LiveRemoteTests {
  private static let listing = """
    <?xml version="1.0" encoding="utf-8"?>
    <d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
    <d:response><d:href>/cal/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>
    <c:calendar/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
    </d:response>
    <d:response><d:href>/cal/a.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop>
    <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
    </d:multistatus>
    """

  /// Opens a calendar as the documentation of `CalDAVRemote` shows.
  private func hrefs(at address: String, password: String) async throws -> [Href] {
    var found: [Href] = []
    func print(_ href: Href) { found.append(href) }
    // example: CalDAVRemote
    let remote = try CalDAVRemote(
      address, user: "alice", password: password)
    let calendar = try await remote.openCalendar()
    for entry in try await calendar.list() { print(entry.href) }
    // end
    return found
  }

  @Test func `A CalDAV calendar needs a URL, a user and a password`() async throws {
    let server = try LoopbackServer { request in
      guard request["authorization"] == "Basic YWxpY2U6c2VjcmV0" else {
        return [.answer("401 Unauthorized")]
      }
      return [.answer("207 Multi-Status", body: Self.listing)]
    }
    defer { server.stop() }
    let address = "http://127.0.0.1:\(server.port)/cal/"
    #expect(try await hrefs(at: address, password: "secret") == [Href("/cal/a.ics")])
    let error = await #expect(throws: RemoteError.self) {
      try await hrefs(at: address, password: "wrong")
    }
    #expect(error?.code == .credentials)
  }

  @Test func `A feed needs a URL`() async throws {
    let server = try LoopbackServer { _ in
      [.answer("200 OK", body: WebcalNetworkTests.feed)]
    }
    defer { server.stop() }
    let calendar = try await WebcalRemote("http://127.0.0.1:\(server.port)/feed.ics")
      .openCalendar()
    #expect(try await calendar.list().map(\.href) == [Href("1")])
  }

  @Test func `A folder needs no clock`() async throws {
    let folder = MemoryFolder()
    try await RemoteConformance(FolderRemote(calendar: folder, appender: folder)).run()
    try await RemoteConformance(FolderRemote(file: folder), canAppend: false).run()
  }

  @Test func `An address to which nothing may be sent is refused at once`() {
    let error = #expect(throws: RemoteError.self) {
      try CalDAVRemote("http://dav.example.org/", user: "alice", password: "secret")
    }
    #expect(error?.code == .configuration)
  }

  /// The example in the documentation is the code that is compiled here, with another address.
  @Test func `The example of the documentation is compiled`() throws {
    let source = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/CalendarRemotes/LiveDependencies.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    let lines = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: "// example: CalDAVRemote"))
    let example = lines[(start + 1)...].prefix { $0 != "// end" }
    #expect(example.count == 4)
    for line in example {
      let wanted = line.replacing("address,", with: "\"https://dav.example.org/calendars/alice/\",")
      #expect(text.contains(wanted), "\(wanted)")
    }
  }
}
