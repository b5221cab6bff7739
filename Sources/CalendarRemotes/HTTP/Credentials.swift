// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Credentials of a user, whose secret never appears in descriptions, dumps or reflection.
public struct Credentials: Hashable, Sendable {
  /// The secret that authenticates the user.
  enum Secret: Hashable, Sendable {
    /// A password for Basic (RFC 7617), or for Digest (RFC 7616) if the server requires it.
    case password(String)
    /// Bearer tokens that expire and are renewed (RFC 6750).
    case tokens(TokenSource)
  }

  /// The user name; empty if a token alone identifies the user.
  public let user: String
  let secret: Secret

  /// Creates credentials from a user name and a password.
  public init(user: String, password: String) {
    self.user = user
    secret = .password(password)
  }

  /// Creates credentials from a token source.
  public init(user: String = "", tokens: TokenSource) {
    self.user = user
    secret = .tokens(tokens)
  }

  /// Whether they can be sent, with no colon in the user name (RFC 7617 §2) and no NUL.
  var areSendable: Bool {
    switch secret {
    case .password(let password):
      !user.contains(":") && !(user + password).utf8.contains(0)
    case .tokens: true
    }
  }

  /// Whether the tokens are those of a sign-in, for one server.
  var areOfSignIn: Bool {
    if case .tokens(let source) = secret { source.audience != nil } else { false }
  }

  /// Whether the secret is a token, which expires.
  var expire: Bool {
    if case .tokens = secret { true } else { false }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user name, with a placeholder for the secret.
  public var description: String { "\(user):(redacted)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A mirror with only the user name.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// A source of access tokens: each is used until a server rejects it, and then renewed once.
///
/// Concurrent requests share one renewal.
public actor TokenSource {
  private let make: @Sendable (_ refused: String?) async throws -> String
  private var current: Task<String, any Error>?
  /// The only server that gets the tokens; nil for that of each request.
  nonisolated let audience: RemoteURL.Origin?

  /// Creates a source.
  ///
  /// - Parameter make: Returns a valid token, for example from a program that manages the login.
  public init(_ make: @escaping @Sendable () async throws -> String) {
    audience = nil
    self.make = { _ in try await make() }
  }

  /// Creates a source of tokens for one server, to which alone they are sent.
  ///
  /// - Parameters:
  ///   - resource: An address on the server.
  ///   - make: Returns a valid token that is not the refused one; nil if none was refused.
  package init(
    for resource: RemoteURL, renewing make: @escaping @Sendable (String?) async throws -> String
  ) {
    audience = resource.origin
    self.make = make
  }

  /// Returns the current token.
  func token() async throws -> String { try await token(afterRefusalOf: nil) }

  private func token(afterRefusalOf refused: String?) async throws -> String {
    if let current { return try await current.value }
    let task = Task { [make] in try await make(refused) }
    current = task
    return try await task.value
  }

  /// Returns a replacement for a rejected token: a token that was renewed since, or a new one.
  func token(replacing refused: String) async throws -> String {
    if let current, try await current.value == refused, self.current == current {
      self.current = nil
    }
    return try await token(afterRefusalOf: refused)
  }
}

extension TokenSource: Hashable {
  /// Whether both are the same object.
  public static func == (left: TokenSource, right: TokenSource) -> Bool { left === right }

  /// Hashes the identity of the object.
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension CurlTransfer.Proof {
  /// Whether it can be sent: a token has no spaces and no line breaks, which would end the header.
  ///
  /// Some servers use more signs than those of RFC 6750 §2.1.
  var isSendable: Bool {
    guard case .token(let token) = self else { return true }
    return !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// Removes a secret from a response, because some servers quote the request that they reject.
struct SecretRedaction {
  /// The maximum size of a searched response, in bytes; a larger one is truncated.
  private static let sizeLimit = 1 << 20
  /// The minimum length in bytes of a secret that is searched for on its own.
  ///
  /// A shorter one is a part of many words, and each placeholder would reveal where it occurs. It is
  /// still searched for together with the user name, as in the header of the request.
  private static let leastLength = 4
  private static let placeholder = Array("[redacted]".utf8)

  /// The encodings of the secret, longest first.
  private let spellings: [[UInt8]]

  init(_ proof: CurlTransfer.Proof) {
    let texts =
      switch proof {
      case .basic(let user, let password), .digest(let user, let password):
        [
          Base64.encode(Array("\(user):\(password)".utf8)),
          password.utf8.count < Self.leastLength ? "" : Base64.encode(Array(password.utf8)),
          password,
        ]
      case .token(let token): [Base64.encode(Array(token.utf8)), token]
      }
    self.init(texts: texts)
  }

  /// Creates a redaction of some texts.
  init(texts: [String]) {
    let all =
      texts + texts.map(PercentEncoding.escapingAll) + texts.map { Self.markup($0, quotes: false) }
      + texts.map { Self.markup($0, quotes: true) }
    let secrets = all.filter { $0.utf8.count >= Self.leastLength }
    spellings = Set(secrets.map { Array($0.utf8) }).sorted {
      $0.count > $1.count
    }
  }

  /// Returns the bytes with every encoding of the secret replaced by a placeholder.
  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    spellings.reduce(Array(bytes.prefix(Self.sizeLimit))) { text, secret in
      text.firstRange(of: secret) == nil ? text : text.replacing(secret, with: Self.placeholder)
    }
  }

  /// The text in XML and HTML, with or without the escapes that only some programs use.
  private static func markup(_ text: String, quotes: Bool) -> String {
    let plain = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    guard quotes else { return plain }
    return plain.replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
      .replacing("'", with: "&apos;")
  }
}

extension RemoteError {
  /// Creates the error for rejected or missing credentials (status 401).
  ///
  /// - Parameters:
  ///   - url: The address that rejects them.
  ///   - credentials: The rejected credentials; nil if none were sent.
  ///   - isSignIn: Whether the server names an authorization server instead (RFC 9728).
  /// - Returns: The error.
  static func unauthorized(
    _ url: RemoteURL, _ credentials: Credentials?, isSignIn: Bool = false
  ) -> RemoteError {
    let message =
      if let credentials, credentials.areOfSignIn {
        "the server does not accept the access token, not even a new one: sign in again"
      } else if isSignIn, credentials?.expire != true {
        "the server requires a sign-in with OAuth, and accepts no password"
      } else if let credentials {
        credentials.expire
          ? "the server does not accept the access token, not even a new one: the login behind it may "
            + "have expired or been revoked; log in again with the program that issues the tokens"
          : "the server does not accept the user name and password" + hint(for: url.host)
      } else {
        "the server requires a user name and a password"
      }
    return RemoteError(code: .credentials, subject: url.description, message: message)
  }

  /// The credentials that the service of a host accepts instead.
  private static func hint(for host: String) -> String {
    guard let service = CalendarService.of(host: host), !service.credentials.isEmpty else {
      return " (some services require an app password)"
    }
    return "; \(service.credentials)"
  }
}
