// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
import Synchronization
import TestSupport
import Testing

struct PatientTransportTests {
  /// A server that gives one answer or error after the other, and a clock that only waiting moves.
  final class Rehearsal: HTTPTransport {
    struct State {
      var answers: [Result<HTTPResponse, HTTPError>]
      var requests: [HTTPRequest] = []
      var sleeps: [Duration] = []
      var time = Duration.zero
      /// Whether the task is cancelled when it begins to wait.
      var isCancelledWaiting = false
    }

    let state: Mutex<State>

    init(_ answers: [Result<HTTPResponse, HTTPError>]) {
      state = Mutex(State(answers: answers))
    }

    var sleeps: [Duration] { state.withLock { $0.sleeps } }
    var requestCount: Int { state.withLock { $0.requests.count } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try state.withLock { state in
        state.requests.append(request)
        return try state.answers.removeFirst().get()
      }
    }

    /// A transport over this one, whose chance is always the given number.
    func patient(
      random: Double = 1, policy: RetryPolicy = RetryPolicy()
    ) -> PatientTransport {
      PatientTransport(
        self, policy: policy,
        pace: PatientTransport.Pace(
          // 2026-11-21T09:00:00Z
          now: { Instant(secondsSinceEpoch: 1_795_251_600) },
          stopwatch: { self.state.withLock { $0.time } },
          sleep: { time in
            if self.state.withLock({ $0.isCancelledWaiting }) {
              unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            try Task.checkCancellation()
            self.state.withLock { state in
              state.sleeps.append(time)
              state.time += time
            }
          }, random: { random }))
    }
  }

  static var url: RemoteURL {
    get throws { try RemoteURL(parsing: "https://dav.example.org/cal/") }
  }

  static func answer(
    _ status: Int, _ headers: HTTPHeaders = [:]
  ) throws -> Result<HTTPResponse, HTTPError> {
    .success(HTTPResponse(status: status, headers: headers, url: try url))
  }

  static func error(
    _ code: HTTPError.Code, isBeforeAnswer: Bool
  ) throws -> Result<HTTPResponse, HTTPError> {
    .failure(
      HTTPError(code: code, url: try url, message: "cut", isBeforeAnswer: isBeforeAnswer))
  }

  @Test(
    arguments: [
      ("1", [], 1.0), ("30", [], 30), ("0", [], 0.5),
      // By the clock of the server, which is ten years off.
      ("Sat, 21 Nov 2036 09:00:20 GMT", [("Date", "Sat, 21 Nov 2036 09:00:00 GMT")], 20),
      // By the own clock where the server tells none.
      ("Sat, 21 Nov 2026 09:00:07 GMT", [], 7),
      ("Saturday, 21-Nov-26 09:00:07 GMT", [], 7),
      ("Sat Nov 21 09:00:07 2026", [], 7),
      // In the past, or nothing that says how long.
      ("Sat, 21 Nov 2020 09:00:00 GMT", [], 0.5), ("soon", [], 0.5),
    ] as [(String, [(String, String)], Double)])
  func `A server is asked again when it said`(
    _ retryAfter: String, _ others: [(String, String)], _ seconds: Double
  ) async throws {
    for status in [429, 503] {
      let fields = [("Retry-After", retryAfter)] + others
      let headers = HTTPHeaders(fields.map { .init(name: $0.0, value: $0.1) })
      let server = Rehearsal([try Self.answer(status, headers), try Self.answer(207)])
      let request = HTTPRequest(method: .put, url: try Self.url, body: [])
      #expect(try await server.patient().send(request).status == 207)
      #expect(server.sleeps == [.seconds(seconds)])
    }
  }

  @Test(arguments: ["86400", "Mon, 01 Jan 2035 00:00:00 GMT", "99999999999999999"])
  func `Nobody waits for a day`(_ retryAfter: String) async throws {
    let server = Rehearsal([try Self.answer(429, ["Retry-After": retryAfter])])
    let request = HTTPRequest(method: .get, url: try Self.url)
    #expect(try await server.patient().send(request).status == 429)
    #expect(server.sleeps.isEmpty)
  }

  @Test func `A server that never wants is left alone after some attempts`() async throws {
    let refusal = try Self.answer(503)
    let server = Rehearsal([refusal, refusal, refusal, refusal, refusal])
    let request = HTTPRequest(method: .get, url: try Self.url)
    #expect(try await server.patient().send(request).status == 503)
    #expect(server.requestCount == 4)
    #expect(server.sleeps == [.seconds(0.5), .seconds(1), .seconds(2)])
  }

  @Test func `A wait is for all requests to the server, and for no other server`() async throws {
    let server = Rehearsal([
      try Self.answer(429, ["Retry-After": "5"]), try Self.answer(200), try Self.answer(200),
      try Self.answer(200),
    ])
    let transport = server.patient()
    let request = HTTPRequest(method: .get, url: try Self.url)
    _ = try await transport.send(request)
    #expect(server.sleeps == [.seconds(5)])
    _ = try await transport.send(request)
    let other = try RemoteURL(parsing: "https://other.example.org/")
    _ = try await transport.send(HTTPRequest(method: .get, url: other))
    #expect(server.sleeps == [.seconds(5)], "the time is over")
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let method: HTTPMethod
    let code: HTTPError.Code
    let isBeforeAnswer: Bool
    let isRetried: Bool
  }

  static let cases = [
    Case(
      testDescription: "a listing that was cut before it began", method: .propfind,
      code: .interrupted, isBeforeAnswer: true, isRetried: true),
    Case(
      testDescription: "a listing that was cut in the middle", method: .propfind,
      code: .interrupted, isBeforeAnswer: false, isRetried: false),
    Case(
      testDescription: "a write whose answer was lost", method: .put, code: .interrupted,
      isBeforeAnswer: true, isRetried: false),
    Case(
      testDescription: "a deletion whose answer was lost", method: .delete, code: .interrupted,
      isBeforeAnswer: true, isRetried: false),
    Case(
      testDescription: "a write that never left", method: .put, code: .unreachable,
      isBeforeAnswer: true, isRetried: true),
    Case(
      testDescription: "a server that hangs", method: .get, code: .timeout, isBeforeAnswer: true,
      isRetried: false),
    Case(
      testDescription: "a certificate that is not trusted", method: .get, code: .untrusted,
      isBeforeAnswer: true, isRetried: false),
    Case(
      testDescription: "a flood", method: .get, code: .tooLarge, isBeforeAnswer: false,
      isRetried: false),
  ]

  @Test(arguments: cases) func `Only what is safe is sent again`(_ test: Case) async throws {
    let error = try Self.error(test.code, isBeforeAnswer: test.isBeforeAnswer)
    let server = Rehearsal([error, error, error, error, error])
    let found = await #expect(throws: HTTPError.self) {
      try await server.patient().send(HTTPRequest(method: test.method, url: try Self.url))
    }
    #expect(found?.code == test.code)
    #expect(server.requestCount == (test.isRetried ? 4 : 1))
  }

  @Test func `Waits grow, end somewhere, and are spread`() async throws {
    let error = try Self.error(.unreachable, isBeforeAnswer: true)
    var policy = RetryPolicy()
    policy.attempts = 8
    for (random, factor) in [(0.0, 0.5), (0.5, 0.75), (1, 1)] {
      let server = Rehearsal(Array(repeating: error, count: 8))
      _ = try? await server.patient(random: random, policy: policy)
        .send(HTTPRequest(method: .get, url: try Self.url))
      #expect(server.sleeps == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0 * factor) })
    }
  }

  @Test func `All waits together have an end`() async throws {
    var policy = RetryPolicy()
    policy.totalDelay = .seconds(100)
    let server = Rehearsal(
      Array(repeating: try Self.answer(429, ["Retry-After": "40"]), count: 40))
    let transport = server.patient(policy: policy)
    for _ in 0..<8 {
      #expect(try await transport.send(HTTPRequest(method: .get, url: try Self.url)).status == 429)
    }
    #expect(server.sleeps.reduce(.zero, +) <= .seconds(160))
  }

  @Test func `A cancelled task stops waiting`() async throws {
    let server = Rehearsal([try Self.answer(503), try Self.answer(200)])
    server.state.withLock { $0.isCancelledWaiting = true }
    let task = Task {
      try await server.patient().send(HTTPRequest(method: .get, url: try Self.url))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requestCount == 1)
  }

  /// A server that locks a calendar while it writes, and rejects other writes meanwhile.
  private final class LockingServer: HTTPTransport {
    private let state = Mutex((isLocked: false, isForeign: false, rejections: 0, done: 0))

    let requestsAtOnce = 4

    init(isForeign: Bool) { state.withLock { $0.isForeign = isForeign } }

    var rejections: Int { state.withLock { $0.rejections } }
    var done: Int { state.withLock { $0.done } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let isFree = state.withLock { state in
        guard !state.isLocked, !state.isForeign else {
          state.rejections += 1
          return false
        }
        state.isLocked = true
        return true
      }
      for _ in 0..<20 { await Task.yield() }
      guard isFree else { return HTTPResponse(status: 423, url: request.url) }
      state.withLock { state in
        state.isLocked = false
        state.done += 1
      }
      return HTTPResponse(status: 201, url: request.url)
    }

    var patient: PatientTransport {
      // The clock stands still, and two of three writes are rejected while they are sent together.
      var policy = RetryPolicy()
      policy.lockedAttempts = 1000
      return PatientTransport(
        self, policy: policy,
        pace: PatientTransport.Pace(
          now: { Instant(secondsSinceEpoch: 0) }, stopwatch: { .zero },
          sleep: { _ in for _ in 0..<20 { await Task.yield() } },
          random: { Double.random(in: 0...1) }))
    }
  }

  @Test func `A write that another one locked out is sent again`() async throws {
    let server = LockingServer(isForeign: false)
    let transport = server.patient
    let request = HTTPRequest(method: .put, url: try Self.url, body: [])
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 { group.addTask { try await transport.send(request).status } }
      for try await status in group { #expect(status == 201) }
    }
    #expect(server.done == 40)
    #expect(server.rejections > 0)
  }

  @Test func `A lock of somebody else is reported at once`() async throws {
    let server = LockingServer(isForeign: true)
    let request = HTTPRequest(method: .put, url: try Self.url, body: [])
    #expect(try await server.patient.send(request).status == 423)
    #expect(server.rejections == 1)
  }

  @Test func `A cancelled task sends nothing`() async throws {
    let server = Rehearsal([try Self.answer(200)])
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await server.patient().send(HTTPRequest(method: .get, url: try Self.url))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requestCount == 0)
  }

  /// A server that locks the calendar, at the end of a line on which each request needs a new
  /// connection: 900 of 1000 milliseconds.
  private final class DistantServer: HTTPTransport {
    private struct State {
      var arrivals = 0
      var time = Duration.zero
      var sleeps: [Duration] = []
    }

    private let state = Mutex(State())
    let requestsAtOnce = 4

    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    var patient: PatientTransport {
      PatientTransport(
        self,
        pace: PatientTransport.Pace(
          now: { Instant(secondsSinceEpoch: 0) },
          stopwatch: { self.state.withLock { $0.time } },
          sleep: { time in self.state.withLock { $0.sleeps.append(time) } }, random: { 0 }))
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let number = state.withLock { state in
        state.arrivals += 1
        // The round trip of the rejection, without which the server would count as near.
        if state.arrivals == 2 { state.time += .milliseconds(100) }
        return state.arrivals
      }
      // The second request arrives during the first, and the fifth during the fourth.
      if number == 2 { return HTTPResponse(status: 423, url: request.url) }
      if number == 1 || number == 4 {
        for _ in 0..<1_000_000 where state.withLock({ $0.arrivals }) == number {
          await Task.yield()
        }
      }
      state.withLock { $0.time += .seconds(1) }
      var response = HTTPResponse(status: 201, url: request.url)
      response.connectDuration = .milliseconds(900)
      return response
    }
  }

  /// Otherwise the spacing of writes would be ten times as long.
  @Test func `The time for a connection is no part of the time of a write`() async throws {
    let server = DistantServer()
    let patient = server.patient
    let put = HTTPRequest(method: .put, url: try Self.url)
    for _ in 1...2 {
      async let first = patient.send(put)
      async let second = patient.send(put)
      #expect(try await (first.status, second.status) == (201, 201))
    }
    let spaces = server.sleeps.filter { $0 > .zero }
    #expect(spaces.count == 1)
    #expect(spaces.allSatisfy { $0 < .milliseconds(200) })
  }
}
