// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import TestSupport
import Testing

/// HTTP/2, by a real proxy in front of real servers and of one that misbehaves.
@Suite(.timeLimit(.minutes(60)), .serialized) struct HTTP2Tests {
  static let names: [HTTPError.Code: String] = [
    .interrupted: "interrupted", .tooLarge: "too large", .timeout: "timeout",
  ]

  func transport(limits: HTTPLimits = HTTPLimits()) throws -> NetworkTransport {
    try NetworkTransport(
      userAgent: "epact-tests/1", identity: NetworkIdentity(caFile: ServerProcess.certificate),
      limits: limits)
  }

  func remote(_ proxy: HTTP2Proxy, _ path: String) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: proxy.root + path.dropFirst()),
      credentials: Credentials(user: ServerProcess.user, password: ServerProcess.password),
      transport: try transport())
  }

  /// Sends requests at the same time; the statuses or the codes of the errors, in their order.
  func statuses(
    of paths: [String], _ transport: NetworkTransport, _ proxy: HTTP2Proxy
  ) async throws -> [String] {
    let requests = try paths.map { path in
      HTTPRequest(method: .get, url: try RemoteURL(parsing: proxy.root + path))
    }
    return await withTaskGroup(of: (Int, String).self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          do {
            return (number, String(try await transport.send(request).status))
          } catch let error as HTTPError {
            return (number, Self.names[error.code] ?? error.message)
          } catch {
            return (number, "\(error)")
          }
        }
      }
      var results = Array(repeating: "", count: paths.count)
      for await (number, result) in group { results[number] = result }
      return results
    }
  }

  @Test(arguments: ServerProcess.Kind.allCases)
  func `A server behind HTTP/2 does what every remote must, on one connection`(
    _ kind: ServerProcess.Kind
  ) async throws {
    let server = try await ServerProcess(kind)
    let proxy = try await HTTP2Proxy(to: server.port)
    try await RemoteConformance(remote(proxy, kind.calendarPath)).run()
    let requests = proxy.requests
    #expect(requests.count > 10)
    #expect(Set(requests.map(\.version)) == ["h2"])
    #expect(Set(requests.map(\.connection)).count == 1)
  }

  @Test func `Requests at the same time share one connection`() async throws {
    let server = try await ServerProcess(.radicale)
    let proxy = try await HTTP2Proxy(to: server.port)
    let calendar = try await remote(proxy, server.kind.calendarPath).openCalendar()
    try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
      for number in 1...24 {
        group.addTask {
          let item = try RemoteConformance.event("\(number)@example.org", summary: "\(number)")
          return try await calendar.create(item)
        }
      }
      for try await outcome in group {
        guard case .written = outcome else {
          Issue.record("\(outcome)")
          continue
        }
      }
    }
    let entries = try await calendar.list()
    #expect(entries.count == 24)
    #expect(try await calendar.fetch(entries.map(\.href)).count == 24)
    #expect(Set(proxy.requests.map(\.connection)).count == 1)
    #expect(proxy.requests.count { $0.version == "h2" && $0.method == "PUT" } == 24)
  }

  @Test func `A server without HTTP/2 gets HTTP/1.1`() async throws {
    let server = try await ServerProcess(.xandikos)
    let proxy = try await HTTP2Proxy(to: server.port, protocols: "http/1.1")
    try await RemoteConformance(remote(proxy, server.kind.calendarPath)).run()
    #expect(Set(proxy.requests.map(\.version)) == ["http/1.1"])
  }

  @Test func `Nothing but additions is sent under write-only access`() async throws {
    let server = try await ServerProcess(.radicale)
    let proxy = try await HTTP2Proxy(to: server.port)
    let appender = try await remote(proxy, server.kind.calendarPath).openAppender()
    let item = try RemoteConformance.event("added@example.org", summary: "Added")
    guard case .added(let href, _) = try await appender.append(item) else {
      Issue.record("the event was not added")
      return
    }
    #expect(try await appender.append(item) == .alreadyPresent(href: href))
    #expect(proxy.requests.map(\.method) == ["PUT", "PUT"])
    #expect(proxy.requests.map(\.version) == ["h2", "h2"])
  }

  /// Runs a proxy in front of a server that answers by the path of a request.
  func withMisbehaviour(
    _ body: (HTTP2Proxy) async throws -> Void
  ) async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/slow": return [.pause(milliseconds: 300), .answer("200 OK", body: "slow")]
      case "/header":
        let fields = (1...100).map { "X-\($0): " + String(repeating: "a", count: 1000) }
        return [.pause(milliseconds: 100), .answer("200 OK", fields: fields, body: "x")]
      case "/body":
        return [.answer("200 OK", body: String(repeating: "b", count: 1 << 20))]
      case "/stalled": return [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")]
      case "/cut": return [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .reset]
      case "/moved": return [.answer("301 Moved Permanently", fields: ["Location: /there"])]
      default: return [.answer("200 OK", body: "x")]
      }
    }
    defer { server.stop() }
    try await body(try await HTTP2Proxy(to: server.port))
  }

  @Test func `A header that is too large for HTTP/2 comes by HTTP/1.1, and harms no other request`()
    async throws
  {
    try await withMisbehaviour { proxy in
      let transport = try transport()
      let results = try await statuses(of: ["slow", "header", "slow", "there"], transport, proxy)
      #expect(results == ["200", "interrupted", "200", "200"])
      #expect(Set(proxy.requests.map(\.version)) == ["h2"])
      // The limit of the header is the same as ever, and so is the answer.
      #expect(try await statuses(of: ["header"], transport, proxy) == ["200"])
      #expect(proxy.requests.last?.version == "http/1.1")
    }
  }

  @Test func `A cut answer is a lost connection, and the others are complete`() async throws {
    try await withMisbehaviour { proxy in
      let results = try await statuses(of: ["slow", "cut", "slow"], try transport(), proxy)
      #expect(results == ["200", "interrupted", "200"])
    }
  }

  @Test func `The limits of size and time hold for each request`() async throws {
    try await withMisbehaviour { proxy in
      var limits = HTTPLimits()
      (limits.bodySize, limits.idle) = (1 << 16, .seconds(6))
      let transport = try transport(limits: limits)
      let results = try await statuses(
        of: ["body", "slow", "stalled", "moved"], transport, proxy)
      #expect(results == ["too large", "200", "timeout", "200"])
      #expect(try await statuses(of: ["there"], transport, proxy) == ["200"])
      #expect(Set(proxy.requests.map(\.connection)).count == 1)
    }
  }
}
