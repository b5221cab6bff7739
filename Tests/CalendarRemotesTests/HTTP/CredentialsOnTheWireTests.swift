// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct CredentialsOnTheWireTests {
  /// Makes one token after the other, and counts them.
  final class Mint: Sendable {
    private let tokens: [String]
    private let next = Mutex(0)

    init(_ tokens: [String]) {
      self.tokens = tokens
    }

    var count: Int { next.withLock { $0 } }

    var source: TokenSource {
      TokenSource {
        self.next.withLock { next in
          next += 1
          return self.tokens[min(next, self.tokens.count) - 1]
        }
      }
    }
  }

  /// A server that takes one token and refuses all else.
  func server(accepting token: String) throws -> LoopbackServer {
    try LoopbackServer { request in
      request["authorization"] == "Bearer \(token)"
        ? [.answer("207 Multi-Status")]
        : [
          .answer("401 Unauthorized", fields: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
        ]
    }
  }

  func send(
    _ count: Int, to server: LoopbackServer, _ credentials: Credentials
  ) async throws -> [Int] {
    let transport = try NetworkTransport(userAgent: "epact-tests/1")
    let url = try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/cal/")
    return try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await transport.send(
            HTTPRequest(method: .get, url: url, credentials: credentials)
          ).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: ["good\r\nX-Admin: yes", "good\n", "go od", "", "gööd", "go\u{7F}od"])
  func `A token that would break the header is not sent`(_ token: String) async throws {
    let server = try server(accepting: "good")
    defer { server.stop() }
    let error = await #expect(throws: HTTPError.self) {
      try await send(1, to: server, Credentials(tokens: Mint([token]).source))
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func `A token is made once, however many requests need it`() async throws {
    let server = try server(accepting: "good")
    defer { server.stop() }
    let mint = Mint(["good"])
    let statuses = try await send(20, to: server, Credentials(tokens: mint.source))
    #expect(statuses.allSatisfy { $0 == 207 })
    #expect(mint.count == 1)
    #expect(server.requests.count == 20)
  }

  @Test func `A token that has expired is made anew, once for all who ask`() async throws {
    let server = try server(accepting: "new")
    defer { server.stop() }
    let mint = Mint(["old", "new", "newer"])
    let statuses = try await send(20, to: server, Credentials(tokens: mint.source))
    #expect(statuses.allSatisfy { $0 == 207 })
    #expect(mint.count == 2)
  }

  @Test func `A new token that is refused too ends it, and says what to do`() async throws {
    let server = try server(accepting: "none")
    defer { server.stop() }
    let mint = Mint(["s3cret-1", "s3cret-2", "s3cret-3"])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "http://127.0.0.1:\(server.port)/cal/"),
      credentials: Credentials(user: "ada", tokens: mint.source),
      transport: try NetworkTransport(userAgent: "epact-tests/1"))
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .credentials)
    #expect(error?.message.contains("the access token") ?? false)
    #expect(error.map { !$0.description.contains("s3cret") } ?? false)
    #expect(server.requests.count == 2)
    #expect(mint.count == 2)
  }

  @Test func `The same token again is not sent again`() async throws {
    let server = try server(accepting: "none")
    defer { server.stop() }
    let mint = Mint(["same"])
    #expect(try await send(1, to: server, Credentials(tokens: mint.source)) == [401])
    #expect(server.requests.count == 1)
  }

  @Test func `A token goes to no other server`() async throws {
    let other = try LoopbackServer { _ in [.answer("200 OK")] }
    defer { other.stop() }
    let server = try LoopbackServer { _ in
      [.answer("302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])]
    }
    defer { server.stop() }
    _ = try await send(1, to: server, Credentials(tokens: Mint(["t0ken"]).source))
    #expect(other.requests.map { $0["authorization"] } == [nil])
  }

  @Test func `Tokens do not show themselves`() {
    let credentials = Credentials(user: "ada", tokens: TokenSource { "s3cret" })
    var dumped = ""
    dump(credentials, to: &dumped)
    #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("s3cret"))
  }

  struct Host: CustomTestStringConvertible {
    let host: String
    let words: String
    var testDescription: String { host }
  }

  @Test(arguments: [
    Host(host: "caldav.icloud.com", words: "app-specific password"),
    Host(host: "p42-caldav.icloud.com", words: "app-specific password"),
    Host(host: "caldav.fastmail.com", words: "app password"),
    Host(host: "apidata.googleusercontent.com", words: "sign-in = \"oauth\""),
    Host(host: "dav.example.org", words: "some services"),
    Host(host: "noticloud.com", words: "some services"),
  ])
  func `A refused password is explained where another one is wanted`(_ test: Host) async throws {
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "https://\(test.host)/cal/"),
      credentials: Credentials(user: "ada", password: "s3cret"),
      transport: ScriptedTransport([
        .init(.propfind, "https://\(test.host)/cal/", answer: .status(401))
      ]))
    let error = await #expect(throws: RemoteError.self) { try await remote.openCalendar() }
    #expect(error?.code == .credentials)
    #expect(error?.message.contains(test.words) ?? false)
  }
}
