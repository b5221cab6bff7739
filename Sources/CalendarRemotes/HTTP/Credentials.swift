// SPDX-License-Identifier: Apache-2.0

/// Who asks, and how that is proved; no description, dump or reflection shows the proof.
public struct Credentials: Hashable, Sendable {
  /// What proves who asks.
  enum Secret: Hashable, Sendable {
    /// A password, as Basic (RFC 7617) or, where only that is wanted, as Digest (RFC 7616).
    case password(String)
    /// Tokens that are used up and made anew (RFC 6750).
    case tokens(TokenSource)
  }

  /// The user name; empty where a token alone tells who asks.
  public let user: String
  let secret: Secret

  /// Creates credentials of a user name and a password.
  public init(user: String, password: String) {
    self.user = user
    secret = .password(password)
  }

  /// Creates credentials of tokens.
  public init(user: String = "", tokens: TokenSource) {
    self.user = user
    secret = .tokens(tokens)
  }

  /// Whether they can be sent: a user name with a colon cannot (RFC 7617 §2), nor can a NUL.
  var areSendable: Bool {
    switch secret {
    case .password(let password):
      !user.contains(":") && !(user + password).utf8.contains(0)
    case .tokens: true
    }
  }

  /// Whether a token proves who asks, which expires.
  var expire: Bool {
    if case .tokens = secret { true } else { false }
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user name, and a placeholder for the proof.
  public var description: String { "\(user):(redacted)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A mirror with the user name only.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
