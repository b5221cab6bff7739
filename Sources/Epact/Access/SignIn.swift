// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
package import CalendarSync
package import Logging

/// A sign-in of the user at the service of a remote, with OAuth 2.
///
/// Without access there is no sign-in: the granted tier and the direction of the syncs decide which
/// scopes are asked for. Nothing is opened before the user was shown both.
package struct SignIn: Sendable {
  /// The way in which the answer of the service gets here.
  package enum Way: Sendable, Hashable {
    /// The browser of this machine returns to a port of it.
    case browser
    /// The user copies the address at which a browser ended.
    case paste
    /// The user enters a code on another device (RFC 8628).
    case device
  }

  /// The part of the time limit of a browser that is used if none is given, in seconds.
  package static let usualTimeLimit = 300.0
  /// The port to which a browser returns whose address is copied; nothing has to listen there.
  private static let pastedPort = 51004
  /// The maximum number of attempts to copy the address.
  private static let pasteAttempts = 3

  /// The name of the remote or the account.
  package let name: String
  /// The access to the remote.
  package private(set) var access: RemoteAccess
  private let signIn: RemoteSignIn
  private let isAccount: Bool
  private let machine: Machine

  /// Looks up the sign-in of a remote; sends no request.
  ///
  /// - Parameters:
  ///   - name: The name of the remote or the account.
  ///   - configuration: The configuration.
  ///   - machine: The machine with the tokens and the network.
  ///   - log: The log of requests; silent by default.
  /// - Throws: `EpactError` if there is no such remote, or if it does not sign in; errors of the
  ///   ledger and of the policies.
  package init(
    to name: String, in configuration: Configuration, machine: Machine, log: Logger = .silent
  ) async throws {
    guard let settings = configuration.grantee(name) else {
      throw EpactError.unknown(name, what: "remote", known: configuration.grantNames)
    }
    guard let signIn = settings.signIn(on: machine, log: log) else {
      throw EpactError(
        .argument, "\"\(name)\" does not sign in with OAuth", subject: name,
        remedy: .other("For a CalDAV server that asks for it: sign-in = \"oauth\", client-id."))
    }
    self.name = settings.name
    self.signIn = signIn
    self.machine = machine
    isAccount = configuration.accounts[settings.name] != nil
    access = try await RemoteAccess(to: name, in: configuration, machine: machine)
  }

  /// Asks the user for access if there is no decision yet.
  ///
  /// - Throws: `EpactError` if the user cannot be asked or gives no answer.
  package mutating func askForAccess(_ prompt: any AccessPrompt) async throws {
    if access.status == .notDetermined { try await access.ask(prompt) }
  }

  /// The place of the tokens.
  package var store: TokenStore { signIn.store }

  /// The use of the tokens.
  ///
  /// - Throws: `AccessError` without access.
  private func use() throws -> SignInSettings.Use {
    let tier = try AccessGate.tier(
      of: access.grant, under: access.restriction, wanted: access.wanted, remote: name)
    let isPulled = !access.syncs.isEmpty && access.syncs.allSatisfy { $0.direction == .pull }
    return SignInSettings.Use(tier, isReading: isPulled, isAccount: isAccount)
  }

  // MARK: Signing in

  /// Signs in, and stores the tokens.
  ///
  /// - Parameters:
  ///   - way: The way of the answer.
  ///   - timeLimit: The time to wait for a browser, in seconds.
  ///   - prompt: Shows the purpose and the address to the user.
  /// - Returns: The stored record.
  /// - Throws: `AccessError` without access; `EpactError`; `HTTPError`; `CancellationError`.
  package func run(
    _ way: Way, timeLimit: Double = SignIn.usualTimeLimit, prompt: any SignInPrompt
  ) async throws -> TokenRecord {
    let use = try use()
    guard store.isWritable else {
      throw EpactError(
        .configuration, "the tokens of \"\(name)\" are in a systemd credential, which is only read",
        subject: name,
        remedy: .other(
          "Sign in with token-store = \"file\", and encrypt that file by systemd-creds."))
    }
    do {
      let purpose = try await purpose(of: use)
      try await prompt.introduce(introduction(to: purpose, use))
      let endpoint = TokenEndpoint(
        of: purpose.server, client: purpose.client,
        transport: try signIn.transport(to: purpose.server.tokenEndpoint))
      let tokens =
        switch way {
        case .browser: try await browse(for: purpose, at: endpoint, timeLimit, prompt)
        case .paste: try await paste(for: purpose, at: endpoint, prompt)
        case .device: try await waitForDevice(purpose, at: endpoint, prompt)
        }
      return try await store(tokens, for: purpose, at: endpoint)
    } catch let error as AuthorizationError {
      throw EpactError(error, signingIn: name)
    }
  }

  private func introduction(
    to purpose: AuthorizationPurpose, _ use: SignInSettings.Use
  ) -> SignInIntroduction {
    SignInIntroduction(
      remote: name, server: purpose.server.authorizationEndpoint.host,
      purpose: access.grant?.purpose ?? "", tier: use.tier, isReading: use.isReading,
      scopes: purpose.scopes)
  }

  /// The server, the client and the scopes.
  private func purpose(of use: SignInSettings.Use) async throws -> AuthorizationPurpose {
    let settings = signIn.settings
    let client = try signIn.client()
    var scopes = settings.scopes(for: use)
    if let address = settings.authorizationServer {
      let discovery = AuthorizationDiscovery(
        transport: try signIn.transport(to: try RemoteURL(parsing: address)))
      let isTenanted = if case .microsoft = settings.provider { true } else { false }
      let server = try await discovery.server(address, hasTenants: isTenanted)
        .adapted(to: settings.service)
      return AuthorizationPurpose(server: server, client: client, scopes: scopes)
    }
    if let service = settings.service {
      return AuthorizationPurpose(
        server: try AuthorizationServer(service), client: client, scopes: scopes)
    }
    let found = try await discover(use)
    if settings.scopes == nil { scopes = found.scopes }
    let offline = "offline_access"
    if settings.scopes == nil, found.server.scopes.contains(offline), !scopes.contains(offline) {
      scopes.append(offline)
    }
    return AuthorizationPurpose(
      server: found.server, client: client, scopes: scopes, resource: found.resource)
  }

  /// Asks the remote for its authorization server; these requests are logged under the grant.
  private func discover(
    _ use: SignInSettings.Use
  ) async throws -> AuthorizationDiscovery.Found {
    guard use.tier == .full, let grant = access.grant else {
      throw EpactError(
        .configuration,
        "write-only access sends no request that reads, and so nothing is asked where \"\(name)\" "
          + "signs in", subject: name,
        remedy: .other("Add authorization-server = \"URL\" to its configuration."))
    }
    let ledger = try LedgerFolder(machine: machine, isReadOnly: false).openLedger()
    let recorder = AccessRecorder(log: ledger, grant: grant, tier: .full, now: machine.now)
    let transport = ObservedTransport(
      try signIn.transport(to: signIn.address), note: { try await recorder.note($0) },
      observe: { _ in })
    do {
      let found = try await AuthorizationDiscovery(transport: transport).find(for: signIn.address)
      try await recorder.flush()
      return found
    } catch {
      try? await recorder.flush()
      throw error
    }
  }

  // MARK: Ways

  private func browse(
    for purpose: AuthorizationPurpose, at endpoint: TokenEndpoint, _ timeLimit: Double,
    _ prompt: any SignInPrompt
  ) async throws -> IssuedTokens {
    let listener = try SignInListener()
    let request = AuthorizationRequest(
      purpose, redirect: "http://\(purpose.server.redirectHost):\(listener.port)/",
      makeSecret: machine.makeSecret)
    try await prompt.open(request.address.description)
    let code = try await listener.code(
      for: request, until: machine.stopwatch() + timeLimit, on: machine)
    return try await endpoint.redeem(code, of: request)
  }

  private func paste(
    for purpose: AuthorizationPurpose, at endpoint: TokenEndpoint, _ prompt: any SignInPrompt
  ) async throws -> IssuedTokens {
    let request = AuthorizationRequest(
      purpose, redirect: "http://\(purpose.server.redirectHost):\(Self.pastedPort)/",
      makeSecret: machine.makeSecret)
    for attempt in 1... {
      let text = try await prompt.pastedAddress(
        after: request.address.description, isRetry: attempt > 1)
      do {
        return try await endpoint.redeem(try request.code(inAddress: text), of: request)
      } catch let error as AuthorizationError
        where [.malformed, .otherState].contains(error.code) && attempt < Self.pasteAttempts
      {
        continue
      }
    }
    preconditionFailure("the number of attempts is limited")
  }

  private func waitForDevice(
    _ purpose: AuthorizationPurpose, at endpoint: TokenEndpoint, _ prompt: any SignInPrompt
  ) async throws -> IssuedTokens {
    let device = try await DeviceAuthorization.start(purpose, at: endpoint)
    try await prompt.show(code: device.userCode, page: device.address.description)
    return try await device.tokens(from: endpoint, pace: machine.pace)
  }

  // MARK: Results

  /// Stores the tokens, if the user granted all scopes.
  private func store(
    _ tokens: IssuedTokens, for purpose: AuthorizationPurpose, at endpoint: TokenEndpoint
  ) async throws -> TokenRecord {
    let missing = ScopeNames.missing(purpose.scopes, in: tokens.scopes ?? purpose.scopes)
    guard missing.isEmpty else {
      // Useless tokens are revoked; the error is about the scopes in any case.
      _ = try? await endpoint.revoke(tokens.refreshToken ?? tokens.accessToken)
      throw EpactError(
        .noAccess,
        "the sign-in of \"\(name)\" lacks \(missing.joined(separator: ", ")): allow all that is "
          + "asked for", subject: name, remedy: .signIn(remote: name))
    }
    let record = TokenRecord(
      tokens, for: purpose, binding: signIn.binding, now: machine.now())
    try await store.whileLocked { try store.write(record) }
    return record
  }

  /// Signs out: revokes the tokens and removes them from this machine.
  ///
  /// - Returns: The result; nil if there was no sign-in.
  /// - Throws: `EpactError` if the tokens cannot be removed.
  package func end() async throws -> SignOutResult? {
    try await store.whileLocked {
      guard let record = try store.read() else { return nil }
      let result = await revoked(record)
      try store.remove()
      return result
    }
  }

  private func revoked(_ record: TokenRecord) async -> SignOutResult {
    guard record.failure == nil else { return .ended }
    do {
      let server = try record.authorizationServer()
      let endpoint = TokenEndpoint(
        of: server, client: try signIn.client(),
        transport: try signIn.transport(to: server.tokenEndpoint))
      let isRevoked = try await endpoint.revoke(record.refreshToken ?? record.accessToken)
      return isRevoked ? .revoked : .notRevocable(server: record.server)
    } catch let error as AuthorizationError {
      return .failed(EpactError(error, signingIn: name))
    } catch {
      return .failed(EpactError(describing: error))
    }
  }
}

/// The result of signing out; the tokens are removed from this machine in any case.
package enum SignOutResult: Sendable {
  /// The server revoked the tokens.
  case revoked
  /// The tokens were not valid any more.
  case ended
  /// The server revokes no tokens at the request of programs; the user can do it there.
  case notRevocable(server: String)
  /// The tokens may still be valid at the server.
  case failed(EpactError)
}

/// The text that the user is shown before a sign-in.
package struct SignInIntroduction: Sendable, Hashable {
  /// The name of the remote or the account.
  package let remote: String
  /// The host at which the user signs in.
  package let server: String
  /// The purpose of the access, in a sentence.
  package let purpose: String
  /// The granted tier.
  package let tier: AccessTier
  /// Whether the remote is only read.
  package let isReading: Bool
  /// The scopes that are asked for.
  package let scopes: [String]
}

/// Shows the user the steps of a sign-in.
package protocol SignInPrompt: Sendable {
  /// Shows the purpose and the scopes, before anything is opened.
  func introduce(_ introduction: SignInIntroduction) async throws
  /// Opens an address in the browser, or shows it.
  func open(_ address: String) async throws
  /// Shows an address to open on any machine, and asks for the one at which the browser ended.
  ///
  /// - Throws: An error that ends the sign-in if there is no answer.
  func pastedAddress(after address: String, isRetry: Bool) async throws -> String
  /// Shows a code to enter at a page on any device.
  func show(code: String, page: String) async throws
}
