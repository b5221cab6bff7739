// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
package import CalendarSync

/// The person's configuration: local calendars, remotes, and which of them are kept in step.
///
/// It never holds a grant: an edit of it cannot raise what the program may do.
package struct Configuration: Sendable, Hashable {
  /// The local calendars, by name.
  package var calendars: [String: CalendarSettings] = [:]
  /// The remotes, by name.
  package var remotes: [String: RemoteSettings] = [:]
  /// The syncs, in the order of the file.
  package var syncs: [SyncSettings] = []

  /// Creates an empty configuration.
  package init() {}

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - text: The TOML document.
  ///   - path: The path of the file, for messages.
  ///   - paths: How the paths in the file are made absolute.
  ///   - isPrivate: Whether only its owner can read the file, so that it may hold a password.
  /// - Throws: Everything that is wrong with it, at once.
  package init(
    parsing text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) {
    self = try ConfigurationReader.read(text, path: path, paths: paths, isPrivate: isPrivate)
  }
}

/// A local calendar of the configuration.
package struct CalendarSettings: Sendable, Hashable {
  /// The name of the calendar.
  package let name: String
  /// An absolute path: a folder, or a file that ends in `.ics`.
  package let path: String
}

/// A remote of the configuration.
package struct RemoteSettings: Sendable, Hashable {
  /// What kind of remote it is, with what that kind needs.
  package enum Kind: Sendable, Hashable {
    /// A collection on a CalDAV server (RFC 4791).
    case calDAV(CalDAVSettings)
    /// A folder with one item a file; an absolute path.
    case folder(path: String)
  }

  /// The name of the remote.
  package let name: String
  /// What kind of remote it is.
  package let kind: Kind
}

/// What is needed to reach a collection on a CalDAV server.
package struct CalDAVSettings: Sendable, Hashable {
  /// The address of the server or of the collection.
  package let address: RemoteURL
  /// The name of the collection, where the address leads to several.
  package let collection: String?
  /// The user name.
  package let username: String?
  /// Where the password comes from.
  package let password: PasswordSource?
  /// A file with the certificates that are trusted instead of the system's; an absolute path.
  package let caFile: String?

  /// Creates settings.
  package init(
    address: RemoteURL, collection: String?, username: String?, password: PasswordSource?,
    caFile: String?
  ) {
    self.address = address
    self.collection = collection
    self.username = username
    self.password = password
    self.caFile = caFile
  }
}

/// Where a password comes from.
package enum PasswordSource: Sendable, Hashable {
  /// What a program prints on standard output: its name or path, then its arguments.
  case command([String])
  /// What is in a file that only its owner can read; an absolute path.
  case file(String)
  /// A password that stands in a configuration that only its owner can read.
  case literal(Secret)
}

/// A text that never shows itself in output, logs or errors.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The text itself, for the one place that sends it.
  package let revealed: String

  /// Creates a secret.
  package init(_ text: String) {
    revealed = text
  }

  /// Always `[redacted]`.
  package var description: String { "[redacted]" }

  /// Keeps the text out of `dump` and of test failures.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A sync of the configuration: a local calendar and a remote that are kept in step.
package struct SyncSettings: Sendable, Hashable {
  /// The name of the sync.
  package let name: String
  /// The name of the local calendar.
  package let calendar: String
  /// The name of the remote.
  package let remote: String
  /// How many deletions on one side are always let through, unless they empty it; nil for the
  /// default.
  package let maxDelete: Int?
  /// What is done with what both sides edited.
  package let policies: MergePolicies

  /// Creates settings.
  package init(
    name: String, calendar: String, remote: String, maxDelete: Int?,
    policies: MergePolicies = MergePolicies()
  ) {
    self.name = name
    self.calendar = calendar
    self.remote = remote
    self.maxDelete = maxDelete
    self.policies = policies
  }
}
