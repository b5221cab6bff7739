// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
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

  var requestsAtOnce: Int { base.requestsAtOnce }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    answers.hear(response)
    return response
  }
}

/// A known deviation of a server, and its consequence.
struct ServerHabit: Sendable {
  /// The deviation.
  let habit: String
  /// The consequence for syncs.
  let consequence: String

  private static let all: [(names: [String], habit: ServerHabit)] = [
    (
      ["SOGo", "SOPE"],
      ServerHabit(
        habit: "replaces and deletes whatever the conditions of a request say",
        consequence: "Before each write it is looked what is there; write-only access cannot look.")
    ),
    (
      ["DAViCal"],
      ServerHabit(
        habit: "answers a sync token that it does not know with everything",
        consequence: "Contents are compared, so that this is no change.")
    ),
    (
      ["Cyrus"],
      ServerHabit(
        habit: "takes a UID once for all calendars of a user",
        consequence:
          "An item that is in another calendar of the same user is refused, and reported.")
    ),
    (
      ["Radicale"],
      ServerHabit(
        habit: "takes longer for each new item the more there are",
        consequence: "The first upload of a large calendar may take hours; later ones do not.")
    ),
    (
      ["Xandikos"],
      ServerHabit(
        habit: "takes longer for each change the more items there are",
        consequence: "The first upload of a large calendar may take hours.")
    ),
  ]

  /// The known deviations of a server with a name.
  static func known(of server: String) -> [ServerHabit] {
    all.filter { $0.names.contains { server.contains($0) } }.map(\.habit)
  }
}
