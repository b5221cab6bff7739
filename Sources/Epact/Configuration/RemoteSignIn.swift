// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
package import Logging

/// The sign-in of one remote or account: its tokens, its client, and the way to its authorization
/// server.
package struct RemoteSignIn: Sendable {
  /// The maximum time that requests for tokens wait for an overloaded server.
  private static let patience = Duration.seconds(30)

  /// The settings.
  package let settings: SignInSettings
  /// The name of the remote or the account.
  package let remote: String
  /// The address of the remote, whose server alone gets the access tokens.
  package let address: RemoteURL
  private let server: ServerSettings
  private let machine: Machine
  private let log: Logger

  /// Creates the sign-in of a remote; reads nothing yet.
  init(
    _ settings: SignInSettings, of remote: String, at address: RemoteURL, _ server: ServerSettings,
    machine: Machine, _ log: Logger
  ) {
    (self.settings, self.remote, self.address) = (settings, remote, address)
    (self.server, self.machine, self.log) = (server, machine, log)
  }

  /// The place of the tokens.
  package var store: TokenStore { TokenStore(settings.store, of: remote, on: machine) }

  /// The purpose of the tokens.
  package var binding: String { settings.binding(to: address) }

  /// The registration of the program, with its secret.
  ///
  /// - Throws: `EpactError` if the secret cannot be read.
  package func client() throws -> AuthorizationClient {
    let source = settings.clientSecret
    let secret = try source.map { source in
      try PasswordReader(
        remote: remote, host: address.host, machine: machine, what: "client secret"
      ).password(from: source, for: settings.clientID).revealed
    }
    return AuthorizationClient(settings.clientID, secret: secret)
  }

  /// The access tokens for the remote.
  ///
  /// - Parameter use: The use, whose scopes have to be granted; nil if they are not checked.
  /// - Returns: The source of the tokens.
  /// - Throws: `EpactError` if the user has to sign in first, which is not the error of each item.
  package func tokens(for use: SignInSettings.Use?) throws -> TokenSource {
    let renewal = TokenRenewal(
      of: remote, in: store, binding: binding, scopes: use.map(settings.scopes) ?? [],
      machine: machine, client: { try client() },
      transport: { try transport(to: $0.tokenEndpoint) })
    try renewal.expectSignedIn()
    return TokenSource(for: address) { try await renewal.token(replacing: $0) }
  }

  /// The transport for requests for tokens.
  ///
  /// Pinned keys and client certificates are those of the remote's own server; only its authorities are
  /// trusted for others, too.
  package func transport(to place: RemoteURL) throws -> any HTTPTransport {
    let identity = server.identity
    let isOwn = place.origin == address.origin
    if let file = identity.caFile {
      try FileTrust(machine, isStrict: false).expect(file, "ca-file")
    }
    let network = try machine.makeTransport(
      isOwn ? identity : NetworkIdentity(caFile: identity.caFile), 1)
    var policy = RetryPolicy()
    (policy.totalDelay, policy.patience) = (Self.patience, Self.patience)
    return PatientTransport(observed(network), policy: policy, pace: machine.pace)
  }

  /// The transport with a log message for each request, without its body.
  private func observed(_ transport: any HTTPTransport) -> any HTTPTransport {
    let log = log
    return ObservedTransport(transport) { exchange in
      log.debug(
        "sign-in",
        metadata: [
          "method": "\(exchange.method)", "url": "\(exchange.url)",
          "outcome": "\(exchange.outcome)",
        ])
    }
  }
}

extension RemoteSettings {
  /// The sign-in of the remote; nil if it has other credentials.
  ///
  /// - Parameters:
  ///   - machine: The machine with the tokens and the network.
  ///   - log: The log of requests; silent by default.
  /// - Returns: The sign-in.
  package func signIn(on machine: Machine, log: Logger = .silent) -> RemoteSignIn? {
    guard let server, let settings = server.signIn, let address else { return nil }
    return RemoteSignIn(
      settings, of: grantName, at: account?.address ?? address, server, machine: machine, log)
  }

  /// The address of the server; nil if the remote is not on one.
  package var address: RemoteURL? {
    switch kind {
    case .calDAV(let dav): dav.address
    case .vendor(let vendor): vendor.address
    case .webcal(let feed): feed.address
    case .folder, .file, .mirror, .birthdays: nil
    }
  }
}
