// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
import Synchronization

/// What a server says of itself beside its answers: its name and its clock.
final class ServerAnswers: Sendable {
  /// The longest name that is shown, in bytes.
  private static let nameLimit = 200
  /// The headers in which servers name themselves; some leave the usual one to the server before them.
  private static let names = ["X-DAViCal-Version", "Server"]

  private struct State: Sendable {
    var server: String?
    var date: Instant?
  }

  private let state = Mutex(State())

  /// The name that the server gives itself, if any.
  var server: String? { state.withLock { $0.server } }
  /// The time on the server's clock at its last answer, if it told.
  var date: Instant? { state.withLock { $0.date } }

  /// A transport that sends through another one, and listens.
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

/// Sends, and lets somebody hear what comes back.
private struct ListeningTransport: HTTPTransport {
  let base: any HTTPTransport
  let answers: ServerAnswers

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    answers.hear(response)
    return response
  }
}
