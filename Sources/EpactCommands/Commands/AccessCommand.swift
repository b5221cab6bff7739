// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CalendarSync
import Epact

/// `epact access`: shows and changes the access tier of each remote.
struct AccessCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Show and change how far remotes may be used.",
    discussion: """
      A remote has one of three tiers: none, it is never contacted; write-only, events are added \
      and nothing is read; full. Without options, and on a terminal, a remote that nobody was asked \
      about is asked about, once. Whoever raises the tier afterwards is asked again. The answer is \
      kept in the ledger and never in the configuration. An administrator's policy, \
      /etc/epact/policy.toml, may say how much can be granted at all.
      """)

  @Argument(
    help: ArgumentHelp("The name of a remote, instead of all of them.", valueName: "remote"),
    completion: .remoteNames)
  var remote: String?

  @Option(
    help: ArgumentHelp("The tier to grant: none, write-only or full.", valueName: "tier"),
    transform: { text in
      guard let tier = AccessTier(rawValue: text) else {
        throw ValidationError("expected none, write-only or full")
      }
      return tier
    })
  var grant: AccessTier?

  @Option(
    help: ArgumentHelp(
      "What the access is for: a sentence that says what is done, and why.", valueName: "text"))
  var purpose: String?

  @Flag(
    help: "Raise an earlier answer without being asked again, as there is nobody to ask.")
  var yes = false

  @Flag(help: "Take the answer back, as if nobody had been asked.")
  var revoke = false

  @Flag(help: "List the kinds of requests that were made under each grant, but by dry runs.")
  var log = false

  @Flag(name: .customLong("dry-run"), help: "Tell what would be done, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard remote != nil || (grant == nil && !revoke) else {
      throw ValidationError("--grant and --revoke need the name of a remote")
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
    guard grant == nil || grant == AccessTier.none || purpose != nil else {
      throw ValidationError(
        "--grant needs --purpose TEXT, which says what the access is for, and why")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    if log {
      try await listRequests(configuration, in: context)
      return .done
    }
    guard let remote else {
      try await list(configuration, in: context)
      return .done
    }
    var desk = try await AccessDesk(
      remote: remote, configuration: configuration, isDryRun: isDryRun, context)
    if revoke {
      try await desk.revoke()
    } else if let grant {
      try await desk.store(
        grant, purpose: purpose ?? AccessDesk.purposeOfNone, isConfirmed: yes)
    } else if desk.grant == nil, !json {
      try await desk.ask()
    }
    if json {
      context.console.write(desk.json)
    } else {
      context.console.say(desk.line())
    }
    return .done
  }

  private func list(_ configuration: Configuration, in context: Context) async throws {
    let names = configuration.remotes.keys.sorted()
    let width = names.map(DisplayWidth.of).max() ?? 0
    var objects: [JSONValue] = []
    for name in names {
      let desk: AccessDesk
      do {
        desk = try await AccessDesk(
          remote: name, configuration: configuration, isDryRun: true, context)
      } catch let error as StoreError {
        context.console.warn("\(name): \(error)")
        continue
      }
      objects.append(desk.json)
      if !json { context.console.say(desk.line(nameWidth: width)) }
    }
    if json { context.console.write(["remotes": .array(objects)]) }
    if names.isEmpty, !json {
      context.console.note(
        "There is no remote in the configuration. To add one: \(SuggestedCommand.initialize)")
    }
  }

  private func listRequests(_ configuration: Configuration, in context: Context) async throws {
    var names: [RemoteIdentity: String] = [:]
    var wanted: RemoteIdentity?
    for name in configuration.remotes.keys.sorted() {
      do {
        let desk = try await AccessDesk(
          remote: name, configuration: configuration, isDryRun: true, context)
        names[desk.identity] = name
        if name == remote { wanted = desk.identity }
      } catch let error as StoreError {
        context.console.warn("\(name): \(error)")
      }
    }
    if let remote, configuration.remotes[remote] == nil {
      // The error message suggests the name that the user probably meant.
      _ = try await AccessDesk(
        remote: remote, configuration: configuration, isDryRun: true, context)
    }
    let ledger = try State(machine: context.machine, isReadOnly: true).openLedger()
    let report = AccessLogReport(try await ledger.logEntries(), names: names, of: wanted)
    if json {
      context.console.write(report.json)
      return
    }
    for line in report.lines { context.console.say(line) }
    if report.lines.isEmpty { context.console.note("Nothing was requested so far.") }
  }
}
