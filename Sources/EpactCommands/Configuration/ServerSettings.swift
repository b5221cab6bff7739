// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
import Epact

/// The connection settings and credentials common to all HTTP remotes.
package struct ServerSettings: Sendable, Hashable {
  /// The user name.
  package var username: String?
  /// The source of the password.
  package var password: PasswordSource?
  /// The command that prints an access token: its name or path, then its arguments.
  package var tokenCommand: [String]?
  /// The trusted servers and the client certificate; the paths are absolute.
  package var identity = NetworkIdentity()
  /// The maximum number of connections to the server.
  package var connections = defaultConnections

  /// The default maximum number of connections.
  package static let defaultConnections = 4

  /// Creates settings without credentials.
  package init() {}
}

/// The source of a password.
package enum PasswordSource: Sendable, Hashable {
  /// The standard output of a command: its name or path, then its arguments.
  case command([String])
  /// A file that only its owner can read; an absolute path.
  case file(String)
  /// An environment variable.
  case environment(String)
  /// The name of a credential of a systemd service.
  case systemd(String)
  /// The entry for the host and the user in a netrc file; an absolute path.
  case netrc(String)
  /// A literal password in a configuration that only its owner can read.
  case literal(Secret)
}
