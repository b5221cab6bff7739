// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct NetworkTransportTests {
  static let alice = Credentials(user: "alice", password: "s3cret")
  /// The Basic form of `alice`.
  static let basic = "Basic " + Data("alice:s3cret".utf8).base64EncodedString()

  /// Runs a server with a script and a transport for the time of a test.
  func withServer(
    limits: HTTPLimits = HTTPLimits(), script: @escaping LoopbackServer.Script,
    body: (NetworkTransport, LoopbackServer) async throws -> Void
  ) async throws {
    let server = try LoopbackServer(script: script)
    defer { server.stop() }
    try await body(NetworkTransport(userAgent: "epact-tests/1", limits: limits), server)
  }

  func url(_ server: LoopbackServer, _ path: String = "/cal/") throws -> RemoteURL {
    try RemoteURL(parsing: "http://127.0.0.1:\(server.port)\(path)")
  }

  @Test func `A request arrives as it was made, with the credentials unasked for`() async throws {
    try await withServer(script: { _ in
      [.answer("207 Multi-Status", fields: ["ETag: \"a  b\"", "X-Empty:"], body: "<x/>")]
    }) { transport, server in
      let response = try await transport.send(
        HTTPRequest(
          method: .propfind, url: url(server, "/a%40b/./c?d=e"),
          headers: ["Depth": "1", "Content-Type": "text/xml"], body: Array("<p/>".utf8),
          credentials: Self.alice))
      #expect(response.status == 207)
      #expect(response.headers["etag"] == "\"a  b\"")
      #expect(response.body == Array("<x/>".utf8))
      let request = try #require(server.requests.first)
      #expect(server.requests.count == 1)
      #expect(request.method == "PROPFIND")
      #expect(request.target == "/a%40b/c?d=e")
      #expect(request["depth"] == "1")
      #expect(request["content-type"] == "text/xml")
      #expect(request["user-agent"] == "epact-tests/1")
      #expect(request["accept-encoding"] == "gzip, deflate")
      #expect(request["authorization"] == Self.basic)
      #expect(request.body == Array("<p/>".utf8))
    }
  }

  @Test func `A body of no bytes is a body, and no type is made up`() async throws {
    try await withServer(script: { _ in [.answer("201 Created")] }) { transport, server in
      _ = try await transport.send(HTTPRequest(method: .put, url: url(server), body: []))
      _ = try await transport.send(HTTPRequest(method: .delete, url: url(server)))
      // A tag of what is compressed may not be the tag of the item.
      #expect(server.requests.allSatisfy { $0["accept-encoding"] == "identity" })
      #expect(server.requests.map(\.method) == ["PUT", "DELETE"])
      #expect(server.requests.map { $0["content-length"] } == ["0", nil])
      #expect(server.requests.allSatisfy { $0["content-type"] == nil && $0["expect"] == nil })
    }
  }

  @Test func `A large body is sent at once, without a question before it`() async throws {
    try await withServer(script: { _ in [.answer("201 Created")] }) { transport, server in
      // libcurl asks for status 100 before a body of more than 1 MB.
      let body = [UInt8](repeating: 0x41, count: 2 << 20)
      _ = try await transport.send(HTTPRequest(method: .put, url: url(server), body: body))
      let request = try #require(server.requests.first)
      #expect(request["expect"] == nil)
      #expect(request.body == body)
    }
  }

  @Test func `A connection is used again`() async throws {
    try await withServer(script: { _ in [.answer("200 OK", body: "x")] }) { transport, server in
      for _ in 0..<3 {
        let response = try await transport.send(HTTPRequest(method: .get, url: url(server)))
        #expect(response.connectDuration > .zero)
        #expect(response.connectDuration < response.duration)
      }
      #expect(server.requests.map(\.connection) == [1, 1, 1])
    }
  }

  @Test func `A stale connection is replaced once, before any byte of the answer`() async throws {
    try await withServer(script: { request in
      request.connection == 1 && request.target == "/2" ? [.reset] : [.answer("200 OK", body: "x")]
    }) { transport, server in
      _ = try await transport.send(HTTPRequest(method: .get, url: url(server, "/1")))
      let put = HTTPRequest(
        method: .put, url: try url(server, "/2"), headers: ["If-None-Match": "*"],
        body: Array("item".utf8))
      let response = try await transport.send(put)
      #expect(response.status == 200)
      #expect(server.requests.map(\.target) == ["/1", "/2", "/2"])
      #expect(server.requests.map(\.connection) == [1, 1, 2])
      #expect(server.requests.last?.body == put.body)
    }
  }

  /// The first attempt may have created, changed or deleted what the condition is about.
  @Test(arguments: [404, 405, 409, 410, 412])
  func `A write that is rejected when it is sent again may have been made`(
    _ status: Int
  ) async throws {
    try await withServer(script: { request in
      if request.target == "/1" { return [.answer("200 OK", body: "x")] }
      return request.connection == 1 ? [.close] : [.answer("\(status) No")]
    }) { transport, server in
      _ = try await transport.send(HTTPRequest(method: .get, url: url(server, "/1")))
      let put = HTTPRequest(method: .put, url: try url(server, "/2"), body: Array("item".utf8))
      let error = await #expect(throws: HTTPError.self) { try await transport.send(put) }
      #expect(error?.code == .interrupted)
      #expect(server.requests.map(\.connection) == [1, 1, 2])
      // Without a lost connection, the rejection is that of the only attempt.
      #expect(try await transport.send(put).status == status)
    }
  }

  @Test func `A read that is rejected when it is sent again is rejected`() async throws {
    try await withServer(script: { request in
      if request.target == "/1" { return [.answer("200 OK", body: "x")] }
      return request.connection == 1 ? [.close] : [.answer("412 No")]
    }) { transport, server in
      _ = try await transport.send(HTTPRequest(method: .get, url: url(server, "/1")))
      let response = try await transport.send(HTTPRequest(method: .get, url: url(server, "/2")))
      #expect(response.status == 412)
    }
  }

  @Test func `Requests run side by side on one thread`() async throws {
    try await withServer(script: { _ in
      [.pause(milliseconds: 20), .answer("200 OK", body: "x")]
    }) { transport, server in
      let url = try url(server)
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<40 {
          group.addTask {
            try await transport.send(HTTPRequest(method: .get, url: url)).body.count
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(sum == 40)
    }
  }

  @Test func `A redirect keeps method, body and credentials on the same server`() async throws {
    try await withServer(script: { request in
      request.target == "/cal/"
        ? [.answer("302 Found", fields: ["Location: /moved/"])] : [.answer("207 Multi-Status")]
    }) { transport, server in
      let response = try await transport.send(
        HTTPRequest(
          method: .propfind, url: url(server), headers: ["Depth": "1"], body: Array("<p/>".utf8),
          credentials: Self.alice))
      #expect(response.url == (try url(server, "/moved/")))
      let second = try #require(server.requests.last)
      #expect(second.method == "PROPFIND" && second.body == Array("<p/>".utf8))
      #expect(second["depth"] == "1" && second["authorization"] == Self.basic)
    }
  }

  @Test func `Another server never sees the credentials, nor anything that is written`()
    async throws
  {
    let other = try LoopbackServer { _ in [.answer("207 Multi-Status")] }
    defer { other.stop() }
    let place = "Location: http://127.0.0.1:\(other.port)/cal/"
    try await withServer(script: { _ in
      [.answer("307 Temporary Redirect", fields: [place])]
    }) { transport, server in
      for method in [HTTPMethod.put, .delete] {
        let error = await #expect(throws: HTTPError.self) {
          try await transport.send(
            HTTPRequest(
              method: method, url: url(server), body: Array("item".utf8), credentials: Self.alice))
        }
        #expect(error?.code == .redirected)
      }
      #expect(other.requests.isEmpty)
      let response = try await transport.send(
        HTTPRequest(method: .get, url: url(server), credentials: Self.alice))
      #expect(response.url.origin != (try url(server).origin))
      #expect(other.requests.map { $0["authorization"] } == [nil])
    }
  }

  @Test func `A loop of redirects ends`() async throws {
    try await withServer(script: { _ in
      [.answer("302 Found", fields: ["Location: /cal/"])]
    }) { transport, server in
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(method: .get, url: url(server)))
      }
      #expect(error?.code == .redirected)
      #expect(server.requests.count == 6)
    }
  }

  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let steps: [LoopbackServer.Step]
    let codes: Set<HTTPError.Code>
    /// The time without data that the client allows before the response, in seconds.
    var answer = 180
    /// The time without data that it allows within the response, in seconds.
    var idle = 180
  }

  static let faults = [
    Fault(testDescription: "closed without an answer", steps: [.close], codes: [.interrupted]),
    Fault(testDescription: "reset without an answer", steps: [.reset], codes: [.interrupted]),
    Fault(
      testDescription: "body shorter than its length",
      steps: [.send("HTTP/1.1 207 x\r\nContent-Length: 100\r\n\r\n<multistatus"), .close],
      codes: [.interrupted]),
    Fault(
      testDescription: "reset in the body",
      steps: [
        .send("HTTP/1.1 207 x\r\nContent-Length: 100\r\n\r\n<multistatus"),
        .pause(milliseconds: 50), .reset,
      ], codes: [.interrupted]),
    Fault(
      testDescription: "no last chunk",
      steps: [
        .send("HTTP/1.1 207 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<mult\r\n"), .close,
      ], codes: [.interrupted]),
    Fault(
      testDescription: "no header for longer than the limit of the answer",
      steps: [.pause(milliseconds: 15000), .close], codes: [.timeout], answer: 1),
    Fault(
      testDescription: "nothing after \"100 Continue\"",
      steps: [.send("HTTP/1.1 100 Continue\r\n\r\n"), .pause(milliseconds: 15000), .close],
      codes: [.timeout], answer: 1),
    Fault(
      testDescription: "stalled body",
      steps: [
        .send("HTTP/1.1 207 x\r\nContent-Length: 100\r\n\r\n<mult"), .pause(milliseconds: 15000),
        .close,
      ], codes: [.timeout], idle: 1),
    Fault(
      testDescription: "a length over the limit", steps: [.answer("200 OK", body: big)],
      codes: [.tooLarge]),
    Fault(
      testDescription: "no length, and a body over the limit",
      steps: [.send("HTTP/1.1 200 OK\r\n\r\n" + big), .close], codes: [.tooLarge]),
    Fault(
      testDescription: "a header over the limit",
      steps: [.send("HTTP/1.1 200 OK\r\n" + wideHeader + "Content-Length: 0\r\n\r\n")],
      codes: [.tooLarge, .failed]),
    Fault(
      testDescription: "an endless line of a header",
      steps: [.send("HTTP/1.1 200 OK\r\nX: " + big + big + "\r\n\r\n")],
      codes: [.tooLarge, .failed]),
    Fault(
      testDescription: "garbage", steps: [.send("garbage\r\n\r\n"), .close], codes: [.malformed]),
    Fault(
      testDescription: "what is no gzip",
      steps: [.answer("200 OK", fields: ["Content-Encoding: gzip"], body: "what is no gzip")],
      codes: [.malformed]),
    Fault(
      testDescription: "a coding that was not asked for",
      steps: [.answer("200 OK", fields: ["Content-Encoding: dcb"], body: "x")],
      codes: [.malformed]),
    Fault(
      testDescription: "gzip with a wrong sum", steps: gzipAnswer(Gzip.stored(hello, sum: 1)),
      codes: [.malformed]),
    Fault(
      testDescription: "a small answer that inflates without end",
      steps: gzipAnswer(Gzip.bomb(size: 200_000_000)), codes: [.tooLarge]),
  ]

  static let hello = Array("hello".utf8)

  static func gzipAnswer(_ body: [UInt8], fields: String = "") -> [LoopbackServer.Step] {
    [
      .send(
        "HTTP/1.1 207 x\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
      ),
      .bytes(body),
    ]
  }

  @Test func `A compressed answer is inflated, and its tag is kept from conditions`()
    async throws
  {
    try await withServer(script: { _ in Self.gzipAnswer(Gzip.stored(Self.hello)) }) {
      transport, server in
      let response = try await transport.send(HTTPRequest(method: .report, url: url(server)))
      #expect(response.body == Self.hello)
      // What was not asked for compressed is not believed.
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(method: .get, url: url(server)))
      }
      #expect(error?.code == .malformed)
      let asked = HTTPRequest(method: .get, url: try url(server), acceptsCompression: true)
      #expect(try await transport.send(asked).body == Self.hello)
    }
  }

  @Test func `Only permanent redirects that come first are for good`() async throws {
    try await withServer(script: { request in
      switch request.target {
      case "/1": [.answer("301 Moved Permanently", fields: ["Location: /2"])]
      case "/2": [.answer("308 Permanent Redirect", fields: ["Location: /3"])]
      case "/3": [.answer("302 Found", fields: ["Location: /4"])]
      case "/4": [.answer("301 Moved Permanently", fields: ["Location: /5"])]
      default: [.answer("200 OK")]
      }
    }) { transport, server in
      let first = try await transport.send(HTTPRequest(method: .get, url: url(server, "/1")))
      #expect(first.permanentURL == (try url(server, "/3")))
      #expect(first.url == (try url(server, "/5")))
      let third = try await transport.send(HTTPRequest(method: .get, url: url(server, "/3")))
      #expect(third.permanentURL == nil)
    }
  }

  static let big = String(repeating: "x", count: 200_000)
  static let wideHeader = String(
    repeating: "X-Filler: \(String(repeating: "y", count: 90))\r\n", count: 1000)

  @Test(arguments: faults) func `A fault is an error, and nothing of the answer is used`(
    _ fault: Fault
  ) async throws {
    var limits = HTTPLimits()
    // On a busy machine a server that answers at once may seem idle for a minute.
    limits.answer = .seconds(fault.answer)
    limits.idle = .seconds(fault.idle)
    limits.bodySize = 100_000
    limits.headerSize = 50_000
    try await withServer(limits: limits, script: { _ in fault.steps }) { transport, server in
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(
          HTTPRequest(method: .propfind, url: url(server), credentials: Self.alice))
      }
      let code = try #require(error?.code)
      #expect(fault.codes.contains(code), "\(error.map(String.init(describing:)) ?? "")")
      #expect(error.map { !$0.description.contains("s3cret") } ?? false)
      if code == .tooLarge {
        #expect(error?.message.hasPrefix("the response is larger than") ?? false)
      }
    }
  }

  @Test func `Slow is not dead`() async throws {
    var limits = HTTPLimits()
    limits.idle = .seconds(5)
    let drips = (0..<6).flatMap { _ in
      [LoopbackServer.Step.pause(milliseconds: 1000), .send("0123456789")]
    }
    try await withServer(
      limits: limits,
      script: { _ in
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")] + drips
      }
    ) { transport, server in
      let response = try await transport.send(HTTPRequest(method: .get, url: url(server)))
      #expect(response.body.count == 60)
    }
  }

  static let digest = #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#

  @Test(arguments: [
    nil, "100 Continue", "401 Unauthorized\r\nContent-Length: 0\r\n\(Self.digest)",
  ])
  func `A server may take longer before its answer than within`(_ first: String?) async throws {
    var limits = HTTPLimits()
    limits.idle = .seconds(1)
    try await withServer(
      limits: limits,
      script: { request in
        let start = first.map { [LoopbackServer.Step.send("HTTP/1.1 \($0)\r\n\r\n")] } ?? []
        let rest = [LoopbackServer.Step.pause(milliseconds: 4000), .answer("207 x")]
        guard first?.hasPrefix("401") ?? false else { return start + rest }
        return request["authorization"]?.hasPrefix("Digest ") ?? false ? rest : start
      }
    ) { transport, server in
      let request = HTTPRequest(method: .report, url: try url(server), credentials: Self.alice)
      #expect(try await transport.send(request).status == 207)
    }
  }

  @Test func `The total limit ends a request that drips`() async throws {
    var limits = HTTPLimits()
    limits.total = .milliseconds(700)
    let drips = (0..<20).flatMap { _ in
      [LoopbackServer.Step.pause(milliseconds: 200), .send("0123456789")]
    }
    try await withServer(
      limits: limits,
      script: { _ in
        [.send("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")] + drips
      }
    ) { transport, server in
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(method: .get, url: url(server)))
      }
      #expect(error?.code == .timeout)
    }
  }

  @Test func `A server that is not there is told so`() async throws {
    let server = try LoopbackServer { _ in [] }
    server.stop()
    let transport = try NetworkTransport(userAgent: "epact-tests/1")
    let error = await #expect(throws: HTTPError.self) {
      try await transport.send(HTTPRequest(method: .get, url: url(server)))
    }
    #expect(error?.code == .unreachable)
  }

  @Test func `A cancelled task stops waiting`() async throws {
    // On a busy machine, seconds can pass before the task is cancelled.
    try await withServer(script: { _ in [.pause(milliseconds: 60_000), .close] }) {
      transport, server in
      let url = try url(server)
      let task = Task { try await transport.send(HTTPRequest(method: .get, url: url)) }
      while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let late = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await transport.send(HTTPRequest(method: .get, url: url))
      }
      await #expect(throws: CancellationError.self) { try await late.value }
    }
  }

  @Test(arguments: [
    ("X", "a\r\nY: b"), ("X Y", "a"), ("", "a"), ("X", "a\u{0}"), ("X:", "a"), ("X", ""),
  ])
  func `A header that would break the request is not sent`(
    _ name: String, _ value: String
  ) async throws {
    try await withServer(script: { _ in [.answer("200 OK")] }) { transport, server in
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(
          HTTPRequest(
            method: .get, url: url(server), headers: HTTPHeaders([.init(name: name, value: value)]))
        )
      }
      #expect(error?.code == .invalidRequest)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `A request from elsewhere does not reach this machine by a name`() async throws {
    let server = try LoopbackServer { _ in [.answer("200 OK")] }
    defer { server.stop() }
    let transport = try NetworkTransport(userAgent: "epact-tests/1")
    for host in ["localhost", "127.0.0.1"] {
      let url = try RemoteURL(parsing: "http://\(host):\(server.port)/")
      var request = HTTPRequest(method: .get, url: url)
      #expect(try await transport.send(request).status == 200)
      request.isFromElsewhere = true
      let error = await #expect(throws: HTTPError.self) { try await transport.send(request) }
      #expect(error?.code == .redirected)
    }
    #expect(server.requests.count == 2)
  }
}
