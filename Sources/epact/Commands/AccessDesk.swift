// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime

/// Where the access to one remote is asked for, granted and taken back.
struct AccessDesk: Sendable {
  /// The purpose of a refusal, which needs no reasons.
  static let purposeOfNone = "Keeps the program away from this remote altogether."

  let name: String
  let identity: RemoteIdentity
  /// What an administrator decided, or nil.
  let restriction: AccessRestriction?
  let isDryRun: Bool
  let context: Context
  private let state: State
  /// The syncs that use the remote.
  let syncs: [SyncSettings]
  /// The stored answer, or nil while nobody was asked.
  private(set) var grant: AccessGrant?

  /// Looks up the answer for a remote.
  ///
  /// - Throws: `Failure` if the configuration has no such remote.
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
    identity = try RemoteFactory(machine: context.machine, log: context.log).identity(of: settings)
    restriction = try AccessPolicyFile(machine: context.machine).load().restriction(on: identity)
    syncs = configuration.syncs.filter { $0.remote == name }
    state = State(machine: context.machine, isReadOnly: isDryRun)
    grant = try await state.openLedger().grant(for: identity)
  }

  /// Where the question stands.
  var status: AccessStatus { AccessStatus(grant, under: restriction) }

  /// The lowest tier that does the job of all syncs with the remote, as far as it may be granted.
  var wanted: AccessTier {
    min(syncs.map(\.access).max() ?? .full, restriction?.tier ?? .full)
  }

  /// Stores an answer.
  ///
  /// - Parameters:
  ///   - tier: What is granted.
  ///   - text: What it is for.
  ///   - isConfirmed: Whether it was said that more than before is meant to be allowed.
  /// - Throws: `AccessError` if the purpose does not say what is done, and why, or if it is more than
  ///   an administrator allows; `Failure` if it is more than before, and nobody confirms it.
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

  /// What would make a purpose say more to those who read it; it is taken all the same.
  private static func advice(_ weakness: Purpose.Weakness) -> ConsoleText {
    switch weakness {
    case .long: "The purpose is long; one sentence is read sooner."
    case .placeholder, .general:
      "A purpose is most useful if it says what is done and why, as: Adds the start of classes you book to your calendar."
    }
  }

  /// Takes the answer back.
  mutating func revoke() async throws {
    if !isDryRun { try await state.openLedger().revoke(identity) }
    grant = nil
  }
}
