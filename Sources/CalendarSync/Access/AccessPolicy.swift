// SPDX-License-Identifier: Apache-2.0

/// The rules of an administrator for the remotes and the programs of a machine.
///
/// A policy can only lower the granted access. The first rule that matches applies.
public struct AccessPolicy: Hashable, Sendable {
  /// A restriction for some remotes.
  public struct Rule: Hashable, Sendable {
    /// The kind of the remotes, or nil for every kind.
    public let kind: String?
    /// The host of the remotes, `*.example.org` for all subdomains, or nil for every location.
    public let host: String?
    /// The restriction.
    public let restriction: AccessRestriction

    /// Creates a rule; the comparison of hosts ignores case and the full stop of the root.
    public init(kind: String? = nil, host: String? = nil, restriction: AccessRestriction) {
      self.kind = kind
      self.host = host.map(RemoteIdentity.normalizedHost)
      self.restriction = restriction
    }

    /// Whether the rule matches a remote.
    func covers(_ remote: RemoteIdentity) -> Bool {
      if let kind, kind != remote.kind { return false }
      guard let host else { return true }
      guard let place = remote.host else { return false }
      return host.hasPrefix("*.") ? place.hasSuffix(host.dropFirst()) : place == host
    }
  }

  /// A restriction for some programs that use the local calendars.
  public struct ProgramRule: Hashable, Sendable {
    /// The identifier of the program; a prefix of identifiers if it ends in `*`.
    public let identifier: String
    /// The kind of items, or nil for all kinds.
    public let entity: ProgramEntity?
    /// The restriction.
    public let restriction: AccessRestriction

    /// Creates a rule.
    public init(
      identifier: String, entity: ProgramEntity? = nil, restriction: AccessRestriction
    ) {
      self.identifier = identifier
      self.entity = entity
      self.restriction = restriction
    }

    /// Whether the rule matches a program.
    func covers(_ program: String, _ entity: ProgramEntity) -> Bool {
      if let own = self.entity, own != entity { return false }
      return identifier.hasSuffix("*")
        ? program.utf8.starts(with: identifier.utf8.dropLast())
        : program.utf8.elementsEqual(identifier.utf8)
    }
  }

  /// The rules for remotes; the first that matches a remote applies.
  public let rules: [Rule]
  /// The rules for programs; the first that matches a program and a kind of items applies.
  public let programs: [ProgramRule]

  /// Creates a policy from its rules.
  public init(rules: [Rule], programs: [ProgramRule] = []) {
    self.rules = rules
    self.programs = programs
  }

  /// The restriction on a program, or nil if full access may be granted.
  public func restriction(
    onProgram program: String, for entity: ProgramEntity
  ) -> AccessRestriction? {
    guard let rule = programs.first(where: { $0.covers(program, entity) }) else { return nil }
    return rule.restriction.tier == .full ? nil : rule.restriction
  }

  /// The restriction on a remote, or nil if full access may be granted.
  public func restriction(on remote: RemoteIdentity) -> AccessRestriction? {
    guard let rule = rules.first(where: { $0.covers(remote) }) else { return nil }
    return rule.restriction.tier == .full ? nil : rule.restriction
  }
}

extension Sequence<AccessPolicy> {
  /// The most restrictive decision of several policies about a remote.
  public func restriction(on remote: RemoteIdentity) -> AccessRestriction? {
    compactMap { $0.restriction(on: remote) }.min { $0.tier < $1.tier }
  }

  /// The most restrictive decision of several policies about a program.
  public func restriction(
    onProgram program: String, for entity: ProgramEntity
  ) -> AccessRestriction? {
    compactMap { $0.restriction(onProgram: program, for: entity) }.min { $0.tier < $1.tier }
  }
}

extension RemoteIdentity {
  /// The host of an address in lower case, without user and port; nil if the location is a path.
  public var host: String? {
    guard let scheme = location.firstRange(of: "://") else { return nil }
    let authority = location[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@").last ?? ""
    // The colons of an IPv6 address are between brackets (RFC 3986 §3.2.2).
    let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
    return host.isEmpty ? nil : Self.normalizedHost(String(host))
  }

  /// The host in lower case, without the full stop of the root: `localhost.` is `localhost`.
  fileprivate static func normalizedHost(_ host: String) -> String {
    let name = host.lowercased()
    return name.hasSuffix(".") && name.utf8.count > 1 ? String(name.dropLast()) : name
  }
}

/// An administrator's restriction on a remote or a program: the highest tier that a user may grant.
public struct AccessRestriction: Hashable, Sendable, CustomStringConvertible {
  /// The highest tier that may be granted.
  public let tier: AccessTier
  /// The name of the decision maker, as given in the policy.
  public let decidedBy: String
  /// The location of the rule: a file with a line number.
  public let place: String

  /// Creates a restriction.
  public init(tier: AccessTier, decidedBy: String, place: String) {
    self.tier = tier
    self.decidedBy = decidedBy
    self.place = place
  }

  /// The values, for logs: `write-only (the IT department; /etc/epact/policy.toml:4)`.
  public var description: String { String(code: tier.rawValue, [decidedBy, place]) }
}
