// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A request for authorization: the address that the user opens, and the secrets to check its answer
/// by (RFC 6749 §4.1.1).
///
/// The verifier proves that the program which redeems the code is the one that asked for it (RFC
/// 7636). The state proves that an answer belongs to this request.
package struct AuthorizationRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The server that is asked.
  let server: AuthorizationServer
  /// The registration of the program.
  let client: AuthorizationClient
  /// The scopes, the smallest that are sufficient.
  let scopes: [String]
  /// The resource for which the tokens are (RFC 8707); nil if the scopes say so.
  let resource: RemoteURL?
  /// The address to which the browser returns.
  package let redirect: String
  let state: String
  let verifier: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - purpose: The server, the client and the scopes.
  ///   - redirect: The address to which the browser returns.
  ///   - makeSecret: Creates 32 random bytes.
  package init(
    _ purpose: AuthorizationPurpose, redirect: String, makeSecret: () -> [UInt8]
  ) {
    (server, client) = (purpose.server, purpose.client)
    (scopes, resource) = (purpose.scopes, purpose.resource)
    self.redirect = redirect
    state = Self.text(of: makeSecret())
    verifier = Self.text(of: makeSecret())
  }

  /// The address for the browser.
  package var address: RemoteURL {
    var parameters: [AuthorizationServer.Parameter] = [
      .init("response_type", "code"), .init("client_id", client.identifier),
      .init("redirect_uri", redirect), .init("state", state),
      .init("code_challenge", Self.challenge(of: verifier)), .init("code_challenge_method", "S256"),
    ]
    if !scopes.isEmpty { parameters.append(.init("scope", scopes.joined(separator: " "))) }
    if let resource { parameters.append(.init("resource", resource.description)) }
    return server.authorizationEndpoint.adding(parameters + server.parameters)
  }

  /// Reads the code from the query of the address to which the browser returned.
  ///
  /// - Returns: The code.
  /// - Throws: `AuthorizationError` with the code `otherState` for the answer to another request, with
  ///   `otherIssuer` for that of another server (RFC 9207), or the error that the server reports.
  package func code(inQuery query: String) throws(AuthorizationError) -> AuthorizationCode {
    let parameters = FormText.decoded(query)
    func value(_ name: String) throws(AuthorizationError) -> String? {
      let found = parameters.filter { $0.name == name }
      guard found.count < 2 else {
        throw AuthorizationError(
          .malformed, server.name, "the answer has two values of \"\(name)\"")
      }
      return found.first?.value
    }
    guard let answer = try value("state"), Self.isSame(answer, state) else {
      throw AuthorizationError(
        .otherState, server.name, "the answer belongs to another sign-in")
    }
    try checkIssuer(try value("iss"))
    if let error = try value("error") {
      let reply = AuthorizationError.Reply(
        error: error, description: try value("error_description"))
      throw AuthorizationError(reply, from: server.name, hiding: [verifier, state])
    }
    guard let code = try value("code"), !code.isEmpty else {
      throw AuthorizationError(.malformed, server.name, "the answer has no code")
    }
    return AuthorizationCode(text: code)
  }

  /// Reads the code from the address to which the browser returned, as a user pastes it.
  ///
  /// - Throws: `AuthorizationError` as `code(inQuery:)`; with `malformed` for another text.
  package func code(inAddress text: String) throws(AuthorizationError) -> AuthorizationCode {
    guard let query = URIReference(text).query else {
      throw AuthorizationError(
        .malformed, server.name,
        "expected the whole address at which the browser ended, with the part behind the ?")
    }
    return try code(inQuery: query)
  }

  private func checkIssuer(_ stated: String?) throws(AuthorizationError) {
    guard let issuer = server.issuer else { return }
    guard let stated else {
      guard server.statesIssuer else { return }
      throw AuthorizationError(
        .otherIssuer, server.name, "the answer does not name its issuer (RFC 9207)")
    }
    // A comparison without any normalization (RFC 9207 §2.4, RFC 3986 §6.2.1).
    guard stated.utf8.elementsEqual(issuer.utf8) else {
      throw AuthorizationError(
        .otherIssuer, server.name,
        "the answer is of another server, \(ServerText.escaped(stated)) (RFC 9207)")
    }
  }

  /// The description without the secrets.
  package var description: String { "\(server.name) for \(client.identifier)" }

  /// A mirror without the secrets.
  package var customMirror: Mirror { Mirror(self, children: ["server": server.name]) }

  // MARK: Secrets

  /// The challenge of a verifier by the method S256 (RFC 7636 §4.2).
  package static func challenge(of verifier: String) -> String {
    text(of: SHA256.digest(of: Array(verifier.utf8)).bytes)
  }

  /// The bytes in Base64 for addresses, without padding (RFC 7636 Appendix A).
  static func text(of bytes: [UInt8]) -> String {
    Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Whether two texts are equal; the time depends on their length only.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The server, the client and the scopes of a sign-in.
package struct AuthorizationPurpose: Hashable, Sendable {
  /// The authorization server.
  package var server: AuthorizationServer
  /// The registration of the program.
  package var client: AuthorizationClient
  /// The scopes, the smallest that are sufficient.
  package var scopes: [String]
  /// The resource for which the tokens are (RFC 8707); nil if the scopes say so.
  package var resource: RemoteURL?

  /// Creates a purpose.
  package init(
    server: AuthorizationServer, client: AuthorizationClient, scopes: [String],
    resource: RemoteURL? = nil
  ) {
    (self.server, self.client) = (server, client)
    (self.scopes, self.resource) = (scopes, resource)
  }
}

/// A code that can be redeemed once for tokens, by the program that asked for it.
package struct AuthorizationCode: Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  /// Always `[redacted]`.
  package var description: String { "[redacted]" }

  /// A mirror without the code.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
