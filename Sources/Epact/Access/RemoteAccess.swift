// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime

/// The access to a remote: what the user granted, what an administrator allows, what syncs need.
///
/// ```swift
/// var access = try await RemoteAccess(to: "club", in: configuration, machine: .live())
/// if access.status == .notDetermined { try await access.ask(prompt) }
/// ```
///
/// Grants are stored in the ledger, and never in the configuration.
public struct RemoteAccess: Sendable {
  /// The purpose that is stored with a refusal, which needs no reason from the user.
  package static let purposeOfNone = "Keeps the program away from this remote altogether."

  /// The name of the remote in the configuration.
  public let name: String
  /// The identity to which grants apply.
  public let identity: RemoteIdentity
  /// The administrator's restriction, or nil.
  public let restriction: AccessRestriction?
  /// The stored grant, or nil if the user has not been asked.
  public private(set) var grant: AccessGrant?
  /// The syncs that use the remote.
  package let syncs: [SyncSettings]
  /// Whether all calendars of an account are meant.
  private let isAccount: Bool
  private let ledgerFolder: LedgerFolder
  private let machine: Machine

  /// Looks up the access to a remote of a configuration.
  ///
  /// - Parameters:
  ///   - name: The name of the remote.
  ///   - configuration: The configuration.
  ///   - machine: The machine, usually ``Machine/live()``.
  ///   - isDryRun: Whether changes are checked, but not stored.
  /// - Throws: `EpactError` if the remote is not configured; errors of the ledger and of the
  ///   policies.
  public init(
    to name: String, in configuration: Configuration, machine: Machine, isDryRun: Bool = false
  ) async throws {
    try await self.init(
      to: name, in: configuration,
      ledgerFolder: LedgerFolder(machine: machine.using(configuration), isReadOnly: isDryRun),
      machine: machine.using(configuration))
  }

  init(
    to name: String, in configuration: Configuration, ledgerFolder: LedgerFolder, machine: Machine
  ) async throws {
    guard let settings = configuration.grantee(name) else {
      throw EpactError.unknown(name, what: "remote", known: configuration.grantNames)
    }
    self.name = settings.name
    isAccount = configuration.accounts[settings.name] != nil
    self.ledgerFolder = ledgerFolder
    self.machine = machine
    identity = try Remotes(machine: machine).identity(of: settings)
    restriction = try AccessPolicyFile(machine: machine).load().restriction(on: identity)
    syncs = configuration.syncs(grantedBy: settings.name)
    grant = try await ledgerFolder.openLedger().grant(for: identity)
  }

  /// The current access status.
  public var status: AccessStatus { AccessStatus(grant, under: restriction) }

  /// The lowest tier that all syncs of the remote need, limited by the administrator's restriction.
  public var wanted: AccessTier {
    min(syncs.map(\.access).max() ?? .full, restriction?.tier ?? .full)
  }

  /// The syncs that use write-only access although full access is granted, because their
  /// configuration asks for no more.
  package var limitedSyncs: [String] {
    status == .full ? syncs.filter { $0.access == .writeOnly }.map(\.name) : []
  }

  /// Whether changes are checked, but not stored.
  var isDryRun: Bool { ledgerFolder.isReadOnly }

  // MARK: Deciding

  /// Stores a grant.
  ///
  /// - Parameters:
  ///   - tier: The granted tier.
  ///   - text: The purpose of the access, in a sentence.
  ///   - prompt: Asks the user to confirm a higher tier than before; nil if the user has confirmed.
  /// - Returns: A weakness of the purpose, which is accepted in any case.
  /// - Throws: `AccessError` if the purpose is invalid; `EpactError` if an administrator's restriction
  ///   forbids the tier, or if it is higher than before and the user does not confirm it.
  @discardableResult
  public mutating func store(
    _ tier: AccessTier, purpose text: String, confirming prompt: (any AccessPrompt)? = nil
  ) async throws -> Purpose.Weakness? {
    let purpose = try Purpose(text)
    try expectGrantable(tier)
    if let prompt, let earlier = grant, tier > earlier.tier, !ledgerFolder.isReadOnly {
      try await confirm(raising: earlier, to: tier, purpose: purpose, prompt)
    }
    let answer = AccessGrant(
      remote: identity, tier: tier, purpose: purpose.text, grantedAt: machine.now(),
      grantedBy: machine.userName())
    if !ledgerFolder.isReadOnly { try await ledgerFolder.openLedger().store(answer) }
    grant = answer
    return tier == .none ? nil : purpose.weakness
  }

  /// Expects that no restriction of an administrator forbids to grant a tier.
  func expectGrantable(_ tier: AccessTier) throws(EpactError) {
    guard let restriction, tier > restriction.tier else { return }
    throw EpactError(
      .noAccess, "access to \(name) is \(restriction.words), and cannot be granted", subject: name)
  }

  /// Asks the user for an access tier, the lowest useful one first, and stores the answer.
  ///
  /// - Returns: A weakness of the stored purpose.
  /// - Throws: `EpactError` if no sync uses the remote or the user gives no answer; `AccessError`
  ///   if an administrator's restriction forbids access.
  @discardableResult
  public mutating func ask(_ prompt: any AccessPrompt) async throws -> Purpose.Weakness? {
    guard status != .restricted else {
      _ = try AccessGate.tier(of: grant, under: restriction, wanted: wanted, remote: name)
      return nil
    }
    guard prompt.canAsk, let purpose = purposeOfSyncs else {
      throw EpactError(
        .noAccess, "no access to \"\(name)\" was granted, and there is no terminal to ask on",
        subject: name, remedy: .grant(wanted, remote: name))
    }
    let question = AccessQuestion(
      remote: name, identity: identity, purpose: purpose, tiers: tiersOffered,
      restriction: restriction)
    guard let tier = try await prompt.choose(question) else {
      throw EpactError(.noAccess, "nothing was granted for \"\(name)\"", subject: name)
    }
    return try await store(tier, purpose: purpose)
  }

  /// Revokes the grant, so that the user can be asked again.
  public mutating func revoke() async throws {
    if !ledgerFolder.isReadOnly {
      try await ledgerFolder.openLedger()
        .revoke(identity, at: machine.now(), by: machine.userName())
    }
    grant = nil
  }

  /// Asks for confirmation before the access tier is raised.
  ///
  /// - Throws: `EpactError` if the user does not confirm.
  func confirm(
    raising earlier: AccessGrant, to tier: AccessTier, purpose: Purpose,
    _ prompt: any AccessPrompt
  ) async throws {
    guard prompt.canAsk else {
      throw EpactError(
        .noAccess,
        "the access to \"\(name)\" is \(earlier.tier.rawValue), and there is no terminal to ask on "
          + "whether it is to be \(tier.rawValue)",
        subject: name, remedy: .confirmGrant(tier, remote: name, purpose: purpose.text))
    }
    let question = AccessQuestion(
      remote: name, identity: identity, purpose: purpose.text, tiers: [tier],
      restriction: restriction)
    guard try await prompt.confirm(question, raising: earlier) else {
      throw EpactError(
        .noAccess, "the access to \"\(name)\" stays what it was: \(earlier.tier.rawValue)",
        subject: name)
    }
  }

  /// The tiers to offer: the requested one, then the other useful ones from high to low, then none.
  private var tiersOffered: [AccessTier] {
    let most = restriction?.tier ?? .full
    // Write-only access to a remote that can only be read permits nothing.
    let isReadOnly = identity.isReadOnly
    let useful = AccessTier.allCases.filter { tier in
      tier != .none && tier != wanted && tier <= most && !(isReadOnly && tier == .writeOnly)
    }
    return [wanted] + useful.reversed() + [.none]
  }

  /// The purpose of the configured syncs with the remote, in a sentence; nil if there are none.
  var purposeOfSyncs: String? {
    guard !syncs.isEmpty else { return nil }
    let stated = syncs.compactMap(\.purpose?.text)
    if stated.count == syncs.count { return stated.joined(separator: " ") }
    let calendars = Set(syncs.map(\.calendar)).sorted().map { "\"\($0)\"" }
      .joined(separator: " and ")
    if isAccount {
      return "Keeps the calendars of \(calendars) in step with those of this account."
    }
    return wanted == .full
      ? "Keeps the calendar \(calendars) in step with this remote."
      : "Adds the events of the calendar \(calendars) to this remote."
  }
}

/// Asks the user for access to remotes, on a terminal or in a window.
public protocol AccessPrompt: Sendable {
  /// Whether the user can be asked.
  var canAsk: Bool { get }

  /// Asks which tier the user grants.
  ///
  /// - Returns: One of the question's tiers; nil if the user gave no answer.
  /// - Throws: An error that ends the request, such as `CancellationError`.
  func choose(_ question: AccessQuestion) async throws -> AccessTier?

  /// Asks whether the user confirms a higher tier than before: the question's only one.
  ///
  /// - Throws: An error that ends the request, such as `CancellationError`.
  func confirm(_ question: AccessQuestion, raising earlier: AccessGrant) async throws -> Bool
}

/// A question about the access to a remote.
public struct AccessQuestion: Sendable, Hashable {
  /// The name of the remote in the configuration.
  public let remote: String
  /// The identity of the remote.
  public let identity: RemoteIdentity
  /// The purpose of the access, in a sentence.
  public let purpose: String
  /// The tiers to offer, the most useful first.
  public let tiers: [AccessTier]
  /// The administrator's restriction, or nil.
  public let restriction: AccessRestriction?
}
