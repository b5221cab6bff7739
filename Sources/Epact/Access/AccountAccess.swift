// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
public import CalendarSync

/// The access to all remotes of an account: those on one server with one user name.
///
/// ```swift
/// var access = try await AccountAccess(of: "home", in: configuration, machine: .live())
/// try await access.store(.full, purpose: "Keeps my calendars in step.", confirming: prompt)
/// ```
///
/// The user is asked once for all remotes. Each remote keeps a grant of its own, which can be changed
/// later.
public struct AccountAccess: Sendable {
  /// The access to each remote, in order of name.
  public private(set) var members: [RemoteAccess]
  private let account: RemoteIdentity

  /// Looks up the access to the remotes that have the server and the user name of a remote.
  ///
  /// - Parameters:
  ///   - name: The name of one of the remotes, or of an account.
  ///   - configuration: The configuration.
  ///   - machine: The machine, usually ``Machine/live()``.
  ///   - isDryRun: Whether changes are checked, but not stored.
  /// - Throws: `EpactError` if the remote is not configured or is not on a server; errors of the
  ///   ledger and of the policies.
  public init(
    of name: String, in configuration: Configuration, machine: Machine, isDryRun: Bool = false
  ) async throws {
    guard let settings = configuration.grantee(name) else {
      throw EpactError.unknown(name, what: "remote", known: configuration.grantNames)
    }
    guard let account = settings.userAccount else {
      throw EpactError(
        .argument, "\"\(name)\" is not a calendar on a server, and belongs to no account",
        subject: name)
    }
    members = []
    self.account = account
    for other in configuration.grantNames
    where configuration.grantee(other)?.userAccount == account {
      members.append(
        try await RemoteAccess(
          to: other, in: configuration, machine: machine, isDryRun: isDryRun))
    }
  }

  /// Takes the remotes of an account.
  init(_ members: [RemoteAccess], of account: RemoteIdentity) {
    (self.members, self.account) = (members, account)
  }

  /// Stores a grant for each remote.
  ///
  /// All remotes are checked before the first grant is stored.
  ///
  /// - Parameters:
  ///   - tier: The granted tier.
  ///   - text: The purpose of the access, in a sentence.
  ///   - prompt: Asks the user once to confirm a higher tier than before; nil if the user has
  ///     confirmed.
  /// - Returns: A weakness of the purpose, which is accepted in any case.
  /// - Throws: `AccessError` if the purpose is invalid; `EpactError` if an administrator's restriction
  ///   forbids the tier, or if it is higher than before and the user does not confirm it.
  @discardableResult
  public mutating func store(
    _ tier: AccessTier, purpose text: String, confirming prompt: (any AccessPrompt)? = nil
  ) async throws -> Purpose.Weakness? {
    let purpose = try Purpose(text)
    for member in members { try member.expectGrantable(tier) }
    let raised = members.filter { $0.grant.map { tier > $0.tier } ?? false }
    if let prompt, let earlier = raised.first?.grant, !raised.allSatisfy(\.isDryRun) {
      try await confirm(raising: earlier, to: tier, raised.map(\.name), purpose, prompt)
    }
    for index in members.indices { try await members[index].store(tier, purpose: purpose.text) }
    return tier == .none ? nil : purpose.weakness
  }

  private func confirm(
    raising earlier: AccessGrant, to tier: AccessTier, _ names: [String], _ purpose: Purpose,
    _ prompt: any AccessPrompt
  ) async throws {
    let list = Self.list(names)
    guard prompt.canAsk else {
      throw EpactError(
        .noAccess,
        "the access to \(list) is lower than \(tier.rawValue), and there is no terminal to ask on",
        subject: names.first, remedy: .grantWithoutQuestion)
    }
    let question = AccessQuestion(
      remote: list, identity: account, purpose: purpose.text, tiers: [tier], restriction: nil)
    guard try await prompt.confirm(question, raising: earlier) else {
      throw EpactError(
        .noAccess, "the access to \(list) stays what it was", subject: names.first)
    }
  }

  /// Asks the user once for the remotes without a decision, and stores the answer for each.
  ///
  /// A remote gets no higher tier than its syncs need.
  ///
  /// - Throws: `EpactError` if the user gives no answer.
  public mutating func ask(_ prompt: any AccessPrompt) async throws {
    let open = members.indices.filter {
      members[$0].status == .notDetermined && members[$0].purposeOfSyncs != nil
    }
    guard let wanted = open.map({ members[$0].wanted }).max() else { return }
    let names = open.map { members[$0].name }
    guard prompt.canAsk else {
      throw EpactError(
        .noAccess,
        "no access to \(Self.list(names)) was granted, and there is no terminal to ask on",
        subject: names.first, remedy: names.first.map { .grant(wanted, remote: $0) })
    }
    var purposes: [String] = []
    for index in open {
      guard let purpose = members[index].purposeOfSyncs, !purposes.contains(purpose) else {
        continue
      }
      purposes.append(purpose)
    }
    let lower = AccessTier.allCases.filter { $0 < wanted }.reversed()
    let question = AccessQuestion(
      remote: Self.list(names), identity: account, purpose: purposes.joined(separator: " "),
      tiers: [wanted] + lower, restriction: nil)
    guard let tier = try await prompt.choose(question) else {
      throw EpactError(
        .noAccess, "nothing was granted for \(Self.list(names))", subject: names.first)
    }
    for index in open {
      try await members[index].store(
        min(tier, members[index].wanted),
        purpose: members[index].purposeOfSyncs ?? RemoteAccess.purposeOfNone)
    }
  }

  /// Revokes the grants, so that the user can be asked again.
  public mutating func revoke() async throws {
    for index in members.indices { try await members[index].revoke() }
  }

  /// Names in a sentence: `"a", "b" and "c"`.
  private static func list(_ names: [String]) -> String {
    let quoted = names.map { "\"\($0)\"" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return "\(quoted.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension RemoteSettings {
  /// The account on a server, which calendars of one user share; nil for other kinds of remotes.
  var userAccount: RemoteIdentity? {
    guard case .calDAV(let settings) = kind else { return nil }
    return RemoteIdentity(
      kind: "account", location: "\(settings.address.origin)",
      user: settings.server.username ?? "")
  }
}
