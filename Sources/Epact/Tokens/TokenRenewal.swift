// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

/// Returns valid access tokens of a sign-in, and renews them.
///
/// One process renews at a time. A process that waited for it reads the stored result, and sends no
/// request of its own.
package struct TokenRenewal: Sendable {
  /// The name of the remote or the account.
  let remote: String
  /// The place of the tokens.
  let store: TokenStore
  /// The purpose that the tokens must have.
  let binding: String
  /// The scopes that the access needs; empty if they are not checked.
  let scopes: [String]
  /// The machine with the clock.
  let machine: Machine
  /// Reads the registration of the program.
  let client: @Sendable () throws -> AuthorizationClient
  /// Creates the transport to the authorization server.
  let transport: @Sendable (AuthorizationServer) throws -> any HTTPTransport
  /// The latest record of a store that is only read.
  private let memory = TokenMemory()

  /// Creates a renewal.
  init(
    of remote: String, in store: TokenStore, binding: String, scopes: [String], machine: Machine,
    client: @escaping @Sendable () throws -> AuthorizationClient,
    transport: @escaping @Sendable (AuthorizationServer) throws -> any HTTPTransport
  ) {
    (self.remote, self.store, self.binding) = (remote, store, binding)
    (self.scopes, self.machine) = (scopes, machine)
    (self.client, self.transport) = (client, transport)
  }

  /// Returns a valid access token.
  ///
  /// - Parameter refused: The token that a server rejected; nil if none was.
  /// - Returns: A token that is not the refused one.
  /// - Throws: `EpactError` with the code `noAccess` if the user has to sign in, and with
  ///   `unavailable` if the authorization server is out of order or out of reach.
  package func token(replacing refused: String?) async throws -> String {
    if let token = usable(try record(), after: refused) { return token }
    return try await store.whileLocked {
      // Another process may have renewed the token meanwhile.
      let record = try record()
      if let token = usable(record, after: refused) { return token }
      return try await renew(record)
    }
  }

  /// Expects that the user is signed in; sends no request.
  ///
  /// - Throws: `EpactError` with the code `noAccess` if the user has to sign in.
  func expectSignedIn() throws(EpactError) { _ = try record() }

  private func usable(_ record: TokenRecord, after refused: String?) -> String? {
    guard record.isFresh(at: machine.now()), record.accessToken != refused else { return nil }
    return record.accessToken
  }

  /// The stored record, if it is for this remote and sufficient.
  private func record() throws(EpactError) -> TokenRecord {
    let kept = memory.record
    let stored = kept == nil ? try store.read() : kept
    guard let record = stored else { throw signIn("is not signed in") }
    guard record.binding == binding else {
      throw signIn("is signed in with another server, client-id or address")
    }
    if let failure = record.failure { throw signIn("has to sign in again: \(failure)") }
    let missing = ScopeNames.missing(scopes, in: record.scopes)
    guard missing.isEmpty else {
      throw signIn("has to sign in again for more access, with \(missing.joined(separator: ", "))")
    }
    return record
  }

  private func signIn(_ reason: String) -> EpactError {
    EpactError(
      .noAccess, "\"\(remote)\" \(reason)", subject: remote, remedy: .signIn(remote: remote))
  }

  // MARK: Renewing

  private func renew(_ record: TokenRecord) async throws -> String {
    guard let refreshToken = record.refreshToken else {
      throw try end(record, "the sign-in has expired, and the server issued no refresh token")
    }
    do {
      let server = try record.authorizationServer()
      let endpoint = TokenEndpoint(
        of: server, client: try client(), transport: try transport(server))
      let tokens = try await renewed(refreshToken, for: try record.target(), at: endpoint)
      let renewed = record.renewed(by: tokens, now: machine.now())
      try keep(renewed, instead: refreshToken)
      return renewed.accessToken
    } catch let error as AuthorizationError {
      let reason = EpactError(error, signingIn: remote)
      guard error.code == .invalidGrant || error.code == .consent else { throw reason }
      throw try end(record, error.message)
    } catch let error as HTTPError {
      // As an error of the transport, it would be taken for one of the remote, and tried again.
      throw EpactError(describing: error)
    }
  }

  /// Renews the tokens; a request whose answer was lost is repeated once.
  ///
  /// A server that replaces refresh tokens may have replaced this one. Some accept the old one for a
  /// while, until the new one is used (RFC 9700 §4.14.2).
  private func renewed(
    _ refreshToken: String, for resource: RemoteURL?, at endpoint: TokenEndpoint
  ) async throws -> IssuedTokens {
    do {
      return try await endpoint.renew(with: refreshToken, for: resource)
    } catch let error as HTTPError where Self.isLost(error) {
      return try await endpoint.renew(with: refreshToken, for: resource)
    }
  }

  private static func isLost(_ error: HTTPError) -> Bool {
    [.interrupted, .timeout].contains(error.code)
  }

  /// Stores renewed tokens; a store that is only read keeps them for this process.
  private func keep(_ record: TokenRecord, instead refreshToken: String) throws(EpactError) {
    guard !store.isWritable else { return try store.write(record) }
    memory.record = record
    guard record.refreshToken != refreshToken else { return }
    machine.note(
      "the server replaced the refresh token of \"\(remote)\", and a systemd credential cannot take "
        + "the new one; use token-store = \"file\"")
  }

  /// Removes tokens that are not valid any more, and returns the error.
  private func end(_ record: TokenRecord, _ reason: String) throws(EpactError) -> EpactError {
    if store.isWritable { try store.write(record.ended(reason)) }
    return signIn("has to sign in again: \(reason)")
  }
}
