// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes
import Epact

/// The settings of a remote.
package struct RemoteSettings: Sendable, Hashable {
  /// The kind of a remote, with its settings.
  package enum Kind: Sendable, Hashable {
    /// A collection on a CalDAV server (RFC 4791).
    case calDAV(CalDAVSettings)
    /// A calendar that is published at a URL, read-only.
    case webcal(WebcalSettings)
    /// A folder with one item per file; an absolute path.
    case folder(path: String)
    /// A file with all items; an absolute path.
    case file(path: String)
  }

  /// The name of the remote.
  package let name: String
  /// The kind and its settings.
  package let kind: Kind
}

/// The settings of a CalDAV remote.
package struct CalDAVSettings: Sendable, Hashable {
  /// The URL of the server or of the collection.
  package let address: RemoteURL
  /// The name of the collection, if the URL leads to several.
  package let collection: String?
  /// The connection settings and the credentials.
  package let server: ServerSettings
  /// The handling of meetings on a server that sends invitations.
  package let invitations: InvitationPolicy

  /// Creates settings.
  package init(
    address: RemoteURL, collection: String?, server: ServerSettings,
    invitations: InvitationPolicy = .hold
  ) {
    self.address = address
    self.collection = collection
    self.server = server
    self.invitations = invitations
  }
}

/// The settings of a feed.
package struct WebcalSettings: Sendable, Hashable {
  /// The URL of the feed.
  package let address: RemoteURL
  /// The connection settings and the credentials.
  package let server: ServerSettings

  /// Creates settings.
  package init(address: RemoteURL, server: ServerSettings) {
    self.address = address
    self.server = server
  }
}
