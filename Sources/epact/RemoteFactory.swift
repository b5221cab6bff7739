// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
import CalendarSync
import Logging

/// Makes remotes of what the configuration says about them.
struct RemoteFactory: Sendable {
  let machine: Dependencies
  let log: Logger
  /// Takes note of what is about to be requested, for the log of the grant.
  var note: AccessNote? = nil

  /// What a remote's grants are bound to; nothing is asked, and no password is fetched.
  ///
  /// - Throws: `StoreError` if the remote is a folder that does not exist.
  func identity(of settings: RemoteSettings) throws -> RemoteIdentity {
    switch settings.kind {
    case .calDAV(let dav):
      // The user counts, the password does not.
      let credentials = dav.server.username.map { Credentials(user: $0, password: "") }
      return remote(dav, credentials, NoTransport()).identity
    case .webcal(let feed):
      let credentials = feed.server.username.map { Credentials(user: $0, password: "") }
      return webcal(feed, credentials, NoTransport()).identity
    case .folder(let path): return try folder(path).identity
    case .file(let path): return try file(path).identity
    }
  }

  /// What a remote's grants are bound to as far as the configuration tells: a folder is not looked at,
  /// and so links in its path are not followed.
  func writtenIdentity(of settings: RemoteSettings) throws -> RemoteIdentity {
    switch settings.kind {
    case .folder(let path): RemoteIdentity(kind: "folder", location: path)
    case .file(let path): RemoteIdentity(kind: "file", location: path)
    case .calDAV, .webcal: try identity(of: settings)
    }
  }

  /// The remote, ready to be opened.
  ///
  /// - Throws: `Failure` if there is no password, `StoreError` or `RemoteError`.
  func remote(_ settings: RemoteSettings) throws -> any Remote {
    switch settings.kind {
    case .calDAV(let dav):
      let credentials = try credentials(dav.server, of: settings.name, host: dav.address.host)
      return remote(dav, credentials, try transport(dav.server) { "\($0)" })
    case .webcal(let feed):
      let credentials = try credentials(feed.server, of: settings.name, host: feed.address.host)
      // The address of a private feed is as good as a password.
      return webcal(feed, credentials, try transport(feed.server) { $0.withoutSecret })
    case .folder(let path): return try folder(path)
    case .file(let path): return try file(path)
    }
  }

  private func remote(
    _ dav: CalDAVSettings, _ credentials: Credentials?, _ transport: any HTTPTransport
  ) -> CalDAVRemote {
    CalDAVRemote(
      address: dav.address, calendar: dav.collection, credentials: credentials,
      invitations: dav.invitations, transport: transport)
  }

  private func webcal(
    _ feed: WebcalSettings, _ credentials: Credentials?, _ transport: any HTTPTransport
  ) -> WebcalRemote {
    WebcalRemote(
      address: feed.address, credentials: credentials, transport: transport, now: machine.now)
  }

  private func folder(_ path: String) throws -> FolderRemote {
    FolderRemote(
      calendar: try FolderCalendar(path: path, for: .writing),
      appender: try FolderAppender(path: path), now: machine.now, note: note)
  }

  private func file(_ path: String) throws -> FolderRemote {
    FolderRemote(file: try FileCalendar(path: path, for: .writing), now: machine.now, note: note)
  }

  /// Who asks a server; a password is fetched at once, a token when one is needed.
  private func credentials(
    _ server: ServerSettings, of remote: String, host: String
  ) throws -> Credentials? {
    let reader = PasswordReader(remote: remote, host: host, machine: machine)
    let user = server.username ?? ""
    if let words = server.tokenCommand {
      return Credentials(user: user, tokens: TokenSource { try reader.token(from: words).revealed })
    }
    guard !user.isEmpty else { return nil }
    let password = try server.password.map { try reader.password(from: $0, for: user) }
    return Credentials(user: user, password: password?.revealed ?? "")
  }

  /// What sends the requests to a server: each is logged, also those that are sent once more.
  private func transport(
    _ server: ServerSettings, _ name: @escaping @Sendable (RemoteURL) -> String
  ) throws -> any HTTPTransport {
    let (trust, identity) = (FileTrust(machine, isStrict: false), server.identity)
    if let file = identity.caFile { try trust.expect(file, "ca-file") }
    if let client = identity.client { try trust.expect(client.keyFile, "client-key") }
    let network = try machine.makeTransport(server.identity, server.connections)
    return PatientTransport(observed(network, name), pace: machine.pace)
  }

  /// The transport, with a line in the log for each request.
  private func observed(
    _ transport: any HTTPTransport, _ name: @escaping @Sendable (RemoteURL) -> String
  ) -> any HTTPTransport {
    let log = log
    return ObservedTransport(transport, note: note) { exchange in
      let outcome =
        switch exchange.result {
        case .success(let status): "\(status)"
        case .failure(let error as HTTPError): error.message
        case .failure(let error): "\(error)"
        }
      log.debug(
        "request",
        metadata: [
          "method": "\(exchange.method)", "url": "\(name(exchange.url))", "outcome": "\(outcome)",
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
