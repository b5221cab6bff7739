// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A family with calendars at three vendors, and one mirror of all of them that is pushed to a fourth.
@Suite("A family with calendars at several vendors", .timeLimit(.minutes(60)))
struct VendorFamilyTests {
  private let google: VendorDouble
  private let graph: VendorDouble
  private let servers: [ServerProcess]
  private let sandbox: Sandbox
  private let accounts = (google: VendorDouble.makeAccount(), graph: VendorDouble.makeAccount())
  private let day = "20260302"

  init() async throws {
    google = try await VendorDouble.shared(.google)
    graph = try await VendorDouble.shared(.graph)
    servers = [try await ServerProcess(.radicale), try await ServerProcess(.radicale)]
    sandbox = try Sandbox()
    let folder = sandbox.folder.appending(path: "config/epact")
    let places = ["google", "graph", "dav", "all"].map { sandbox.folder.appending(path: $0) }
    for place in [folder] + places {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    let file = folder.appending(path: "config.toml")
    try Data(configuration.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    for remote in ["google", "graph", "dav", "shared"] {
      let result = try sandbox.run(
        "epact access \(remote) --grant full --purpose 'Keeps the family calendars together'")
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  private var configuration: String {
    let remotes = [
      (
        "google", #"kind = "google""#, "http://127.0.0.1:\(google.port)/calendar/v3/",
        accounts.google
      ),
      ("graph", #"kind = "graph""#, "http://127.0.0.1:\(graph.port)/v1.0/", accounts.graph),
    ].map { name, kind, address, account in
      """
      [remote.\(name)]
      \(kind)
      url = "\(address)"
      token-command = ["echo", "\(account)"]
      """
    }
    let calendars = [("dav", servers[0]), ("shared", servers[1])].map { name, server in
      """
      [remote.\(name)]
      kind = "caldav"
      url = "\(server.calendar)"
      username = "alice"
      password-command = ["echo", "s3cret"]
      """
    }
    let syncs = ["google", "graph", "dav"].map { name in
      """
      [calendar.\(name)]
      path = "~/\(name)"
      [[sync]]
      name = "\(name)"
      calendar = "\(name)"
      remote = "\(name)"
      """
    }
    let mirror = """
      [calendar.all]
      path = "~/all"
      [[mirror]]
      name = "everything"
      from = ["google", "graph", "dav"]
      to = "all"
      show = "titles"
      [[sync]]
      name = "shared"
      calendar = "all"
      remote = "shared"
      direction = "push"
      """
    return (remotes + calendars + syncs + [mirror]).joined(separator: "\n") + "\n"
  }

  private func sync() throws {
    let result = try sandbox.run("epact sync")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The titles in a folder, sorted.
  private func titles(_ folder: String) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(
      at: sandbox.folder.appending(path: folder), includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "ics" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\r\n")
        .filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
    }.sorted()
  }

  /// The titles on the server that everything is pushed to, sorted.
  private func sharedTitles() throws -> [String] {
    let result = try sandbox.run(
      "curl -s -u alice:s3cret -X REPORT -H 'Depth: 1' -H 'Content-Type: application/xml' --data "
        + "'<C:calendar-query xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:D=\"DAV:\"><D:prop>"
        + "<C:calendar-data/></D:prop><C:filter><C:comp-filter name=\"VCALENDAR\"/></C:filter>"
        + "</C:calendar-query>' \(servers[1].calendar)")
    return result.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("SUMMARY:") }
      .map { String($0.dropFirst(8)).trimmingCharacters(in: .whitespacesAndNewlines) }.sorted()
  }

  private func writeLocally(_ folder: String, _ uid: String, _ title: String) throws {
    let text = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART:\(day)T100000Z", "DTEND:\(day)T110000Z",
      "SUMMARY:\(title)", "X-FAMILY:yes", "END:VEVENT", "END:VCALENDAR",
    ].map { $0 + "\r\n" }.joined()
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "\(folder)/\(uid).ics"))
  }

  @Test("Edits at every corner arrive everywhere once, and nothing comes back as a copy")
  func everywhere() async throws {
    try await google.person(
      accounts.google, "POST", "/calendar/v3/calendars/primary/events",
      """
      {"summary": "At Google", "start": {"dateTime": "2026-03-02T09:00:00Z"}, \
      "end": {"dateTime": "2026-03-02T10:00:00Z"}}
      """)
    try await graph.person(
      accounts.graph, "POST", "/v1.0/me/events",
      """
      {"subject": "At Microsoft", "start": {"dateTime": "2026-03-02T11:00:00", "timeZone": "UTC"}, \
      "end": {"dateTime": "2026-03-02T12:00:00", "timeZone": "UTC"}}
      """)
    try writeLocally("google", "here-google", "Here for Google")
    try writeLocally("graph", "here-graph", "Here for Microsoft")
    try writeLocally("dav", "here-dav", "Here for CalDAV")
    let all = [
      "At Google", "At Microsoft", "Here for CalDAV", "Here for Google", "Here for Microsoft",
    ]
    try sync()
    #expect(try titles("google") == ["At Google", "Here for Google"])
    #expect(try titles("graph") == ["At Microsoft", "Here for Microsoft"])
    var found = (copies: try titles("all"), shared: try sharedTitles())
    #expect(found.copies == all)
    #expect(found.shared == all)
    try sync()
    found = (copies: try titles("all"), shared: try sharedTitles())
    #expect(found.copies == all)
    #expect(found.shared == all)
    #expect(try await titlesAtGoogle() == ["At Google", "Here for Google"])
    #expect(try await titlesAtMicrosoft() == ["At Microsoft", "Here for Microsoft"])

    let edited = try sandbox.run("epact edit 'At Google' --in google --title 'Edited here'")
    #expect(edited.status == 0, "\(edited.errors)")
    let removed = try sandbox.run("epact delete 'Here for Microsoft' --in graph")
    #expect(removed.status == 0, "\(removed.errors)")
    try sync()
    #expect(try await titlesAtGoogle() == ["Edited here", "Here for Google"])
    #expect(try await titlesAtMicrosoft() == ["At Microsoft"])
    #expect(
      try sharedTitles() == ["At Microsoft", "Edited here", "Here for CalDAV", "Here for Google"])
    #expect(try await google.violations(accounts.google) == "[]")
    #expect(try await graph.violations(accounts.graph) == "[]")
    #expect(
      try await String(decoding: google.control("GET", accounts.google, "mails"), as: UTF8.self)
        == "[]")
    #expect(
      try await String(decoding: graph.control("GET", accounts.graph, "mails"), as: UTF8.self)
        == "[]")
  }

  @Test("Under write-only access, only additions are sent")
  func writeOnly() async throws {
    for remote in ["google", "graph"] {
      let result = try sandbox.run(
        "epact access \(remote) --grant write-only --purpose 'Adds events and reads none'")
      #expect(result.status == 0, "\(result.errors)")
    }
    let file = sandbox.folder.appending(path: "config/epact/config.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(
      text.replacing("remote = \"google\"", with: "remote = \"google\"\naccess = \"write-only\"")
        .replacing("remote = \"graph\"", with: "remote = \"graph\"\naccess = \"write-only\"").utf8
    ).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try writeLocally("google", "one", "One")
    try writeLocally("graph", "two", "Two")
    for _ in 0..<2 {
      let result = try sandbox.run("epact sync google graph")
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
    #expect(
      try await google.requests(accounts.google) == ["POST /calendar/v3/calendars/primary/events"])
    #expect(try await graph.requests(accounts.graph) == ["POST /v1.0/me/calendar/events"])
  }

  private func titlesAtGoogle() async throws -> [String] {
    struct List: Decodable {
      struct Item: Decodable { var summary: String? }
      var items: [Item]
    }
    let data = try await google.person(
      accounts.google, "GET", "/calendar/v3/calendars/primary/events")
    return try JSONDecoder().decode(List.self, from: data).items.compactMap(\.summary).sorted()
  }

  private func titlesAtMicrosoft() async throws -> [String] {
    struct List: Decodable {
      struct Item: Decodable { var subject: String? }
      var value: [Item]
    }
    let data = try await graph.person(accounts.graph, "GET", "/v1.0/me/events?$top=100")
    return try JSONDecoder().decode(List.self, from: data).value.compactMap(\.subject).sorted()
  }
}
