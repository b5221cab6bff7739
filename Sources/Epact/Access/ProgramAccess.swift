// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
public import CalendarSync

/// The access of a program to the local calendars: what the user decided, and what was used.
///
/// ```swift
/// let machine = Machine.live()
/// let access = ProgramAccess(of: .current(machine: machine), machine: machine)
/// if try await access.request(.writeOnly, for: .events, prompt: programPrompt) {
///   access.note(.addItem, for: .events)
/// }
/// ```
///
/// The user is asked once for each program and kind of items, over all processes. The answers are
/// stored in the ledger, beside the grants for remotes.
///
/// The tiers are cooperative: a program that runs as the user can read the files without them.
public struct ProgramAccess: Sendable {
  /// The program.
  public let program: Program
  private let machine: Machine
  private let ledger: ProgramLedger
  private let log: ProgramLog

  /// Takes a program; opens and creates nothing.
  public init(of program: Program, machine: Machine) {
    self.program = program
    self.machine = machine
    ledger = ProgramLedger(machine: machine)
    log = ProgramLog(ledger: ledger, machine: machine)
  }

  // MARK: Status

  /// The current status, which is read anew each time.
  ///
  /// - Throws: `StoreError` of the ledger; `EpactError` or `ConfigurationError` of the policies.
  public func status(for entity: ProgramEntity) throws -> ProgramStatus {
    ProgramStatus(
      try grant(for: entity), for: entity, under: try restriction(for: entity))
  }

  /// The stored grant; nil if the user has not decided.
  ///
  /// - Throws: `StoreError` of the ledger.
  public func grant(for entity: ProgramEntity) throws -> ProgramGrant? {
    try ledger.read { try $0.grant(toProgram: program.identifier, for: entity) } ?? nil
  }

  /// The administrator's restriction, or nil.
  ///
  /// - Throws: `EpactError` or `ConfigurationError` of the policies.
  public func restriction(for entity: ProgramEntity) throws -> AccessRestriction? {
    try AccessPolicyFile(machine: machine).load()
      .restriction(onProgram: program.identifier, for: entity)
  }

  // MARK: Requests

  /// Requests a tier, and asks the user unless the answer is known.
  ///
  /// It blocks the thread while another process asks the user. Nothing is asked if the
  /// user denied access before, if an administrator forbids the tier, if the program states no
  /// purpose for it, or if the user cannot be asked. The reason of the last three is reported to
  /// ``Machine/note``. A refusal to raise write-only access keeps that access.
  ///
  /// - Parameters:
  ///   - tier: The tier; write-only access is for events only.
  ///   - entity: The kind of items.
  ///   - prompt: Asks the user.
  /// - Returns: Whether the program has at least this tier.
  /// - Throws: `EpactError` for a tier that the kind of items does not have; errors of the prompt,
  ///   of the ledger, of the configuration and of the policies.
  public func request(
    _ tier: AccessTier, for entity: ProgramEntity, prompt: any ProgramPrompt
  ) async throws -> Bool {
    guard entity.tiers.contains(tier) else {
      throw EpactError(
        .argument, "there is no \(tier.rawValue) access to \(entity.rawValue) to request")
    }
    if let known = try decision(about: tier, for: entity) { return known }
    guard let purpose = program.purpose(of: tier, for: entity) else {
      note(
        refusing: tier, for: entity,
        "its Info.plist has no \(Program.purposeKey(of: tier, for: entity))")
      return false
    }
    guard prompt.canAsk else {
      note(refusing: tier, for: entity, "there is no display and no terminal to ask on")
      return false
    }
    let lock = try StoreLock.wait(
      machine.stateFolder + "/question", for: "question", since: machine.timeOfDay())
    var isGranted = try decision(about: tier, for: entity)
    if isGranted == nil {
      isGranted = try await ask(for: tier, for: entity, purpose: purpose, prompt)
    }
    extendLifetime(lock)
    return isGranted ?? false
  }

  /// The answer to a request that needs no question; nil if the user has to be asked.
  private func decision(about tier: AccessTier, for entity: ProgramEntity) throws -> Bool? {
    if let restriction = try restriction(for: entity), tier > restriction.tier {
      note(refusing: tier, for: entity, "it is \(restriction.words)")
      return false
    }
    guard let grant = try grant(for: entity) else { return nil }
    if grant.tier >= tier { return true }
    return grant.tier == .none || grant.refusesMore ? false : nil
  }

  private func ask(
    for tier: AccessTier, for entity: ProgramEntity, purpose: String, _ prompt: any ProgramPrompt
  ) async throws -> Bool {
    let earlier = try grant(for: entity)
    let calendars = tier == .writeOnly ? try Self.calendars(of: machine) : []
    // An unusable ledger is an error before the question, so that no answer is lost.
    let database = try ledger.openForWriting()
    let question = ProgramQuestion(
      about: program, tier: tier, entity: entity, purpose: purpose, calendars: calendars,
      status: earlier == nil ? .notDetermined : .writeOnly)
    return try record(try await prompt.ask(question), to: question, for: entity, in: database)
  }

  /// Stores the answer to a question; true if it grants the tier.
  private func record(
    _ given: ProgramAnswer?, to question: ProgramQuestion, for entity: ProgramEntity,
    in database: LedgerDatabase
  ) throws -> Bool {
    switch given {
    case nil: return false
    case .denied?:
      if var kept = try grant(for: entity) {
        kept.refusesMore = true
        try database.write { [kept] in try $0.store(kept) }
      } else {
        try database.write { try $0.store(answer(.none, for: entity, question.purpose)) }
      }
      return false
    case .granted(let calendar)?:
      let place = calendar.flatMap { question.calendars.contains($0) ? $0 : nil }
      try database.write {
        try $0.store(answer(question.tier, for: entity, question.purpose, calendar: place))
      }
      return true
    }
  }

  private func answer(
    _ tier: AccessTier, for entity: ProgramEntity, _ purpose: String, calendar: String? = nil
  ) -> ProgramGrant {
    ProgramGrant(
      program: program.identifier, name: program.name, entity: entity, tier: tier,
      purpose: purpose, grantedAt: machine.now(), grantedBy: machine.userName(),
      calendar: calendar)
  }

  private func note(refusing tier: AccessTier, for entity: ProgramEntity, _ reason: String) {
    machine.note(
      "\(program.identifier) gets no \(tier.rawValue) access to \(entity.rawValue): \(reason)")
  }

  /// The names of the calendars that can take events, the default one first.
  static func calendars(of machine: Machine) throws -> [String] {
    let library = CalendarLibrary(machine: machine)
    let first = try library.defaultCalendar(for: .event)?.name
    let names = try library.calendars().filter { !$0.isReadOnly && $0.kinds.contains(.event) }
      .map(\.name)
    return names.filter { $0 == first } + names.filter { $0 != first }
  }

  // MARK: Log

  /// Records that the program uses its access.
  ///
  /// The first use of a class is stored at once, further ones after some seconds, when the process
  /// exits, and by ``flushLog()``. A log that cannot be written is reported to ``Machine/note``
  /// once, and written later if possible. Without a grant nothing is recorded.
  ///
  /// - Parameters:
  ///   - use: The class of the use.
  ///   - entity: The kind of items.
  ///   - count: The number of uses.
  public func note(_ use: ProgramUse, for entity: ProgramEntity, count: Int = 1) {
    guard count > 0, let grant = try? grant(for: entity),
      let status = try? status(for: entity), let tier = status.tier
    else { return }
    log.note(
      ProgramLogEntry(use, under: grant, tier: tier, count: count, at: machine.now()))
  }

  /// Stores the recorded uses now.
  public func flushLog() { log.flush() }
}

extension ProgramStatus {
  /// The tier that is in force; nil if nothing is allowed.
  fileprivate var tier: AccessTier? {
    switch self {
    case .writeOnly: .writeOnly
    case .full: .full
    case .notDetermined, .restricted, .denied: nil
    }
  }
}
