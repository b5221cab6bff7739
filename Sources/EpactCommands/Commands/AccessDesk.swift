// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact

/// Requests, grants and revokes access to one remote.
struct AccessDesk: Sendable {
  /// The stored purpose of a refusal, which needs no reason from the user.
  static let purposeOfNone = "Keeps the program away from this remote altogether."

  let name: String
  let identity: RemoteIdentity
  /// The administrator's restriction, or nil.
  let restriction: AccessRestriction?
  let isDryRun: Bool
  let context: Context
  private let state: State
  /// The syncs that use the remote.
  let syncs: [SyncSettings]
  /// The stored grant, or nil if the user has not been asked.
  private(set) var grant: AccessGrant?

  /// Looks up the grant of a remote.
  ///
  /// - Throws: `Failure` if the remote is not configured.
  init(
    remote name: String, configuration: Configuration, isDryRun: Bool, _ context: Context
  ) async throws {
    guard let settings = configuration.remotes[name] else {
      let near = Suggestion.nearest(to: name, among: configuration.remotes.keys.sorted())
      throw Failure(
        .configuration,
        near.map { "there is no remote \"\(name)\" in the configuration; did you mean \"\($0)\"?" }
          ?? "there is no remote \"\(name)\" in the configuration")
    }
    self.name = name
    self.isDryRun = isDryRun
    self.context = context
    identity = try Remotes(machine: context.machine, log: context.log).identity(of: settings)
    restriction = try AccessPolicyFile(machine: context.machine).load().restriction(on: identity)
    syncs = configuration.syncs.filter { $0.remote == name }
    state = State(machine: context.machine, isReadOnly: isDryRun)
    grant = try await state.openLedger().grant(for: identity)
  }

  /// The current access status.
  var status: AccessStatus { AccessStatus(grant, under: restriction) }

  /// The lowest tier that all syncs of the remote need, limited by the administrator's restriction.
  var wanted: AccessTier {
    min(syncs.map(\.access).max() ?? .full, restriction?.tier ?? .full)
  }

  /// Stores a grant.
  ///
  /// - Parameters:
  ///   - tier: The granted tier.
  ///   - text: The purpose of the access.
  ///   - isConfirmed: Whether the user has already confirmed a higher tier than before.
  /// - Throws: `AccessError` if the purpose is not valid or an administrator's restriction forbids
  ///   the tier; `Failure` if the tier is higher than before and the user does not confirm it.
  mutating func store(
    _ tier: AccessTier, purpose text: String, isConfirmed: Bool = false
  ) async throws {
    let purpose = try Purpose(text)
    if let restriction, tier > restriction.tier {
      throw AccessError(
        code: .restricted, message: "access to \(name) is \(restriction), and cannot be granted")
    }
    if let earlier = grant, tier > earlier.tier, !isConfirmed, !isDryRun {
      try confirm(raising: earlier, to: tier, purpose: purpose)
    }
    let answer = AccessGrant(
      remote: identity, tier: tier, purpose: purpose.text, grantedAt: context.machine.now(),
      grantedBy: context.machine.userName())
    if !isDryRun { try await state.openLedger().store(answer) }
    grant = answer
    if let weakness = purpose.weakness, tier != .none {
      context.console.note(Self.advice(weakness))
    }
  }

  /// Advice on how to improve the wording of a purpose; the purpose is accepted in any case.
  private static func advice(_ weakness: Purpose.Weakness) -> ConsoleText {
    switch weakness {
    case .long: "The purpose is long; one sentence is read sooner."
    case .placeholder, .general:
      "A purpose is most useful if it says what is done and why, as: Adds the start of classes you book to your calendar."
    }
  }

  /// Revokes the grant.
  mutating func revoke() async throws {
    if !isDryRun { try await state.openLedger().revoke(identity) }
    grant = nil
  }
}
