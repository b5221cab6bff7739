// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
package import CivilTime

/// The tokens of one sign-in, as they are stored.
///
/// The record names what it was issued for, so that tokens are used for nothing else: after a change of
/// the server, the client or the remote, the user signs in again.
package struct TokenRecord: Codable, Hashable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case binding, server, scopes, resource
    case tokenEndpoint = "token-endpoint"
    case revocationEndpoint = "revocation-endpoint"
    case needsBasic = "needs-basic"
    case signedInAt = "signed-in-at"
    case obtainedAt = "obtained-at"
    case expiresAt = "expires-at"
    case refreshExpiresAt = "refresh-expires-at"
    case accessToken = "access-token"
    case refreshToken = "refresh-token"
    case failure
  }

  /// The service, the client and the remote that the tokens are for.
  package let binding: String
  /// The identity of the authorization server, for messages.
  package let server: String
  /// The only address to which the refresh token is sent.
  let tokenEndpoint: String
  private let revocationEndpoint: String?
  private let needsBasic: Bool
  /// The resource of each request for tokens (RFC 8707); nil if the scopes say it.
  private let resource: String?
  /// The granted scopes.
  package private(set) var scopes: [String]
  /// The time of the sign-in, in seconds since 1970.
  package let signedInAt: Int64
  /// The time of the answer with the access token, in seconds since 1970.
  private(set) var obtainedAt: Int64
  /// The end of the access token, in seconds since 1970; nil if the server stated none.
  package private(set) var expiresAt: Int64?
  /// The end of the refresh token, in seconds since 1970; nil if the server stated none.
  package private(set) var refreshExpiresAt: Int64?
  /// The access token; empty after the sign-in has become invalid.
  package private(set) var accessToken: String
  /// The refresh token; nil if the server issued none.
  package private(set) var refreshToken: String?
  /// The reason why the tokens are not valid any more; nil as long as they are.
  package private(set) var failure: String?

  /// Creates the record of a sign-in.
  ///
  /// - Parameters:
  ///   - tokens: The issued tokens.
  ///   - purpose: The server and the scopes that were asked for.
  ///   - binding: What the tokens are for.
  ///   - now: The time of the answer, by the clock of this machine.
  package init(
    _ tokens: IssuedTokens, for purpose: AuthorizationPurpose, binding: String, now: Instant
  ) {
    self.binding = binding
    let server = purpose.server
    self.server = server.name
    tokenEndpoint = server.tokenEndpoint.description
    revocationEndpoint = server.revocationEndpoint?.description
    needsBasic = server.needsBasic
    resource = purpose.resource?.description
    scopes = tokens.scopes ?? purpose.scopes
    signedInAt = now.secondsSinceEpoch
    obtainedAt = now.secondsSinceEpoch
    accessToken = tokens.accessToken
    refreshToken = tokens.refreshToken
    expiresAt = tokens.lifetime.map { now.secondsSinceEpoch + $0 }
    refreshExpiresAt = tokens.refreshLifetime.map { now.secondsSinceEpoch + $0 }
  }

  /// The record after a renewal, whose time is that of the answer by the clock of this machine.
  ///
  /// A new refresh token replaces the old one (RFC 6749 §6).
  func renewed(by tokens: IssuedTokens, now: Instant) -> TokenRecord {
    var record = self
    record.accessToken = tokens.accessToken
    record.refreshToken = tokens.refreshToken ?? refreshToken
    record.scopes = tokens.scopes ?? scopes
    record.obtainedAt = now.secondsSinceEpoch
    record.expiresAt = tokens.lifetime.map { now.secondsSinceEpoch + $0 }
    if let lifetime = tokens.refreshLifetime {
      record.refreshExpiresAt = now.secondsSinceEpoch + lifetime
    }
    return record
  }

  /// The record of a sign-in that is not valid any more, without its tokens.
  func ended(_ reason: String) -> TokenRecord {
    var record = self
    (record.accessToken, record.refreshToken, record.failure) = ("", nil, reason)
    return record
  }

  /// The server to which the tokens may be sent for renewal and revocation.
  func authorizationServer() throws(RemoteError) -> AuthorizationServer {
    let endpoint = try RemoteURL(parsing: tokenEndpoint)
    var server = AuthorizationServer(
      issuer: self.server, authorizationEndpoint: endpoint, tokenEndpoint: endpoint)
    if let revocationEndpoint {
      server.revocationEndpoint = try RemoteURL(parsing: revocationEndpoint)
    }
    server.needsBasic = needsBasic
    return server
  }

  /// The resource for which the tokens are (RFC 8707).
  func target() throws(RemoteError) -> RemoteURL? {
    guard let resource else { return nil }
    return try RemoteURL(parsing: resource)
  }

  /// The time before the end of an access token at which it is renewed, in seconds.
  private static let margin: Int64 = 60

  /// Whether the access token can be sent, by the clock of this machine.
  ///
  /// A clock that was set back makes the end of the token unknown.
  func isFresh(at now: Instant) -> Bool {
    let seconds = now.secondsSinceEpoch
    guard failure == nil, !accessToken.isEmpty, seconds >= obtainedAt else { return false }
    guard let expiresAt else { return true }
    return seconds < expiresAt - min(Self.margin, (expiresAt - obtainedAt) / 10)
  }
}

extension TokenRecord: CustomStringConvertible, CustomReflectable {
  /// The server and the scopes, without the tokens.
  package var description: String { "\(server): \(scopes.joined(separator: " "))" }

  /// A mirror without the tokens.
  package var customMirror: Mirror { Mirror(self, children: ["server": server]) }
}
