// SPDX-License-Identifier: Apache-2.0

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
