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
    transform: { text in
      guard let tier = AccessTier(rawValue: text) else {
        throw ValidationError("expected none, write-only or full")
      }
      return tier
    })
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
    transform: { text in
      guard let entity = ProgramEntity(rawValue: text) else {
        throw ValidationError("expected events or reminders")
      }
      return entity
    })
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
    if account, let remote {
      try await runForAccount(of: remote, configuration, in: context)
      return .done
    }
    if let remote, try isProgram(remote, configuration, context) {
      try await runForProgram(remote, in: context)
      return .done
    }
    if log {
      try await listRequests(configuration, in: context)
      return .done
    }
    guard let remote else {
      try await list(configuration, in: context)
      return .done
    }
    var access = try await access(to: remote, configuration, context)
    let prompt = context.console
    var weakness: Purpose.Weakness?
    if revoke {
      try await access.revoke()
    } else if let grant {
      weakness = try await access.store(
        grant, purpose: purpose ?? RemoteAccess.purposeOfNone, confirming: yes ? nil : prompt)
    } else if access.grant == nil, !json {
      weakness = try await access.ask(prompt)
    }
    if let weakness { context.console.note(weakness.advice) }
    if json {
      context.console.write(access.json)
    } else {
      context.console.say(access.line())
    }
    return .done
  }

  /// Changes the access to all remotes of an account, and shows it.
  private func runForAccount(
    of remote: String, _ configuration: Configuration, in context: Context
  ) async throws {
    let console = context.console
    let prompt = console
    var access = try await AccountAccess(
      of: remote, in: configuration, machine: context.machine, isDryRun: isDryRun)
    if revoke {
      try await access.revoke()
    } else if let grant {
      let weakness = try await access.store(
        grant, purpose: purpose ?? RemoteAccess.purposeOfNone, confirming: yes ? nil : prompt)
      if let weakness { console.note(weakness.advice) }
    } else if !json {
      try await access.ask(prompt)
    }
    if json { return console.write(["remotes": .array(access.members.map(\.json))]) }
    let width = access.members.map { DisplayWidth.of(SafeText.escaped($0.name)) }.max() ?? 0
    for member in access.members { console.say(member.line(nameWidth: width)) }
  }

  private func access(
    to remote: String, _ configuration: Configuration, _ context: Context
  ) async throws -> RemoteAccess {
    let isWriting = !isDryRun && self.remote != nil
    return try await RemoteAccess(
      to: remote, in: configuration, machine: context.machine, isDryRun: !isWriting)
  }

  private func list(_ configuration: Configuration, in context: Context) async throws {
    let names = configuration.grantNames
    let programs = try ProgramDecisions(machine: context.machine).list()
    let width =
      (names + programs.map { SafeText.escaped($0.grant.program) })
      .map(DisplayWidth.of).max() ?? 0
    var objects: [JSONValue] = []
    for name in names {
      let access: RemoteAccess
      do {
        access = try await self.access(to: name, configuration, context)
      } catch let error as StoreError {
        context.console.warn("\(name): \(error)")
        continue
      }
      objects.append(access.json)
      if !json { context.console.say(access.line(nameWidth: width)) }
    }
    if json {
      context.console.write(
        ["remotes": .array(objects), "programs": .array(programs.map(\.json))])
    } else {
      for program in programs { context.console.say(program.line(nameWidth: width)) }
    }
    if names.isEmpty, programs.isEmpty, !json {
      context.console.note(
        "There is no remote in the configuration. To add one: \(SuggestedCommand.initialize)")
    }
  }

  private func listRequests(_ configuration: Configuration, in context: Context) async throws {
    let requests = try await LoggedRequests(
      to: remote, in: configuration, machine: context.machine)
    for (name, error) in requests.unreadable { context.console.warn("\(name): \(error)") }
    let uses = remote == nil ? try ProgramDecisions(machine: context.machine).log() : nil
    guard !json else {
      return context.console.write(
        [
          "decisions": .array(requests.decisionsJSON + (uses?.decisionsJSON ?? [])),
          "requests": .array(requests.json), "uses": .array(uses?.usesJSON ?? []),
        ])
    }
    let lines = requests.lines + (uses?.lines ?? [])
    for line in lines { context.console.say(line) }
    if lines.isEmpty { context.console.note("Nothing was granted or requested so far.") }
  }
}
