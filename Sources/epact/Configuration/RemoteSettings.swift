// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes

/// A remote of the configuration.
package struct RemoteSettings: Sendable, Hashable {
  /// What kind of remote it is, with what that kind needs.
  package enum Kind: Sendable, Hashable {
    /// A collection on a CalDAV server (RFC 4791).
    case calDAV(CalDAVSettings)
    /// A calendar that is published at an address, and can only be read.
    case webcal(WebcalSettings)
    /// A folder with one item a file; an absolute path.
    case folder(path: String)
    /// A file that holds all items; an absolute path.
    case file(path: String)
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
  /// How the server is reached, and who asks.
  package let server: ServerSettings
  /// What becomes of meetings on a server that mails people about them.
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

/// What is needed to read a feed.
package struct WebcalSettings: Sendable, Hashable {
  /// The address of the feed.
  package let address: RemoteURL
  /// How the server is reached, and who asks.
  package let server: ServerSettings

  /// Creates settings.
  package init(address: RemoteURL, server: ServerSettings) {
    self.address = address
    self.server = server
  }
}
