// SPDX-License-Identifier: Apache-2.0

/// The part of a remote's configuration that identifies it: its kind, location and user.
///
/// State and grants are bound to it. If any part changes, the remote counts as another one.
public struct RemoteIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the remote as the configuration names it: `caldav`, `folder`.
  public let kind: String
  /// The address or path, without credentials and in canonical form.
  public let location: String
  /// The user name, or the empty string.
  public let user: String

  /// Creates an identity from its parts.
  public init(kind: String, location: String, user: String = "") {
    self.kind = kind
    self.location = location
    self.user = user
  }

  /// The identity on one line, such as `caldav alice@https://dav.example.org/cal/`.
  public var description: String {
    user.isEmpty ? "\(kind) \(location)" : "\(kind) \(user)@\(location)"
  }
}
