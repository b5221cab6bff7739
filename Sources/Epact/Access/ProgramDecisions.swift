// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
package import CalendarSync

/// The displayed decision about a program and a kind of items.
package struct ProgramDecision: Sendable {
  /// The stored grant.
  package let grant: ProgramGrant
  /// The administrator's restriction, or nil.
  package let restriction: AccessRestriction?

  /// The current status.
  package var status: ProgramStatus {
    ProgramStatus(grant, for: grant.entity, under: restriction)
  }
}

/// The decisions of the user about programs: listed, changed and revoked outside of the programs.
package struct ProgramDecisions: Sendable {
  private let machine: Machine
  private let isDryRun: Bool
  private let ledger: ProgramLedger

  /// Takes the decisions of a machine's user; opens nothing.
  ///
  /// - Parameters:
  ///   - machine: The folders and the clock.
  ///   - isDryRun: Whether changes are checked, but not stored.
  package init(machine: Machine, isDryRun: Bool = false) {
    self.machine = machine
    self.isDryRun = isDryRun
    ledger = ProgramLedger(machine: machine)
  }

  /// Whether a name is that of a program, because no remote of a configuration has it.
  ///
  /// - Throws: `EpactError` if neither a remote nor a program has the name; `StoreError`.
  package func include(_ name: String, beside configuration: Configuration) throws -> Bool {
    guard configuration.grantee(name) == nil else { return false }
    let programs = Set(try list().map(\.grant.program)).union(try uses().map(\.program))
    guard programs.contains(name) else {
      throw EpactError.unknown(
        name, what: "remote or program", in: "the configuration or the ledger",
        known: configuration.grantNames + programs.sorted())
    }
    return true
  }

  /// The decisions about one program or all, in order of identifier and kind of items.
  ///
  /// - Throws: `StoreError` of the ledger; `EpactError` or `ConfigurationError` of the policies.
  package func list(
    of identifier: String? = nil, for entity: ProgramEntity? = nil
  ) throws -> [ProgramDecision] {
    let policies = try AccessPolicyFile(machine: machine).load()
    return try grants(to: identifier, for: entity).map { grant in
      ProgramDecision(
        grant: grant,
        restriction: policies.restriction(onProgram: grant.program, for: grant.entity))
    }
  }

  private func grants(
    to identifier: String?, for entity: ProgramEntity? = nil
  ) throws -> [ProgramGrant] {
    try (ledger.read { try $0.programGrants() } ?? []).filter { grant in
      (identifier == nil || grant.program == identifier)
        && (entity == nil || grant.entity == entity)
    }
  }

  /// The logged uses of one program or all.
  ///
  /// - Throws: `StoreError` of the ledger.
  package func uses(by identifier: String? = nil) throws -> [ProgramLogEntry] {
    let entries = try ledger.read { try $0.programLog() } ?? []
    return entries.filter { identifier == nil || $0.program == identifier }
  }

  /// The decisions about one program or all, with the uses under each grant.
  ///
  /// - Throws: `StoreError` of the ledger.
  package func log(of identifier: String? = nil) throws -> DecisionLog<ProgramLogEntry> {
    let decisions = try (ledger.read { try $0.decisions() } ?? []).filter { decision in
      guard case .program(let program, _) = decision.subject else { return false }
      return identifier == nil || program == identifier
    }
    return DecisionLog(decisions, try uses(by: identifier)) { use in
      (.program(use.program, use.entity), use.grantedAt, use.tier)
    }
  }

  /// A grant to store.
  package struct Change: Sendable {
    package let program: String
    package let entity: ProgramEntity
    package let tier: AccessTier
    /// The purpose; nil for that of the earlier decision.
    package var purpose: String?
    /// The name of the calendar for write-only access; nil for that of the earlier decision.
    package var calendar: String?

    /// Creates a change.
    package init(
      _ program: String, for entity: ProgramEntity, to tier: AccessTier, purpose: String?,
      calendar: String?
    ) {
      self.program = program
      self.entity = entity
      self.tier = tier
      self.purpose = purpose
      self.calendar = calendar
    }
  }

  /// Stores a grant, replacing the earlier decision.
  ///
  /// - Parameters:
  ///   - change: The grant.
  ///   - confirm: Asks the user to confirm a higher tier than before; nil if the user has
  ///     confirmed.
  /// - Returns: The decision.
  /// - Throws: `EpactError` for a tier that the kind of items does not have or a restriction forbids, a
  ///   missing purpose or an unsuitable calendar; `AccessError` if the purpose is invalid; errors of
  ///   `confirm`.
  package func store(
    _ change: Change, confirming confirm: ((_ earlier: ProgramGrant, ProgramGrant) throws -> Void)?
  ) throws -> ProgramDecision {
    let (program, entity, tier) = (change.program, change.entity, change.tier)
    guard tier == .none || entity.tiers.contains(tier) else {
      throw EpactError(.argument, "there is no \(tier.rawValue) access to \(entity.rawValue)")
    }
    let restriction = try AccessPolicyFile(machine: machine).load()
      .restriction(onProgram: program, for: entity)
    if let restriction, tier > restriction.tier {
      throw EpactError(
        .noAccess, "the access of \(program) is \(restriction.words), and cannot be granted")
    }
    let known = try grants(to: program)
    let earlier = known.first { $0.entity == entity }
    let grant = ProgramGrant(
      program: program, name: known.first?.name ?? Program.name(of: program), entity: entity,
      tier: tier, purpose: try purpose(of: change, earlier: earlier), grantedAt: machine.now(),
      grantedBy: machine.userName(), calendar: try calendar(of: change, earlier: earlier))
    if let earlier, tier > earlier.tier, !isDryRun { try confirm?(earlier, grant) }
    if !isDryRun { try ledger.openForWriting().write { try $0.store(grant) } }
    return ProgramDecision(grant: grant, restriction: restriction)
  }

  private func purpose(of change: Change, earlier: ProgramGrant?) throws -> String {
    if let text = change.purpose { return try Purpose(text).text }
    if let text = earlier?.purpose, !text.isEmpty { return text }
    guard change.tier == .none else {
      throw EpactError(
        .argument, "\(change.program) has stated no purpose for \(change.entity.rawValue)",
        remedy: .statePurpose)
    }
    return ""
  }

  private func calendar(of change: Change, earlier: ProgramGrant?) throws -> String? {
    guard change.tier == .writeOnly else {
      guard change.calendar == nil else {
        throw EpactError(.argument, "only write-only access is for one calendar")
      }
      return nil
    }
    guard let name = change.calendar else { return earlier?.calendar }
    let names = try ProgramAccess.calendars(of: machine)
    guard names.contains(name) else {
      throw EpactError.unknown(name, what: "calendar for new events", known: names)
    }
    return name
  }

  /// Revokes the decisions about a program, so that the user is asked again.
  ///
  /// - Parameters:
  ///   - identifier: The program.
  ///   - entity: The kind of items; nil for all.
  /// - Returns: The number of revoked decisions.
  /// - Throws: `StoreError` of the ledger.
  package func revoke(_ identifier: String, for entity: ProgramEntity?) throws -> Int {
    let revoked = try grants(to: identifier, for: entity)
    if !isDryRun, !revoked.isEmpty {
      try ledger.openForWriting().write { transaction in
        for grant in revoked {
          try transaction.revoke(
            program: identifier, for: grant.entity, at: machine.now(), by: machine.userName())
        }
      }
    }
    return revoked.count
  }
}
