// SPDX-License-Identifier: Apache-2.0

public import CalendarRemotes
public import CalendarSync

/// The settings of a calendar, or of all calendars of an account, at a vendor that has an interface of
/// its own.
public struct VendorSettings: Sendable, Hashable {
  /// The vendor.
  public enum Vendor: String, Sendable, Hashable, CaseIterable {
    /// Google Calendar.
    case google
    /// Outlook, Microsoft 365 and Exchange Online, through Microsoft Graph.
    case graph

    /// The address of the interface.
    var address: String {
      switch self {
      case .google: GoogleRemote.address
      case .graph: GraphRemote.address
      }
    }

    /// The parts of an item that the vendor holds.
    public var holding: HoldingTable {
      switch self {
      case .google: GoogleRemote.holding
      case .graph: GraphRemote.holding
      }
    }
  }

  /// The vendor.
  public let vendor: Vendor
  /// The address of the interface.
  public let address: RemoteURL
  /// The id of the calendar, or nil for all calendars of an account.
  ///
  /// `primary` is the default calendar of the user.
  public let calendar: String?
  /// The connection settings and the credentials.
  public let server: ServerSettings
  /// Whether the vendor mails the attendees of what is written.
  public let invitations: InvitationPolicy
  /// The account of the calendar, if the sync of an account found it.
  package var account: FoundAccount?

  /// Creates settings.
  public init(
    _ vendor: Vendor, address: RemoteURL, calendar: String? = "primary", server: ServerSettings,
    invitations: InvitationPolicy = .hold
  ) {
    self.vendor = vendor
    self.address = address
    self.calendar = calendar
    self.server = server
    self.invitations = invitations
  }
}

extension ConfigurationReader {
  /// The keys of a remote at a vendor.
  static let vendorKeys = ["calendar"] + vendorAccountKeys
  /// The keys of an account at a vendor.
  static let vendorAccountKeys =
    ["kind", "url", "invitations", "tenant"] + serverKeys + clientKeys

  /// The settings of a calendar or an account at a vendor, to which the user signs in.
  ///
  /// A `token-command` replaces the sign-in, for people who have another program for it.
  mutating func vendor(
    _ vendor: VendorSettings.Vendor, from table: Table, isAccount: Bool = false
  ) -> VendorSettings? {
    var server = server(in: table)
    if table.members["token-command"] == nil {
      server.signIn = signIn(provider(of: vendor, in: table), in: table)
    } else {
      for key in Self.clientKeys where table.members[key] != nil {
        complain(
          table.path + [key], "\(table.title) has a \"token-command\", and needs no \"\(key)\"")
      }
    }
    let address: RemoteURL?
    do throws(RemoteError) {
      address = try RemoteURL(parsing: string("url", in: table) ?? vendor.address)
    } catch {
      complain(table.path + ["url"], "\"url\" cannot be used: \(error.message)")
      address = nil
    }
    let calendar = isAccount ? nil : string("calendar", in: table) ?? "primary"
    let invitations = invitations(in: table)
    return address.map {
      VendorSettings(
        vendor, address: $0, calendar: calendar, server: server, invitations: invitations)
    }
  }

  private mutating func provider(
    of vendor: VendorSettings.Vendor, in table: Table
  ) -> SignInSettings.Provider {
    let tenant = string("tenant", in: table)
    switch vendor {
    case .google:
      if tenant != nil {
        complain(table.path + ["tenant"], "\"tenant\" belongs to kind = \"graph\"")
      }
      return .google
    case .graph: return .microsoft(tenant: tenant ?? "common")
    }
  }
}

extension Remotes {
  /// The remote of a calendar at a vendor.
  func vendor(
    _ settings: VendorSettings, _ credentials: Credentials, _ transport: any HTTPTransport
  ) -> any Remote {
    let zones = VendorZones(
      resolver: machine.zoneResolver, floating: machine.localZone ?? "UTC")
    let calendar = settings.calendar ?? "primary"
    let connection = VendorConnection(
      transport, invitations: settings.invitations, isForAccount: settings.account != nil)
    switch settings.vendor {
    case .google:
      return GoogleRemote(
        address: settings.address, calendar: calendar, credentials: credentials, zones: zones,
        connection)
    case .graph:
      return GraphRemote(
        address: settings.address, calendar: calendar, credentials: credentials, zones: zones,
        connection)
    }
  }

  /// The identity of all calendars of an account at a vendor.
  func accountIdentity(_ settings: VendorSettings) -> RemoteIdentity {
    RemoteIdentity(
      kind: settings.vendor.rawValue, location: "\(settings.address.asCollection)",
      user: settings.server.username ?? "")
  }

  /// All calendars of an account at a vendor.
  func vendorAccount(
    _ settings: VendorSettings, _ credentials: Credentials, _ transport: any HTTPTransport
  ) -> any RemoteAccount {
    switch settings.vendor {
    case .google:
      VendorAccount.google(
        address: settings.address, credentials: credentials, transport: transport)
    case .graph:
      VendorAccount.graph(
        address: settings.address, credentials: credentials, transport: transport)
    }
  }
}
