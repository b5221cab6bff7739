// SPDX-License-Identifier: Apache-2.0

/// Requests for tokens to one authorization server.
///
/// Each request goes to an endpoint of the server itself. No redirect is followed, and the response is
/// never quoted in an error with the secrets of the request.
package struct TokenEndpoint: Sendable {
  /// The server.
  package let server: AuthorizationServer
  let client: AuthorizationClient
  private let transport: any HTTPTransport

  /// Creates an endpoint.
  package init(
    of server: AuthorizationServer, client: AuthorizationClient, transport: any HTTPTransport
  ) {
    (self.server, self.client, self.transport) = (server, client, transport)
  }

  /// Redeems a code (RFC 6749 §4.1.3, RFC 7636 §4.5).
  ///
  /// - Throws: `AuthorizationError`; `HTTPError` if there is no response.
  package func redeem(
    _ code: AuthorizationCode, of request: AuthorizationRequest
  ) async throws -> IssuedTokens {
    try await tokens(
      [
        .init("grant_type", "authorization_code"), .init("code", code.text),
        .init("redirect_uri", request.redirect), .init("code_verifier", request.verifier),
      ], for: request.resource, hiding: [code.text, request.verifier, request.state])
  }

  /// Renews an access token (RFC 6749 §6).
  ///
  /// - Parameters:
  ///   - refreshToken: The refresh token.
  ///   - resource: The resource for which the token is (RFC 8707); nil if the scopes say so.
  /// - Returns: The new tokens; a new refresh token replaces the old one.
  /// - Throws: `AuthorizationError`; `HTTPError` if there is no response.
  package func renew(
    with refreshToken: String, for resource: RemoteURL? = nil
  ) async throws -> IssuedTokens {
    try await tokens(
      [.init("grant_type", "refresh_token"), .init("refresh_token", refreshToken)],
      for: resource, hiding: [refreshToken])
  }

  /// Requests tokens for a code that is entered on another device (RFC 8628 §3.4).
  func tokens(forDevice code: String) async throws -> IssuedTokens {
    try await tokens(
      [
        .init("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        .init("device_code", code),
      ], for: nil, hiding: [code])
  }

  /// Revokes a token (RFC 7009 §2.1); a token that is not valid any more is no error.
  ///
  /// - Returns: Whether the server revokes tokens at all.
  /// - Throws: `AuthorizationError`; `HTTPError` if there is no response.
  package func revoke(_ token: String) async throws -> Bool {
    guard let endpoint = server.revocationEndpoint else { return false }
    let response = try await post([.init("token", token)], to: endpoint)
    guard response.status != 200 else { return true }
    let error = failure(response, hiding: [token])
    // Google's answer for a token that is revoked already.
    let reply = TokenResponse.parse(response.body)?.reply
    guard response.status == 400, reply?.error == "invalid_token" else { throw error }
    return true
  }

  // MARK: Requests

  private func tokens(
    _ parameters: [AuthorizationServer.Parameter], for resource: RemoteURL?,
    hiding secrets: [String]
  ) async throws -> IssuedTokens {
    let target = resource.map { [AuthorizationServer.Parameter("resource", $0.description)] } ?? []
    let response = try await post(parameters + target, to: server.tokenEndpoint)
    guard response.status == 200 else { throw failure(response, hiding: secrets) }
    guard let tokens = TokenResponse.parse(response.body)?.tokens else {
      throw AuthorizationError(
        .malformed, server.name, "the response has no access token of the type Bearer")
    }
    return tokens
  }

  /// Sends a form with the client's identity.
  func post(
    _ parameters: [AuthorizationServer.Parameter], to url: RemoteURL
  ) async throws -> HTTPResponse {
    var (form, credentials) = (parameters, Credentials?.none)
    if let secret = client.secret, server.needsBasic {
      // Both are encoded as in a form first (RFC 6749 §2.3.1).
      credentials = Credentials(
        user: PercentEncoding.escapingAll(client.identifier),
        password: PercentEncoding.escapingAll(secret))
    } else {
      form.append(.init("client_id", client.identifier))
      if let secret = client.secret { form.append(.init("client_secret", secret)) }
    }
    var request = HTTPRequest(
      method: .post, url: url,
      headers: [
        "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
      ], body: Array(FormText.encoded(form).utf8), credentials: credentials)
    request.refusesRedirects = true
    return try await transport.send(request)
  }

  /// The error of a response that is no success.
  func failure(_ response: HTTPResponse, hiding secrets: [String]) -> AuthorizationError {
    if response.status == 429 || response.status >= 500 {
      let error = response.later(subject: server.name)
      return AuthorizationError(.temporary, server.name, error.message)
    }
    guard let reply = TokenResponse.parse(response.body)?.reply else {
      return AuthorizationError(
        .malformed, server.name, "the server refuses the sign-in with status \(response.status)")
    }
    let hidden = secrets + (client.secret.map { [$0] } ?? [])
    return AuthorizationError(reply, from: server.name, hiding: hidden)
  }
}
