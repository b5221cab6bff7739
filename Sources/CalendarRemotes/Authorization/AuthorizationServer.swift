// SPDX-License-Identifier: Apache-2.0

/// An OAuth 2 authorization server: the endpoints at which a user signs in and tokens are issued.
///
/// The endpoints are those of its metadata (RFC 8414), or of the table of known services. Tokens
/// and codes are sent to exactly these addresses, and no redirect is followed.
package struct AuthorizationServer: Hashable, Sendable {
  /// A parameter of a request.
  package struct Parameter: Hashable, Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// The identity of the server (RFC 8414 §2); nil if it depends on the user.
  package let issuer: String?
  /// The page at which the user signs in (RFC 6749 §3.1).
  package let authorizationEndpoint: RemoteURL
  /// The address that issues tokens (RFC 6749 §3.2).
  package let tokenEndpoint: RemoteURL
  /// The address that starts a sign-in on another device (RFC 8628 §3.1); nil if there is none.
  package var deviceEndpoint: RemoteURL?
  /// The address that revokes tokens (RFC 7009); nil if there is none.
  package var revocationEndpoint: RemoteURL?
  /// The scopes that the server states (RFC 8414 §2); empty if it states none.
  package var scopes: [String] = []
  /// Whether every answer names the issuer (RFC 9207 §3).
  var statesIssuer = false
  /// Whether the server accepts the secret of a client only by Basic (RFC 6749 §2.3.1).
  package var needsBasic = false
  /// The parameters with which this server issues refresh tokens.
  var parameters: [Parameter] = []
  /// The host of the address on this machine to which the browser returns (RFC 8252 §7.3).
  package var redirectHost = "127.0.0.1"

  /// Creates a server.
  package init(issuer: String?, authorizationEndpoint: RemoteURL, tokenEndpoint: RemoteURL) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
  }

  /// The identity for messages and for stored tokens: the issuer, or the origin of the token endpoint.
  package var name: String { issuer ?? tokenEndpoint.origin.description }
}

extension AuthorizationServer {
  /// A service with known endpoints.
  package enum Service: Hashable, Sendable {
    /// Google.
    case google
    /// Microsoft's identity platform, for the accounts of a tenant: `common`, `consumers`,
    /// `organizations`, a domain or an identifier.
    case microsoft(tenant: String)

    /// The service that issues the tokens for a CalDAV address; nil if it is to be discovered.
    package init?(caldav address: RemoteURL) {
      guard address.host == "apidata.googleusercontent.com" else { return nil }
      self = .google
    }
  }

  /// The parameters with which Google issues a refresh token, also for a repeated sign-in.
  private static let offline = [
    Parameter("access_type", "offline"), Parameter("prompt", "consent"),
  ]

  /// Creates the server of a known service.
  ///
  /// - Throws: `RemoteError` if the name of a tenant is not a part of an address.
  package init(_ service: Service) throws(RemoteError) {
    switch service {
    case .google:
      self.init(
        issuer: "https://accounts.google.com",
        authorizationEndpoint: try RemoteURL(
          parsing: "https://accounts.google.com/o/oauth2/v2/auth"),
        tokenEndpoint: try RemoteURL(parsing: "https://oauth2.googleapis.com/token"))
      revocationEndpoint = try RemoteURL(parsing: "https://oauth2.googleapis.com/revoke")
      parameters = Self.offline
    case .microsoft(let tenant):
      guard !tenant.isEmpty,
        tenant.utf8.allSatisfy({ PercentEncoding.isAlphanumeric($0) || "-.".utf8.contains($0) })
      else {
        throw RemoteError(
          code: .configuration, subject: ServerText.escaped(tenant),
          message: "expected a tenant: common, a domain or an identifier")
      }
      let base = "https://login.microsoftonline.com/\(tenant)/oauth2/v2.0"
      // The issuer contains the identifier of the user's tenant, which "common" does not name.
      self.init(
        issuer: nil, authorizationEndpoint: try RemoteURL(parsing: base + "/authorize"),
        tokenEndpoint: try RemoteURL(parsing: base + "/token"))
      deviceEndpoint = try RemoteURL(parsing: base + "/devicecode")
      redirectHost = "localhost"
    }
  }

  /// Adds what a service requires to a server that was found by its metadata, such as that of a
  /// national cloud or of a gateway.
  package func adapted(to service: Service?) -> AuthorizationServer {
    var server = self
    switch service {
    case nil: break
    case .google?: server.parameters = Self.offline
    case .microsoft?: server.redirectHost = "localhost"
    }
    return server
  }
}

/// The registration of this program at an authorization server (RFC 6749 §2).
package struct AuthorizationClient: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The identifier of the client.
  package let identifier: String
  /// The secret of the client; nil for a public client, as installed programs are (RFC 8252 §8.4).
  let secret: String?

  /// Creates a client.
  package init(_ identifier: String, secret: String? = nil) {
    self.identifier = identifier
    self.secret = secret
  }

  /// The identifier, without the secret.
  package var description: String { identifier }

  /// A mirror with only the identifier.
  package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
