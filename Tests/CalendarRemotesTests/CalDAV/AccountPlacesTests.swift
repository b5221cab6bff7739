// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import TestSupport
import Testing

@Suite struct AccountPlacesTests {
  /// A name service that knows this and nothing else.
  struct Lookup: ServiceLookup {
    var servers: [String: [ServiceRecord]] = [:]
    var words: [String: [String]] = [:]
    var isDown = false

    func services(_ name: String) async throws -> [ServiceRecord] {
      if isDown { throw RemoteError(code: .unreachable, subject: name, message: "down") }
      return servers[name] ?? []
    }

    func texts(_ name: String) async throws -> [String] {
      if isDown { throw RemoteError(code: .unreachable, subject: name, message: "down") }
      return words[name] ?? []
    }
  }

  static let name = "_caldavs._tcp.example.org"
  static let lookup = Lookup(
    servers: [
      name: [
        ServiceRecord(host: "b.provider.net", port: 443, priority: 20, weight: 1),
        ServiceRecord(host: "dav2.example.org", port: 8443, priority: 10, weight: 1),
        ServiceRecord(host: "dav1.example.org", port: 443, priority: 10, weight: 5),
      ]
    ], words: [name: ["txtvers=1", "path=/dav/start"]])

  struct Case: CustomTestStringConvertible {
    let text: String
    var lookup = AccountPlacesTests.lookup
    let places: [String]
    var testDescription: String { text }
  }

  static let named = [
    "https://dav1.example.org/dav/start", "https://dav2.example.org:8443/dav/start",
    "https://b.provider.net/dav/start ?", "https://example.org/",
  ]

  static let cases = [
    Case(text: "https://dav.example.org/cal/", places: ["https://dav.example.org/cal/"]),
    Case(text: "http://localhost:5232/", places: ["http://localhost:5232/"]),
    Case(text: "example.org", places: named),
    Case(text: " Example.org ", places: named),
    Case(text: "alice@example.org", places: named),
    Case(text: "mailto:alice@example.org", places: named),
    Case(text: "a.b@c@example.org", places: named),
    Case(text: "other.example", places: ["https://other.example/"]),
    Case(text: "example.org:8443", places: ["https://example.org:8443/"]),
    Case(text: "example.org/dav", places: ["https://example.org/dav"]),
    Case(text: "[::1]", places: ["https://[::1]/"]),
    Case(text: "example.org", lookup: Lookup(isDown: true), places: ["https://example.org/"]),
    Case(
      text: "example.org",
      lookup: Lookup(servers: [name: [ServiceRecord(host: "dav.example.org", port: 443)]]),
      places: ["https://dav.example.org/", "https://example.org/"]),
    Case(
      text: "example.org",
      lookup: Lookup(
        servers: [
          name: [
            ServiceRecord(host: "", port: 0), ServiceRecord(host: "x y", port: 443),
            ServiceRecord(host: "dav.example.org", port: 0),
          ]
        ], words: [name: ["path=no"]]),
      places: ["https://example.org/"]),
    Case(
      text: "example.org",
      lookup: Lookup(
        servers: [name: (1...9).map { ServiceRecord(host: "s\($0).example.org", port: 443) }]),
      places: (1...4).map { "https://s\($0).example.org/" } + ["https://example.org/"]),
  ]

  @Test(arguments: cases) func `What a person knows leads to places`(_ row: Case) async throws {
    let found = try await AccountPlaces(of: row.text, lookup: row.lookup)
    #expect(found.places.map { "\($0.address)" + ($0.isOwn ? "" : " ?") } == row.places)
  }

  @Test(arguments: [
    "", "@", "@example.org", "alice@", "http://example.org/", "ftp://example.org/", "exa mple.org",
    "https://alice:secret@example.org/",
  ])
  func `What leads nowhere is an error`(_ text: String) async throws {
    let error = await #expect(throws: RemoteError.self) {
      try await AccountPlaces(of: text, lookup: Lookup())
    }
    #expect(error?.code == .configuration)
    #expect(error.map { !$0.description.contains("secret") } ?? false)
  }

  @Test(arguments: [
    ("caldav.icloud.com", "p42-caldav.icloud.com", true), ("icloud.com", "caldav.icloud.com", true),
    ("a.example.co.uk", "b.example.co.uk", true), ("a.co.uk", "b.co.uk", false),
    ("alice.github.io", "bob.github.io", false), ("example.org", "example.net", false),
    ("example.org", "example.org.evil.net", false), ("10.0.0.1", "10.0.0.2", false),
    ("10.0.0.1", "10.0.0.1", true), ("[::1]", "[::2]", false), ("com", "example.com", false),
    ("localhost", "dav.localhost", false), ("example.org", "evilexample.org", false),
  ])
  func `Servers belong together under one registered domain`(
    _ left: String, _ right: String, _ expected: Bool
  ) throws {
    let (one, other) = (
      try RemoteURL(parsing: "https://\(left)/"), try RemoteURL(parsing: "https://\(right)/")
    )
    #expect(Site.isSame(one.origin, other.origin) == expected)
    #expect(Site.isSame(other.origin, one.origin) == expected)
    let port = try RemoteURL(parsing: "https://\(right):8443/")
    #expect(!Site.isSame(one.origin, port.origin))
  }

  // MARK: Answers of name servers

  /// A name as it is written in an answer.
  static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  /// An answer with a question for `_a.b` at byte 12, and these records.
  static func answer(_ records: [[UInt8]]) -> [UInt8] {
    [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + name("_a.b") + [0, 33, 0, 1]
      + records.flatMap(\.self)
  }

  static func record(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
  }

  @Test func `An answer of a name server is read`() throws {
    let read = try #require(
      DNSAnswer(
        Self.answer([
          Self.record(5, Self.name("alias.b")),
          Self.record(33, [0, 1, 0, 2, 0x01, 0xBB] + Self.name("Dav.b")),
          Self.record(33, [0, 3, 0, 4, 0x20, 0xFB, 3] + Array("dav".utf8) + [0xC0, 15]),
          Self.record(16, [3] + Array("a=1".utf8) + [7] + Array("path=/x".utf8)),
        ])))
    #expect(
      read.services == [
        ServiceRecord(host: "dav.b", port: 443, priority: 1, weight: 2),
        ServiceRecord(host: "dav.b", port: 8443, priority: 3, weight: 4),
      ])
    #expect(read.texts == [["a=1", "path=/x"]])
  }

  static let malformed: [[UInt8]] = [
    [], Array(repeating: 0, count: 11), answer([record(33, [0, 1, 0, 2])]),
    answer([record(33, [0, 1, 0, 2, 0, 1, 0xC0, 39])]),
    answer([record(33, [0, 1, 0, 2, 0, 1, 64])]),
    answer([record(33, [0, 1, 0, 2, 0, 1] + name("a") + [9])]),
    answer([record(33, [0, 1, 0, 2, 0, 1] + name("a/b"))]), answer([record(16, [9, 1])]),
    Array(answer([record(33, [0, 1, 0, 2, 0, 1] + name("dav.b"))]).dropLast(2)),
    [0, 1, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0],
  ]

  @Test(arguments: malformed) func `Of an answer that is malformed nothing is used`(
    _ bytes: [UInt8]
  ) {
    #expect(DNSAnswer(bytes) == nil)
  }

  @Test func `No bytes end the reader`() {
    var generator = SeededGenerator(seed: 6764)
    let whole = Self.answer([
      Self.record(33, [0, 3, 0, 4, 0x20, 0xFB, 3] + Array("dav".utf8) + [0xC0, 15]),
      Self.record(16, [7] + Array("path=/x".utf8)),
    ])
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255)
      }
      _ = DNSAnswer(bytes)
    }
  }
}
