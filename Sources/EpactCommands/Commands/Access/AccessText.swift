// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// The access to a remote as text.
extension RemoteAccess {
  /// The access state on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(name), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, color)  \(identity)"
    if let grant {
      line =
        line
        + ": \(grant.purpose) \("(", .dim)\(local: grant.grantedAt, .dim)\(" by \(grant.grantedBy))", .dim)"
    }
    if let restriction { line = line + "; \(restriction.words)" }
    guard !limitedSyncs.isEmpty else { return line }
    return line
      + "; write-only in \(limitedSyncs.joined(separator: ", ")), whose configuration asks for no more"
  }

  private var color: ConsoleText.Style? { status.color }
}

extension AccessStatus {
  fileprivate var color: ConsoleText.Style? {
    switch self {
    case .full, .writeOnly: .green
    case .denied, .restricted: .yellow
    case .notDetermined: nil
    }
  }
}

extension ProgramDecision {
  /// The access of a program to a kind of items on one line.
  func line(nameWidth: Int = 0) -> ConsoleText {
    let title = DisplayWidth.padded(SafeText.escaped(grant.program), to: nameWidth)
    var line: ConsoleText = "\(title, .bold)  \(status.rawValue, status.color)  \(grant.name), "
    line = line + "\(grant.entity.rawValue)"
    if let calendar = grant.calendar { line = line + " into \(calendar)" }
    if !grant.purpose.isEmpty { line = line + ": \(grant.purpose)" }
    line = line + " \("(", .dim)\(local: grant.grantedAt, .dim)\(" by \(grant.grantedBy))", .dim)"
    guard let restriction else { return line }
    return line + "; \(restriction.words)"
  }
}

extension Purpose.Weakness {
  /// Advice on how to improve the wording of a purpose.
  var advice: ConsoleText {
    switch self {
    case .long: "The purpose is long; one sentence is read sooner."
    case .placeholder, .general:
      "A purpose is most useful if it says what is done and why, as: Adds the start of classes you "
        + "book to your calendar."
    }
  }
}

/// The access of programs to the local calendars.
extension AccessCommand {
  /// Whether a name is that of a program: with `--for`, or if only programs have it.
  ///
  /// - Throws: `EpactError` if neither a remote nor a program has the name.
  func isProgram(
    _ name: String, _ configuration: Configuration, _ context: Context
  ) throws -> Bool {
    guard entity == nil else { return true }
    guard configuration.grantee(name) == nil else { return false }
    let decisions = ProgramDecisions(machine: context.machine)
    let programs = Set(try decisions.list().map(\.grant.program))
      .union(try decisions.uses().map(\.program))
    guard programs.contains(name) else {
      throw EpactError.unknown(
        name, what: "remote or program", in: "the configuration or the ledger",
        known: configuration.grantNames + programs.sorted())
    }
    return true
  }

  /// Changes the access of a program, and shows it.
  func runForProgram(_ program: String, in context: Context) async throws {
    let decisions = ProgramDecisions(machine: context.machine, isDryRun: isDryRun)
    if log {
      let uses = try decisions.log(of: program)
      guard !json else {
        return context.console.write(
          [
            "decisions": .array(uses.decisionsJSON), "requests": .array([]),
            "uses": .array(uses.usesJSON),
          ])
      }
      for line in uses.lines { context.console.say(line) }
      if uses.sections.isEmpty { context.console.note("Nothing was granted or used so far.") }
      return
    }
    var shown: [ProgramDecision]
    if let grant {
      shown = [try store(grant, for: program, decisions, context)]
    } else {
      if revoke { _ = try decisions.revoke(program, for: entity) }
      let isRevoked = revoke && isDryRun
      shown = try decisions.list(of: program).filter { decision in
        let isMeant = entity == nil || decision.grant.entity == entity
        return isMeant && !isRevoked
      }
    }
    if json {
      context.console.write(["programs": .array(shown.map(\.json))])
    } else {
      for decision in shown { context.console.say(decision.line()) }
      if shown.isEmpty { context.console.say("\(program, .bold)  not-determined") }
    }
  }

  private func store(
    _ tier: AccessTier, for program: String, _ decisions: ProgramDecisions, _ context: Context
  ) throws -> ProgramDecision {
    guard let entity else {
      throw EpactError(
        .argument, "a grant to a program needs --for events or --for reminders", subject: program)
    }
    let change = ProgramDecisions.Change(
      program, for: entity, to: tier, purpose: purpose, calendar: calendar)
    let console = context.console
    let decision = try decisions.store(
      change,
      confirming: yes ? nil : { try console.confirm(raising: $0, to: $1) })
    if tier != .none, let purpose, let weakness = try Purpose(purpose).weakness {
      console.note(weakness.advice)
    }
    return decision
  }
}
