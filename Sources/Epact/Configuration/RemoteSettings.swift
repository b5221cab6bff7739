// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarRemotes

/// The settings of a remote.
public struct RemoteSettings: Sendable, Hashable {
  /// The kind of a remote, with its settings.
  public enum Kind: Sendable, Hashable {
    /// A collection on a CalDAV server (RFC 4791).
    case calDAV(CalDAVSettings)
    /// A calendar at a vendor with an interface of its own.
    case vendor(VendorSettings)
    /// A calendar that is published at a URL, read-only.
    case webcal(WebcalSettings)
    /// A folder with one item per file; an absolute path.
    case folder(path: String)
    /// A file with all items; an absolute path.
    case file(path: String)
    /// A projection of local calendars; see ``MirrorSettings``.
    case mirror(MirrorSettings)
    /// The birthdays of contacts, read-only.
    case birthdays(BirthdaySettings)
  }

  /// The name of the remote.
  public let name: String
  /// The kind and its settings.
  public let kind: Kind

  /// Creates settings.
  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The settings of the server; nil if the remote is not on a server.
  package var server: ServerSettings? {
    switch kind {
    case .calDAV(let dav): dav.server
    case .vendor(let vendor): vendor.server
    case .webcal(let feed): feed.server
    case .folder, .file, .mirror, .birthdays: nil
    }
  }

  /// Whether the remote can only be read, so that a calendar with it is a copy.
  var isReadOnly: Bool {
    switch kind {
    case .webcal, .birthdays: true
    case .calDAV, .vendor, .folder, .file, .mirror: false
    }
  }
}

extension RemoteSettings {
  /// The account of the calendar, if the sync of an account found it.
  package var account: FoundAccount? {
    switch kind {
    case .calDAV(let settings): settings.account
    case .vendor(let settings): settings.account
    case .webcal, .folder, .file, .mirror, .birthdays: nil
    }
  }

  /// Whether the user grants access to the remote; a mirror consists of local calendars.
  package var needsGrant: Bool {
    if case .mirror = kind { false } else { true }
  }

  /// The name under which access is granted: that of the account, if there is one.
  package var grantName: String { account?.name ?? name }
}

extension RemoteSettings.Kind {
  /// A collection on a CalDAV server, with a user name and a password.
  ///
  /// - Parameters:
  ///   - address: The URL of the server or of the collection.
  ///   - collection: The name of the collection, if the URL leads to several.
  ///   - user: The user name.
  ///   - password: The source of the password.
  /// - Returns: The kind with its settings.
  public static func calDAV(
    _ address: RemoteURL, collection: String? = nil, user: String, password: PasswordSource
  ) -> RemoteSettings.Kind {
    var server = ServerSettings()
    server.username = user
    server.password = password
    return .calDAV(CalDAVSettings(address: address, collection: collection, server: server))
  }

  /// A calendar that is published at a URL.
  public static func feed(_ address: RemoteURL) -> RemoteSettings.Kind {
    .webcal(WebcalSettings(address: address, server: ServerSettings()))
  }
}

/// The settings of a CalDAV remote.
public struct CalDAVSettings: Sendable, Hashable {
  /// The URL of the server or of the collection.
  public let address: RemoteURL
  /// The name of the collection, if the URL leads to several.
  public let collection: String?
  /// The connection settings and the credentials.
  public let server: ServerSettings
  /// The handling of meetings on a server that sends invitations.
  public let invitations: InvitationPolicy
  /// The account of the calendar, if the sync of an account found it.
  package var account: FoundAccount?

  /// Creates settings.
  public init(
    address: RemoteURL, collection: String?, server: ServerSettings,
    invitations: InvitationPolicy = .hold
  ) {
    self.address = address
    self.collection = collection
    self.server = server
    self.invitations = invitations
  }
}

/// The account in which a calendar was found: access is granted to it, and not to each calendar.
package struct FoundAccount: Sendable, Hashable {
  /// The name of the account in the configuration.
  package let name: String
  /// The URL of the account.
  package let address: RemoteURL
}

/// The settings of a feed.
public struct WebcalSettings: Sendable, Hashable {
  /// The URL of the feed.
  public let address: RemoteURL
  /// The connection settings and the credentials.
  public let server: ServerSettings

  /// Creates settings.
  public init(address: RemoteURL, server: ServerSettings) {
    self.address = address
    self.server = server
  }
}

/// The settings of the birthdays of contacts.
public struct BirthdaySettings: Sendable, Hashable {
  /// A folder of `.vcf` files, or one `.vcf` file; an absolute path.
  public let path: String
  /// The titles of the events.
  public let titles: ContactEventTitles

  /// Creates settings.
  public init(path: String, titles: ContactEventTitles = ContactEventTitles()) {
    self.path = path
    self.titles = titles
  }
}

/// The connection settings and credentials common to all HTTP remotes.
public struct ServerSettings: Sendable, Hashable {
  /// The user name.
  public var username: String?
  /// The source of the password.
  public var password: PasswordSource?
  /// The command that prints an access token: its name or path, then its arguments.
  public var tokenCommand: [String]?
  /// The sign-in with OAuth 2; nil for other credentials.
  public var signIn: SignInSettings?
  /// The trusted servers and the client certificate; the paths are absolute.
  public var identity = NetworkIdentity()
  /// The maximum number of connections to the server.
  public var connections = defaultConnections

  /// The default maximum number of connections.
  public static let defaultConnections = 8

  /// Creates settings without credentials.
  public init() {}
}

/// The source of a password.
public enum PasswordSource: Sendable, Hashable {
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

extension EpactError {
  /// Creates an error from one of the layers below, of a remote.
  ///
  /// If the server refuses the credentials, the remedy says where they come from.
  init(describing error: any Error, of remote: RemoteSettings?) {
    self.init(describing: error)
    guard (error as? RemoteError)?.code == .credentials, remedy == nil,
      let origin = remote?.credentialOrigin
    else { return }
    self.init(code, message, details: details, subject: subject, remedy: origin)
  }
}

extension RemoteSettings {
  /// The place of the credentials, as a remedy; nil for a remote without credentials.
  fileprivate var credentialOrigin: EpactError.Remedy? {
    guard let server else { return nil }
    if server.signIn != nil { return .signIn(remote: grantName) }
    // The words of a command may be secret.
    if server.tokenCommand != nil {
      return .other("The token is the output of \"token-command\" in the configuration.")
    }
    switch server.password {
    case .command:
      return .other("The password is the output of \"password-command\" in the configuration.")
    case .file(let path): return .other("The password is in \(path).")
    case .environment(let name): return .other("The password is in the variable \(name).")
    case .systemd(let name): return .other("The password is the credential \(name) of the service.")
    case .netrc(let path): return .other("The password is in \(path).")
    case .literal: return .other("The password is in the configuration.")
    case nil: return nil
    }
  }
}

/// A text that is redacted in output, logs and errors.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The text itself, for sending it.
  public let revealed: String

  /// Creates a secret.
  public init(_ text: String) {
    revealed = text
  }

  /// Always `[redacted]`.
  public var description: String { "[redacted]" }

  /// Hides the text from `dump` and from test failures.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
