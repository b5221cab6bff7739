// SPDX-License-Identifier: Apache-2.0

/// A user name and a password, which no description, dump or reflection shows.
public struct Credentials: Hashable, Sendable {
  /// The user name.
  public let user: String
  let password: String

  /// Creates credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Whether they can be sent: a user name with a colon cannot (RFC 7617 §2), nor can a NUL.
  var areSendable: Bool {
    !user.contains(":") && !(user + password).utf8.contains(0)
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The user name, and a placeholder for the password.
  public var description: String { "\(user):(redacted)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A mirror with the user name only.
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
