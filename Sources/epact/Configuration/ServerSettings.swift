// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes

/// How a server is reached and who asks: what all remotes over HTTP have in common.
package struct ServerSettings: Sendable, Hashable {
  /// The user name.
  package var username: String?
  /// Where the password comes from.
  package var password: PasswordSource?
  /// The program that prints an access token, its name or path and then its arguments.
  package var tokenCommand: [String]?
  /// Which servers are trusted, and which certificate is shown to them; the paths are absolute.
  package var identity = NetworkIdentity()
  /// How many connections to the server are open at most.
  package var connections = defaultConnections

  /// How many connections there are where nothing is said about it.
  package static let defaultConnections = 4

  /// Creates the settings of a server that asks nobody.
  package init() {}
}

/// Where a password comes from.
package enum PasswordSource: Sendable, Hashable {
  /// What a program prints on standard output: its name or path, then its arguments.
  case command([String])
  /// What is in a file that only its owner can read; an absolute path.
  case file(String)
  /// What a variable of the environment holds.
  case environment(String)
  /// A credential that systemd hands to its service, by its name.
  case systemd(String)
  /// The entry for the host and the user name in a file in the form of netrc; an absolute path.
  case netrc(String)
  /// A password that stands in a configuration that only its owner can read.
  case literal(Secret)
}
