// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarRemotes
import CalendarStore
package import CalendarSync
package import Logging
import Synchronization

/// Creates remotes from the configuration.
package struct Remotes: Sendable {
  let machine: Machine
  private let log: Logger
  /// Records requests in the log of the grant before they are sent.
  package var note: AccessNote? = nil
  /// Whether the remotes are only read: their transport refuses all other requests, and folders are
  /// opened for reading.
  package var isReading = false
  /// The access for which the remotes are used; nil if the scopes of a sign-in are not checked.
  var tier: AccessTier? = nil
  /// The names by which syncs know items, for files of a folder with the same UID.
  var knownNames: KnownNames
  /// The credentials of accounts that were fetched already.
  var shared: SharedCredentials? = nil

  /// Creates remotes of a machine; requests are logged at the level `debug`.
  package init(machine: Machine, log: Logger = .silent) {
    self.machine = machine
    self.log = log
    knownNames = machine.knownNames
  }

  /// The identity of a remote in grants; sends no requests and fetches no password.
  ///
  /// - Throws: `StoreError` if the remote is a folder that does not exist.
  package func identity(of settings: RemoteSettings) throws -> RemoteIdentity {
    switch settings.kind {
    case .calDAV(let dav):
      // The identity includes the user name, but not the password.
      let credentials = dav.server.username.map { Credentials(user: $0, password: "") }
      return remote(dav, credentials, NoTransport()).identity
    case .vendor(let settings) where settings.calendar == nil: return accountIdentity(settings)
    case .vendor(let settings):
      let credentials = Credentials(user: settings.server.username ?? "", password: "")
      return vendor(settings, credentials, NoTransport()).identity
    case .webcal(let feed):
      let credentials = feed.server.username.map { Credentials(user: $0, password: "") }
      return webcal(feed, credentials, NoTransport()).identity
    case .folder(let path): return try folder(path).identity
    case .file(let path): return try file(path).identity
    case .mirror: return RemoteIdentity(kind: "mirror", location: settings.name)
    case .birthdays(let settings): return try birthdays(settings).identity
    }
  }

  /// The identity to which access is granted: that of the account, if the calendar was found in
  /// one.
  ///
  /// - Throws: `StoreError` if the remote is a folder that does not exist.
  package func grantIdentity(of settings: RemoteSettings) throws -> RemoteIdentity {
    guard let account = settings.account else { return try identity(of: settings) }
    switch settings.kind {
    case .calDAV(let dav):
      let whole = CalDAVSettings(address: account.address, collection: nil, server: dav.server)
      return try identity(of: RemoteSettings(name: account.name, kind: .calDAV(whole)))
    case .vendor(let vendor): return accountIdentity(vendor)
    default: return try identity(of: settings)
    }
  }

  /// The identity of a remote according to the configuration alone.
  ///
  /// Folders are not accessed, so that symbolic links in their path are not resolved.
  package func writtenIdentity(of settings: RemoteSettings) throws -> RemoteIdentity {
    switch settings.kind {
    case .folder(let path): RemoteIdentity(kind: "folder", location: path)
    case .file(let path): RemoteIdentity(kind: "file", location: path)
    case .birthdays(let settings): RemoteIdentity(kind: "birthdays", location: settings.path)
    case .calDAV, .vendor, .webcal, .mirror: try grantIdentity(of: settings)
    }
  }

  /// The calendars of an account, ready to be listed.
  ///
  /// - Throws: `EpactError` if there is no password, or if the settings are not those of an
  ///   account.
  package func account(_ settings: RemoteSettings) throws -> any RemoteAccount {
    switch settings.kind {
    case .calDAV(let dav):
      return CalDAVAccount(
        address: dav.address, credentials: try credentials(of: settings, isForAccount: true),
        transport: try transport(dav.server) { "\($0)" })
    case .vendor(let vendor) where vendor.calendar == nil:
      let credentials = try credentials(of: settings, isForAccount: true)
      return vendorAccount(
        vendor, credentials ?? Credentials(user: "", password: ""),
        try transport(vendor.server, limitsByReason: true) { "\($0)" })
    default: throw EpactError(.configuration, "\"\(settings.name)\" is not an account")
    }
  }

  /// The remote, ready to be opened.
  ///
  /// - Throws: `EpactError` if there is no password; `StoreError`; `RemoteError`.
  package func remote(_ settings: RemoteSettings) throws -> any Remote {
    switch settings.kind {
    case .calDAV(let dav):
      let credentials = try credentials(of: settings)
      return remote(dav, credentials, try transport(dav.server) { "\($0)" })
    case .vendor(let vendor):
      let credentials = try credentials(of: settings)
      return self.vendor(
        vendor, credentials ?? Credentials(user: "", password: ""),
        try transport(vendor.server, limitsByReason: true) { "\($0)" })
    case .webcal(let feed):
      let credentials = try credentials(of: settings)
      // The URL of a private feed is a secret.
      return webcal(feed, credentials, try transport(feed.server) { $0.withoutSecret })
    case .folder(let path): return try folder(path)
    case .file(let path): return try file(path)
    case .mirror:
      throw EpactError(
        .argument, "\"\(settings.name)\" is a mirror, which no server has", subject: settings.name)
    case .birthdays(let settings): return try birthdays(settings)
    }
  }

  /// Opens a remote under full access, which the caller has checked.
  ///
  /// - Throws: `EpactError` if there is no password; `StoreError`; `RemoteError`.
  func calendar(_ settings: RemoteSettings) async throws -> any RemoteCalendar {
    try await remote(settings).openCalendar()
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
      address: feed.address, credentials: credentials, transport: transport, now: machine.now,
      charsets: TextDecoder.decoderOfValues(.utf8))
  }

  private func folder(_ path: String) throws -> FolderRemote {
    FolderRemote(
      calendar: try FolderCalendar(path: path, for: purpose, knowing: knownNames),
      appender: try FolderAppender(path: path), now: machine.now, note: note)
  }

  private func file(_ path: String) throws -> FolderRemote {
    FolderRemote(file: try FileCalendar(path: path, for: purpose), now: machine.now, note: note)
  }

  private func birthdays(_ settings: BirthdaySettings) throws -> BirthdaysRemote {
    BirthdaysRemote(
      source: try contacts(settings), titles: settings.titles, now: machine.now, note: note)
  }

  /// The contacts whose birthdays are a remote; a text without a charset may be in an older one.
  ///
  /// - Throws: `StoreError` if the folder or the file does not exist.
  func contacts(_ settings: BirthdaySettings) throws -> ContactFiles {
    try ContactFiles(path: settings.path, charsets: TextDecoder.decoderOfValues(.auto))
  }

  private var purpose: LocalCalendars.Purpose { isReading ? .reading : .writing }

  /// The credentials of a calendar or an account; those of an account are fetched once.
  private func credentials(
    of settings: RemoteSettings, isForAccount: Bool = false
  ) throws -> Credentials? {
    guard let server = settings.server, let address = settings.address else { return nil }
    let account = settings.account
    let fetch = {
      try credentials(
        server, of: account?.name ?? settings.name, at: account?.address ?? address,
        isForAccount: isForAccount || account != nil)
    }
    guard let shared else { return try fetch() }
    return try shared.value(of: account?.name ?? settings.name, fetch)
  }

  /// The credentials of a server; the password is fetched immediately, a token on demand.
  private func credentials(
    _ server: ServerSettings, of remote: String, at address: RemoteURL, isForAccount: Bool
  ) throws -> Credentials? {
    let reader = PasswordReader(remote: remote, host: address.host, machine: machine)
    let user = server.username ?? ""
    if let settings = server.signIn {
      let signIn = RemoteSignIn(settings, of: remote, at: address, server, machine: machine, log)
      let use = tier.map {
        SignInSettings.Use($0, isReading: isReading, isAccount: isForAccount)
      }
      return Credentials(user: user, tokens: try signIn.tokens(for: use))
    }
    if let words = server.tokenCommand {
      return Credentials(user: user, tokens: TokenSource { try reader.token(from: words).revealed })
    }
    guard !user.isEmpty else { return nil }
    let password = try server.password.map { try reader.password(from: $0, for: user) }
    return Credentials(user: user, password: password?.revealed ?? "")
  }

  /// The transport to a server; every request is logged, including retries.
  private func transport(
    _ server: ServerSettings, limitsByReason: Bool = false,
    _ name: @escaping @Sendable (RemoteURL) -> String
  ) throws -> any HTTPTransport {
    let (trust, identity) = (FileTrust(machine, isStrict: false), server.identity)
    if let file = identity.caFile { try trust.expect(file, "ca-file") }
    if let client = identity.client { try trust.expect(client.keyFile, "client-key") }
    try IdentityFiles(identity).expectUsable()
    let network = try machine.makeTransport(server.identity, server.connections)
    let seen = observed(network, name)
    let patient = PatientTransport(
      limitsByReason ? RateLimitTransport(seen) : seen, pace: machine.pace)
    return isReading ? ReadOnlyTransport(patient) : patient
  }

  /// The transport with a log message for each request.
  private func observed(
    _ transport: any HTTPTransport, _ name: @escaping @Sendable (RemoteURL) -> String
  ) -> any HTTPTransport {
    let log = log
    return ObservedTransport(transport, note: note) { exchange in
      log.debug(
        "request",
        metadata: [
          "method": "\(exchange.method)", "url": "\(name(exchange.url))",
          "outcome": "\(exchange.outcome)",
        ])
    }
  }
}

extension ObservedTransport.Exchange {
  /// The status or the error, for the log.
  var outcome: String {
    switch result {
    case .success(let status): "\(status)"
    case .failure(let error as HTTPError): error.message
    case .failure(let error): "\(error)"
    }
  }
}

/// Rejects all requests, for remotes that are identified but never opened.
struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw HTTPError(
      code: .refused, url: request.url, message: "the remote was not opened for requests")
  }
}

/// The credentials of accounts during a run, so that a program that prints a password is run once
/// for all calendars of an account.
final class SharedCredentials: Sendable {
  private let known = Mutex<[String: Credentials?]>([:])

  /// The credentials of an account, which are fetched by the first call.
  func value(
    of account: String, _ fetch: () throws -> Credentials?
  ) throws -> Credentials? {
    // The lock is held meanwhile, because a password that is asked for twice is a nuisance.
    try known.withLock { known in
      if let found = known[account] { return found }
      let found = try fetch()
      known[account] = .some(found)
      return found
    }
  }
}
