// SPDX-License-Identifier: Apache-2.0

/// An error of a sign-in or of the renewal of a token.
///
/// Neither the message nor the subject contains a code, a token, a verifier or a secret: quotations
/// of the server's answer have them removed.
package struct AuthorizationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  package enum Code: Hashable, Sendable {
    /// The refresh token or the code is not valid any more (`invalid_grant`, RFC 6749 §5.2).
    case invalidGrant
    /// The user refused (`access_denied`).
    case denied
    /// An administrator has to allow the program.
    case consent
    /// The server does not accept the client.
    case client
    /// The server does not accept the scopes.
    case scope
    /// The server is overloaded or out of order.
    case temporary
    /// The answer belongs to another sign-in.
    case otherState
    /// The answer is of another authorization server (RFC 9207 §2.4).
    case otherIssuer
    /// The time for the sign-in is over.
    case expired
    /// The user has not entered the code yet (RFC 8628 §3.5).
    case pending
    /// The user has not entered the code yet, and the requests are too frequent (RFC 8628 §3.5).
    case slowDown
    /// The server lacks something that the sign-in needs.
    case unsupported
    /// The response violates the protocol.
    case malformed
    /// The server rejects the request for another reason.
    case refused
  }

  /// The kind of error.
  package let code: Code
  /// The authorization server.
  package let subject: String
  /// The message in lower case, without a full stop.
  package let message: String

  init(_ code: Code, _ subject: String, _ message: String) {
    (self.code, self.subject, self.message) = (code, subject, message)
  }

  /// The error for a browser that did not return from a sign-in in time.
  package static func noAnswer(from request: AuthorizationRequest) -> AuthorizationError {
    AuthorizationError(
      .expired, request.server.name, "no browser returned from the sign-in in time")
  }

  /// The subject and the message.
  package var description: String { "\(subject): \(message)" }
}

extension AuthorizationError {
  /// An error of a server's answer (RFC 6749 §4.1.2.1, §5.2; RFC 8628 §3.5).
  struct Reply: Hashable, Sendable {
    /// The error code, such as `invalid_grant`.
    let error: String
    /// The server's explanation; nil if there is none.
    var description: String?
    /// A more precise code, which only Microsoft sends.
    var detail: String?
  }

  /// The numbers in Microsoft's explanations of a consent that only administrators can give.
  private static let administrators = ["AADSTS90094", "AADSTS90095", "AADSTS90008"]
  /// The number in Microsoft's explanation of a missing consent.
  private static let consent = "AADSTS65001"

  /// Creates the error for a server's answer, from which the secrets of the request are removed.
  init(_ reply: Reply, from subject: String, hiding secrets: [String]) {
    let redaction = SecretRedaction(texts: secrets)
    func shown(_ text: String) -> String {
      let bytes = redaction.redacted(Array(text.utf8))
      return ServerText.escaped(ServerText.collapsed(String(decoding: bytes, as: UTF8.self)))
    }
    let words = reply.description.map { ": \(shown($0))" } ?? ""
    let text = reply.description ?? ""
    if Self.administrators.contains(where: text.contains) {
      self.init(
        .consent, subject,
        "an administrator of the organization has to allow this program first\(words)")
      return
    }
    let isConsent = text.contains(Self.consent) || reply.detail == "consent_required"
    switch reply.error {
    case _ where isConsent, "consent_required":
      self.init(.consent, subject, "the user or an administrator has to allow the access\(words)")
    case "invalid_grant", "interaction_required", "login_required":
      self.init(.invalidGrant, subject, "the sign-in is not valid any more\(words)")
    case "access_denied", "authorization_declined":
      self.init(.denied, subject, "the access was refused\(words)")
    case "invalid_client", "unauthorized_client":
      self.init(.client, subject, "the server does not accept the client-id\(words)")
    case "invalid_scope":
      self.init(.scope, subject, "the server does not know the scopes\(words)")
    case "temporarily_unavailable", "server_error":
      self.init(.temporary, subject, "the server asks to retry later\(words)")
    case "authorization_pending", "slow_down":
      self.init(
        reply.error == "slow_down" ? .slowDown : .pending, subject,
        "the code was not entered yet\(words)")
    case "expired_token", "code_expired":
      self.init(.expired, subject, "the code was not entered in time\(words)")
    default:
      self.init(
        .refused, subject, "the server refuses the sign-in (\(shown(reply.error)))\(words)")
    }
  }
}
