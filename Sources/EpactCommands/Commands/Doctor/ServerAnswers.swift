// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
import Epact
import Synchronization

/// Information about a server from its response headers: its name and its clock.
final class ServerAnswers: Sendable {
  /// The maximum length of the displayed name, in bytes.
  private static let nameLimit = 200
  /// The headers with the server name; behind a proxy, `Server` may be the name of the proxy.
  private static let names = ["X-DAViCal-Version", "Server"]

  private struct State: Sendable {
    var server: String?
    var date: Instant?
  }

  private let state = Mutex(State())

  /// The server name, if known.
  var server: String? { state.withLock { $0.server } }
  /// The server's time in its last response, if known.
  var date: Instant? { state.withLock { $0.date } }

  /// A transport that forwards requests to another one and observes the responses.
  func observing(_ base: any HTTPTransport) -> any HTTPTransport {
    ListeningTransport(base: base, answers: self)
  }

  fileprivate func hear(_ response: HTTPResponse) {
    state.withLock { state in
      let names = Self.names.compactMap { response.headers[$0] }
      if let name = names.first(where: { !$0.isEmpty }) {
        state.server = String(decoding: name.utf8.prefix(Self.nameLimit), as: UTF8.self)
      }
      state.date = response.date ?? state.date
    }
  }
}

/// Forwards requests, and passes the responses to an observer.
private struct ListeningTransport: HTTPTransport {
  let base: any HTTPTransport
  let answers: ServerAnswers

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    answers.hear(response)
    return response
  }
}
