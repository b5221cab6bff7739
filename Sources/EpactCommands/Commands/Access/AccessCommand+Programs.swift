// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import EpactConsole

/// The access of programs to the local calendars.
extension AccessCommand {
  /// Whether a name is that of a program: with `--for`, or if only programs have it.
  ///
  /// - Throws: `EpactError` if neither a remote nor a program has the name.
  func isProgram(
    _ name: String, _ configuration: Configuration, _ context: Context
  ) throws -> Bool {
    guard entity == nil else { return true }
    guard configuration.remotes[name] == nil else { return false }
    let decisions = ProgramDecisions(machine: context.machine)
    let programs = Set(try decisions.list().map(\.grant.program))
      .union(try decisions.uses().map(\.program))
    guard programs.contains(name) else {
      throw EpactError.unknown(
        name, what: "remote or program", in: "the configuration or the ledger",
        known: configuration.remotes.keys.sorted() + programs.sorted())
    }
    return true
  }

  /// Changes the access of a program, and shows it.
  func runForProgram(_ program: String, in context: Context) async throws {
    let decisions = ProgramDecisions(machine: context.machine, isDryRun: isDryRun)
    if log {
      let uses = try decisions.uses(by: program)
      guard !json else {
        return context.console.write(
          ["requests": .array([]), "uses": .array(uses.map(\.json))])
      }
      for line in ProgramLogEntry.lines(uses) { context.console.say(line) }
      if uses.isEmpty { context.console.note("Nothing was used so far.") }
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
      confirming: yes ? nil : { try ConsoleAccessPrompt(console).confirm(raising: $0, to: $1) })
    if tier != .none, let purpose, let weakness = try Purpose(purpose).weakness {
      console.note(weakness.advice)
    }
    return decision
  }
}
