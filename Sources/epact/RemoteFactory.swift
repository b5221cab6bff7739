// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
import CalendarSync
import Logging

/// Makes remotes of what the configuration says about them.
struct RemoteFactory: Sendable {
  let machine: Dependencies
  let log: Logger

  /// What a remote's grants are bound to; nothing is asked, and no password is fetched.
  ///
  /// - Throws: `StoreError` if the remote is a folder that does not exist.
  func identity(of settings: RemoteSettings) throws -> RemoteIdentity {
    try remote(settings, password: nil, transport: NoTransport()).identity
  }

  /// The remote, ready to be opened.
  ///
  /// - Throws: `Failure` if there is no password, `StoreError` or `RemoteError`.
  func remote(_ settings: RemoteSettings) throws -> any Remote {
    guard case .calDAV(let server) = settings.kind else {
      return try remote(settings, password: nil, transport: NoTransport())
    }
    let password = try server.password.map {
      try PasswordReader(source: $0, remote: settings.name, machine: machine).password()
    }
    let network = try machine.makeTransport(server.caFile)
    return try remote(settings, password: password, transport: observed(network))
  }

  private func remote(
    _ settings: RemoteSettings, password: Secret?, transport: any HTTPTransport
  ) throws -> any Remote {
    switch settings.kind {
    case .calDAV(let server):
      let credentials = server.username.map {
        Credentials(user: $0, password: password?.revealed ?? "")
      }
      return CalDAVRemote(
        address: server.address, calendar: server.collection, credentials: credentials,
        transport: transport)
    case .folder(let path):
      return FolderRemote(
        calendar: try FolderCalendar(path: path, for: .writing),
        appender: try FolderAppender(path: path))
    }
  }

  /// The transport, with a line in the log for each request.
  private func observed(_ transport: any HTTPTransport) -> any HTTPTransport {
    let log = log
    return ObservedTransport(transport) { exchange in
      let outcome =
        switch exchange.result {
        case .success(let status): "\(status)"
        case .failure(let error): "\(error)"
        }
      log.debug(
        "request",
        metadata: [
          "method": "\(exchange.method)", "url": "\(exchange.url)", "outcome": "\(outcome)",
        ])
    }
  }
}

/// Sends nothing, for remotes that are only named and never opened.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw HTTPError(
      code: .refused, url: request.url, message: "the remote was not opened for requests")
  }
}
