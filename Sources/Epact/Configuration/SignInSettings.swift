// SPDX-License-Identifier: Apache-2.0

public import CalendarRemotes
package import CalendarSync

/// The settings of a remote to which the user signs in with OAuth 2.
public struct SignInSettings: Sendable, Hashable {
  /// The service that issues the tokens.
  public enum Provider: Sendable, Hashable {
    /// Google.
    case google
    /// Microsoft, for the accounts of a tenant: `common`, `consumers`, `organizations`, a domain or an
    /// identifier.
    case microsoft(tenant: String)
    /// The authorization server that the remote at this address names (RFC 9728).
    case discovered(resource: RemoteURL)
  }

  /// The service that issues the tokens.
  public var provider: Provider
  /// The identifier of the user's own client at the service.
  public var clientID: String
  /// The source of the secret of the client; nil for a public client.
  public var clientSecret: PasswordSource?
  /// The address of another authorization server, such as that of a national cloud or a gateway.
  public var authorizationServer: String?
  /// The place of the tokens.
  public var store = TokenStoreKind.file
  /// The scopes to ask for; nil for the smallest that the access needs.
  public var scopes: [String]?

  /// Creates settings.
  public init(_ provider: Provider, clientID: String) {
    self.provider = provider
    self.clientID = clientID
  }
}

extension SignInSettings {
  /// The use of the tokens, on which the scopes depend.
  package struct Use: Sendable, Hashable {
    /// The granted access.
    package var tier: AccessTier
    /// Whether the remote is only read.
    package var isReading = false
    /// Whether the calendars of a whole account are listed and created.
    package var isAccount = false

    /// Creates a use.
    package init(_ tier: AccessTier, isReading: Bool = false, isAccount: Bool = false) {
      (self.tier, self.isReading, self.isAccount) = (tier, isReading, isAccount)
    }
  }

  /// The service with known endpoints; nil if the remote names its authorization server.
  package var service: AuthorizationServer.Service? {
    switch provider {
    case .google: .google
    case .microsoft(let tenant): .microsoft(tenant: tenant)
    case .discovered(let resource): .init(caldav: resource)
    }
  }

  /// The scopes of a use, the smallest that are sufficient.
  ///
  /// No service has a scope that only adds: under write-only access the program itself sends no
  /// request that reads.
  package func scopes(for use: Use) -> [String] {
    if let scopes { return scopes }
    switch (provider, service) {
    case (.discovered, .google?):
      // Google's CalDAV accepts no smaller scope.
      return [ScopeNames.google + "calendar"]
    case (.discovered, _): return []
    case (.microsoft, _):
      return [use.isReading ? "Calendars.Read" : "Calendars.ReadWrite", "offline_access"]
    case (.google, _): return googleScopes(for: use).map { ScopeNames.google + $0 }
    }
  }

  private func googleScopes(for use: Use) -> [String] {
    if use.isReading {
      return ["calendar.events.readonly"]
        + (use.isAccount ? ["calendar.calendarlist.readonly"] : [])
    }
    guard use.tier == .full else { return ["calendar.events.owned"] }
    return ["calendar.events"]
      + (use.isAccount ? ["calendar.calendarlist", "calendar.calendars"] : [])
  }

  /// The purpose of tokens: the service, the client and the remote's server.
  func binding(to resource: RemoteURL) -> String {
    let service =
      switch provider {
      case .google: "google"
      case .microsoft(let tenant): "microsoft/\(tenant)"
      case .discovered: "discovered"
      }
    let place = authorizationServer.map { " at \($0)" } ?? ""
    return "\(service)\(place) as \(clientID) for \(resource.origin)"
  }
}

extension RemoteSettings {
  /// The settings of the sign-in; nil if the remote has none.
  package var signIn: SignInSettings? { server?.signIn }
}
