// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
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
    let programs = ProgramDecisions(machine: context.machine, isDryRun: isDryRun)
    if account, let remote {
      try await runForAccount(of: remote, configuration, in: context)
    } else if let remote, try entity != nil || programs.include(remote, beside: configuration) {
      try runForProgram(remote, programs, in: context)
    } else if log {
      let requests = try await LoggedRequests(
        to: remote, in: configuration, machine: context.machine)
      for (name, error) in requests.unreadable { context.console.warn("\(name): \(error)") }
      let uses = remote == nil ? try programs.log() : nil
      show(LoggedAccess(requests, uses), "Nothing was granted or requested so far.", in: context)
    } else if let remote {
      try await runForRemote(remote, configuration, in: context)
    } else {
      try await list(configuration, programs, in: context)
    }
    return .done
  }

  private func runForRemote(
    _ remote: String, _ configuration: Configuration, in context: Context
  ) async throws {
    var access = try await RemoteAccess(
      to: remote, in: configuration, machine: context.machine, isDryRun: isDryRun)
    let console = context.console
    var weakness: Purpose.Weakness?
    if revoke {
      try await access.revoke()
    } else if let grant {
      weakness = try await access.store(
        grant, purpose: purpose ?? RemoteAccess.purposeOfNone, confirming: yes ? nil : console)
    } else if access.grant == nil, !json {
      weakness = try await access.ask(console)
    }
    if let weakness { console.note(weakness.advice) }
    if json { console.write(access.json) } else { console.say(access.line()) }
  }

  /// Changes and shows the access to all remotes of an account.
  private func runForAccount(
    of remote: String, _ configuration: Configuration, in context: Context
  ) async throws {
    let console = context.console
    var access = try await AccountAccess(
      of: remote, in: configuration, machine: context.machine, isDryRun: isDryRun)
    if revoke {
      try await access.revoke()
    } else if let grant {
      let weakness = try await access.store(
        grant, purpose: purpose ?? RemoteAccess.purposeOfNone, confirming: yes ? nil : console)
      if let weakness { console.note(weakness.advice) }
    } else if !json {
      try await access.ask(console)
    }
    if json { return console.write(["remotes": .array(access.members.map(\.json))]) }
    let width = access.members.map { DisplayWidth.of(SafeText.escaped($0.name)) }.max() ?? 0
    console.say(access.members.map { $0.line(nameWidth: width) })
  }

  /// Changes the access of a program, and shows it.
  private func runForProgram(
    _ program: String, _ programs: ProgramDecisions, in context: Context
  ) throws {
    guard !log else {
      let uses = LoggedAccess(nil, try programs.log(of: program))
      return show(uses, "Nothing was granted or used so far.", in: context)
    }
    var shown: [ProgramDecision]
    if let grant {
      shown = [try store(grant, for: program, programs, context)]
    } else {
      if revoke { _ = try programs.revoke(program, for: entity) }
      shown = try programs.list(of: program, for: entity)
      if revoke, isDryRun { shown = [] }
    }
    guard !json else {
      return context.console.write(["programs": .array(shown.map(\.json))])
    }
    context.console.say(shown.map { $0.line() })
    if shown.isEmpty { context.console.say("\(program, .bold)  not-determined") }
  }

  private func store(
    _ tier: AccessTier, for program: String, _ programs: ProgramDecisions, _ context: Context
  ) throws -> ProgramDecision {
    guard let entity else {
      throw EpactError(
        .argument, "a grant to a program needs --for events or --for reminders", subject: program)
    }
    let change = ProgramDecisions.Change(
      program, for: entity, to: tier, purpose: purpose, calendar: calendar)
    let console = context.console
    let decision = try programs.store(
      change, confirming: yes ? nil : { try console.confirm(raising: $0, to: $1) })
    if tier != .none, let purpose, let weakness = try Purpose(purpose).weakness {
      context.console.note(weakness.advice)
    }
    return decision
  }

  private func list(
    _ configuration: Configuration, _ programs: ProgramDecisions, in context: Context
  ) async throws {
    let names = configuration.grantNames
    let decisions = try programs.list()
    let width =
      (names + decisions.map { SafeText.escaped($0.grant.program) })
      .map(DisplayWidth.of).max() ?? 0
    var objects: [JSONValue] = []
    for name in names {
      do {
        let access = try await RemoteAccess(
          to: name, in: configuration, machine: context.machine, isDryRun: true)
        objects.append(access.json)
        if !json { context.console.say(access.line(nameWidth: width)) }
      } catch let error as StoreError {
        context.console.warn("\(name): \(error)")
      }
    }
    guard !json else {
      return context.console.write(
        ["remotes": .array(objects), "programs": .array(decisions.map(\.json))])
    }
    context.console.say(decisions.map { $0.line(nameWidth: width) })
    if names.isEmpty, decisions.isEmpty { context.noteMissing("remote") }
  }

  private func show(_ log: LoggedAccess, _ nothing: ConsoleText, in context: Context) {
    guard !json else { return context.console.write(log.json) }
    context.console.say(log.lines)
    if log.lines.isEmpty { context.console.note(nothing) }
  }
}
