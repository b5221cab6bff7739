// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// The servers of a service in memory, each with its own name, which a loopback server cannot have.
///
/// Redirects are followed by the rules of the network.
final class ServiceDouble: HTTPTransport {
  /// A request as a server got it.
  struct Seen: Sendable {
    let method: String
    let url: RemoteURL
    let headers: HTTPHeaders
    /// The body as text.
    let body: String
    let hasCredentials: Bool
  }

  typealias Answer = @Sendable (HTTPRequest) -> Reply

  private let answer: Answer
  private let seen = Mutex<[Seen]>([])

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// The requests so far, in order.
  var requests: [Seen] { seen.withLock { $0 } }

  func forget() { seen.withLock { $0 = [] } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    for hops in 0... {
      let got = Seen(
        method: request.method.rawValue, url: request.url, headers: request.headers,
        body: String(decoding: request.body ?? [], as: UTF8.self),
        hasCredentials: request.credentials != nil)
      seen.withLock { $0.append(got) }
      let response = answer(request).response(from: request.url)
      guard let next = try RedirectPolicy.next(after: response, to: request, hops: hops) else {
        return response
      }
      request = next
    }
    preconditionFailure("the policy ends every chain of redirects")
  }
}

extension Reply {
  func response(from url: RemoteURL) -> HTTPResponse {
    let fields = fields.compactMap { line -> HTTPHeaders.Field? in
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      return parts.count == 2 ? .init(name: String(parts[0]), value: String(parts[1])) : nil
    }
    return HTTPResponse(
      status: Int(status.prefix(3)) ?? 0, headers: HTTPHeaders(fields), body: body, url: url)
  }
}

extension DAVStore {
  /// Answers a request that did not come over a socket.
  mutating func reply(to request: HTTPRequest) -> Reply {
    let fields = request.headers.fields.map { ($0.name.lowercased(), $0.value) }
    return reply(
      to: LoopbackServer.Request(
        method: request.method.rawValue, target: request.url.path,
        fields: Dictionary(fields) { $1 }, body: request.body ?? []))
  }
}

/// A local calendar that syncs with a calendar of a service.
final class ServiceScene: Sendable {
  let local = MemoryLocalCalendar()
  private let ledger = MemoryLedger()
  private let remote: any Remote

  init(_ remote: any Remote) {
    self.remote = remote
  }

  /// Runs the sync once.
  func sync() async -> FaultScene.Outcome {
    let told = Mutex("")
    let now = Instant(secondsSinceEpoch: 1_795_251_600)
    let engine = SyncEngine(
      name: "service", local: local, remote: remote, tier: .full, ledger: ledger,
      options: SyncOptions(), now: { now },
      report: { event in
        if case .failed(let operation, .reported(let reason)) = event {
          told.withLock { $0 += "\(operation.verb) \(operation.uid): \(reason)\n" }
        }
      })
    do {
      let summary = try await engine.run()
      return FaultScene.Outcome(summary: summary, error: nil, told: told.withLock { $0 })
    } catch {
      return FaultScene.Outcome(
        summary: nil, error: error, told: told.withLock { $0 } + String(describing: error))
    }
  }
}
