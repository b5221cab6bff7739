// SPDX-License-Identifier: Apache-2.0

/// What an administrator decided about all remotes of a machine.
///
/// A policy only ever lowers what a person granted. The first rule that is about a remote decides.
public struct AccessPolicy: Hashable, Sendable {
  /// A decision about some remotes.
  public struct Rule: Hashable, Sendable {
    /// The kind of the remotes, or nil for every kind.
    public let kind: String?
    /// The host of the remotes, `*.example.org` for all below one, or nil for every place.
    public let host: String?
    /// What was decided.
    public let restriction: AccessRestriction

    /// Creates a rule; a host is compared without regard to case.
    public init(kind: String? = nil, host: String? = nil, restriction: AccessRestriction) {
      self.kind = kind
      self.host = host?.lowercased()
      self.restriction = restriction
    }

    /// Whether the rule is about a remote.
    func covers(_ remote: RemoteIdentity) -> Bool {
      if let kind, kind != remote.kind { return false }
      guard let host else { return true }
      guard let place = remote.host else { return false }
      return host.hasPrefix("*.") ? place.hasSuffix(host.dropFirst()) : place == host
    }
  }

  /// The rules; the first that is about a remote decides.
  public let rules: [Rule]

  /// Creates a policy of its rules.
  public init(rules: [Rule]) {
    self.rules = rules
  }

  /// What was decided about a remote, or nil if it may be granted everything.
  public func restriction(on remote: RemoteIdentity) -> AccessRestriction? {
    guard let rule = rules.first(where: { $0.covers(remote) }) else { return nil }
    return rule.restriction.tier == .full ? nil : rule.restriction
  }
}

extension Sequence<AccessPolicy> {
  /// What several policies together decide about a remote: the one that allows least.
  public func restriction(on remote: RemoteIdentity) -> AccessRestriction? {
    compactMap { $0.restriction(on: remote) }.min { $0.tier < $1.tier }
  }
}

extension RemoteIdentity {
  /// The host of an address in lower case, without user and port; nil where the location is a path.
  public var host: String? {
    guard let scheme = location.firstRange(of: "://") else { return nil }
    let authority = location[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@").last ?? ""
    // The colons of an IPv6 address are between brackets (RFC 3986 §3.2.2).
    let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
    return host.isEmpty ? nil : host.lowercased()
  }
}
