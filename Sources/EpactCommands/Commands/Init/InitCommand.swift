// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CalendarSync
import Epact

/// `epact init`: creates a configuration interactively.
struct InitCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a configuration, step by step.",
    discussion: """
      Asks for an address, how far the remote may be used and what for, who asks there, and which \
      calendars; writes that to the configuration, and shows what the first sync would do. Each answer \
      can be given as an option, for scripts. What is in the configuration already stays as it is, and is not added twice. \
      Nothing is looked up before access is granted; under write-only nothing is looked up at all, and \
      the address has to be that of the calendar itself.
      """)

  @Argument(
    help: ArgumentHelp(
      "An e-mail address, a host, an address that begins with https, or a folder.",
      valueName: "address"), completion: .directory)
  var address: String?

  @Option(help: ArgumentHelp("What to call the remote in the configuration.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("The folder of the local calendars.", valueName: "folder"),
    completion: .directory)
  var path = "~/calendars"

  @Option(
    help: ArgumentHelp(
      "A calendar on the server, by its name; repeat it for more.", valueName: "name"))
  var collection: [String] = []

  @Flag(help: "Take all calendars on the server.")
  var all = false

  @Option(help: ArgumentHelp("The user name.", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "The program that prints the password, with its arguments.", valueName: "command"))
  var passwordCommand: String?

  @Option(
    help: ArgumentHelp("A file with the password, which only you can read.", valueName: "file"),
    completion: .file())
  var passwordFile: String?

  @Flag(
    help: "Read the password from standard input, and store it in a file that only you can read.")
  var passwordStdin = false

  @Option(
    help: ArgumentHelp("The access to grant: write-only or full.", valueName: "tier"),
    transform: { text in
      guard let tier = AccessTier(rawValue: text), tier != .none else {
        throw ValidationError("expected write-only or full")
      }
      return tier
    })
  var access: AccessTier?

  @Option(
    help: ArgumentHelp("What the access is for: what is done, and why.", valueName: "text"))
  var purpose: String?

  @Flag(name: .customLong("no-check"), help: "Do not show what the first sync would do.")
  var isUnchecked = false

  @OptionGroup var connection: InitConnection

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let ways = [passwordCommand != nil, passwordFile != nil, passwordStdin].count { $0 }
    guard ways <= 1 else {
      throw ValidationError(
        "--password-command, --password-file and --password-stdin exclude each other")
    }
    guard !all || collection.isEmpty else {
      throw ValidationError("--all and --collection exclude each other")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let desk = InitDesk(command: self, context: context)
    let plan = try await desk.plan()
    let added = try await desk.carryOut(plan)
    guard !isUnchecked, !added.entries.isEmpty else { return .done }
    return try await check(added, in: context)
  }

  /// Performs a dry run of the new syncs, and suggests the next command.
  private func check(_ plan: InitPlan, in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let ledger = try State(machine: context.machine, isReadOnly: true).openLedger()
    let names = Set(plan.entries.map(\.name))
    var reports: [SyncReport] = []
    for sync in configuration.syncs where names.contains(sync.name) {
      let session = SyncSession(
        sync: sync, configuration: configuration, ledger: ledger, allowDelete: nil, isDryRun: true,
        isSilent: false, context: context)
      reports.append(try await session.run())
    }
    let status = ExitStatus.worst(of: reports.map(\.status))
    if status == .done {
      context.console.note(
        "To do that: \(SuggestedCommand.sync); every night: \(SuggestedCommand.scheduleInstall)")
    } else {
      context.console.note(
        "The configuration is written. To find out what is wrong: \(SuggestedCommand.doctor)")
    }
    return status
  }
}
