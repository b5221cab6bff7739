// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact access`: shows and changes the access to each remote, and that of each program.
struct AccessCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Show and change the access to remotes, and of programs.",
    discussion: """
      A remote has one of three tiers. none: it is never contacted. write-only: events are added, \
      and nothing is read. full: everything is read and changed. Without options, and on a \
      terminal, the user is asked once about a remote without a decision, and again before the \
      tier is raised. The answer is stored in the ledger, never in the configuration. An \
      administrator's policy, /etc/epact/policy.toml, can limit the tiers. With --account, all remotes \
      with the same server and user name are meant, and one question is asked.

      Programs that use the local calendars have the same tiers, for events and for reminders. \
      They ask themselves, once; this command shows and changes the answers. Reminders have no \
      write-only tier.
      """)

  @Argument(
    help: ArgumentHelp(
      "Show or change only this remote, or the program with this identifier.", valueName: "name"),
    completion: .remoteNames)
  var remote: String?

  @Option(
    help: ArgumentHelp("Grant this tier: none, write-only or full.", valueName: "tier"),
    transform: word("none, write-only or full"))
  var grant: AccessTier?

  @Option(
    help: ArgumentHelp(
      "State what the access is for, and why, in a sentence.", valueName: "text"))
  var purpose: String?

  @Flag(help: "Show or change all remotes with the server and the user name of this one.")
  var account = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Take the name as that of a program, and change its access to events or reminders.",
      valueName: "kind"),
    transform: word("events or reminders"))
  var entity: ProgramEntity?

  @Option(
    help: ArgumentHelp(
      "Add the program's events to this calendar (write-only).", valueName: "calendar"),
    completion: .calendars)
  var calendar: String?

  @Flag(
    help: "Raise an earlier grant without asking for confirmation.")
  var yes = false

  @Flag(help: "Revoke the grant, so that the user is asked again.")
  var revoke = false

  @Flag(help: "List grants and revocations, and the requests by kind, except in dry runs.")
  var log = false

  @Flag(name: .customLong("dry-run"), help: "Print the planned changes, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard remote != nil || (grant == nil && !revoke) else {
      throw ValidationError("--grant and --revoke need the name of a remote or a program")
    }
    guard !account || (remote != nil && entity == nil && !log) else {
      throw ValidationError("--account needs the name of a remote, and no --for and no --log")
    }
    guard remote != nil || entity == nil else {
      throw ValidationError("--for needs the identifier of a program")
    }
    guard calendar == nil || (entity != nil && grant == .writeOnly) else {
      throw ValidationError("--calendar belongs to --grant write-only with --for events")
    }
    guard grant == nil || !revoke else {
      throw ValidationError("--grant and --revoke exclude each other")
    }
    guard !log || (grant == nil && !revoke) else {
      throw ValidationError("--log only lists; it goes with no --grant and no --revoke")
    }
    guard !yes || grant != nil else { throw ValidationError("--yes belongs to --grant") }
    guard purpose == nil || grant != nil else {
      throw ValidationError("--purpose belongs to --grant")
    }
    guard grant == nil || grant == AccessTier.none || purpose != nil || entity != nil else {
      throw ValidationError(
        "--grant needs --purpose TEXT, which states what the access is for, and why")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let prompt = yes ? nil : context.console
    let change: AccessRun.Change =
      grant.map { .grant($0, purpose: purpose, confirming: prompt) }
      ?? (revoke ? .revocation : .none)
    var run = AccessRun(
      change, in: configuration, machine: context.machine, context.console, isDryRun: isDryRun)
    run.asJSON = json
    if account, let remote {
      try await run.run(forAccountOf: remote)
    } else if let remote, try entity != nil || run.programs.include(remote, beside: configuration) {
      if log {
        try run.showLog(ofProgram: remote)
      } else {
        try run.run(forProgram: remote, entity, calendar: calendar)
      }
    } else if log {
      try await run.showLog(ofRemote: remote)
    } else if let remote {
      try await run.run(forRemote: remote)
    } else if try await !run.list(), !json {
      context.noteMissing("remote")
    }
    return .done
  }
}
