// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact

/// `epact conflicts`: lists, shows and resolves conflicts.
struct ConflictsCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "List, show and settle conflicts.",
    discussion: """
      A conflict is what both sides of a sync edited differently. Without an item all are listed. With one, by its UID, the three versions are shown \
      side by side, as far as they differ. With --take or --edit it is settled: the choice is written \
      to the local calendar, and the next sync sends it. What does not conflict is merged either way. \
      With --all and --take all of them are settled alike, which is for jobs that nobody looks after. \
      While conflicts wait, the exit status is 3.
      """)

  /// The version to keep.
  enum Version: String, CaseIterable, ExpressibleByArgument {
    case local, remote, both
  }

  @Argument(help: ArgumentHelp("The UID of an item, or the beginning of it.", valueName: "item"))
  var item: String?

  @Option(
    help: ArgumentHelp(
      "Settle it by the local version, the remote one, or both: the remote one under a new UID.",
      valueName: "version"))
  var take: Version?

  @Flag(help: "Settle it by editing the merged item in $VISUAL or $EDITOR.")
  var edit = false

  @Flag(help: "Settle all that wait, with --take.")
  var all = false

  @Option(help: ArgumentHelp("Look only at this sync.", valueName: "name"), completion: .syncNames)
  var sync: String?

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard take == nil || !edit else {
      throw ValidationError("--take and --edit exclude each other")
    }
    guard !all || item == nil && take != nil else {
      throw ValidationError("--all goes with --take, and without an item")
    }
    guard item != nil || all || take == nil && !edit else {
      throw ValidationError("--take and --edit need an item")
    }
    guard !json || take == nil && !edit else {
      throw ValidationError("--json goes with listing and showing")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let isSettling = take != nil || edit
    let state = State(machine: context.machine, isReadOnly: !isSettling)
    return try await state.whileLocked(for: "conflicts") {
      let desk = try ConflictDesk(ledger: try state.openLedger(), sync: sync, in: context)
      let waiting = try await desk.waiting()
      if all { return try await settle(all: waiting, desk, in: context) }
      guard let item else { return list(waiting, desk, in: context) }
      let chosen = try Self.choose(item, among: waiting)
      if isSettling { return try await settle(chosen, desk, in: context) }
      desk.show(chosen, asJSON: json)
      return .conflicts
    }
  }

  private func list(
    _ waiting: [WaitingConflict], _ desk: ConflictDesk, in context: Context
  ) -> ExitStatus {
    let status: ExitStatus = waiting.isEmpty ? .done : .conflicts
    if json {
      context.console.write([
        "conflicts": .array(waiting.map(desk.json)), "exit": .integer(Int(status.rawValue)),
      ])
      return status
    }
    for conflict in waiting { context.console.show(desk.line(conflict)) }
    if waiting.isEmpty {
      context.console.say("No conflicts wait.")
    } else {
      context.console.note("To see one: \(SuggestedCommand.conflict(waiting[0].uid))")
    }
    return status
  }

  /// Resolves all pending conflicts; a failure does not prevent the others from being resolved.
  private func settle(
    all waiting: [WaitingConflict], _ desk: ConflictDesk, in context: Context
  ) async throws -> ExitStatus {
    var status = ExitStatus.done
    for conflict in waiting {
      try Task.checkCancellation()
      do {
        _ = try await settle(conflict, desk, in: context)
      } catch let failure as Failure {
        context.console.complain(failure)
        status = .someFailed
      }
    }
    if waiting.isEmpty { context.console.say("No conflicts wait.") }
    return status
  }

  private func settle(
    _ conflict: WaitingConflict, _ desk: ConflictDesk, in context: Context
  ) async throws -> ExitStatus {
    let choice: ConflictResolver.Choice =
      switch take {
      case .local?: .local
      case .remote?: .remote
      case .both?: .both
      case nil: .edited(try desk.edited(conflict))
      }
    try await desk.resolve(conflict, as: choice)
    context.console.say(
      "\(conflict.sync, .bold): \"\(conflict.stored.title)\" is settled; the next sync sends it.")
    return .done
  }

  /// The conflict with the UID, or the only one whose UID has this prefix.
  private static func choose(
    _ item: String, among waiting: [WaitingConflict]
  ) throws -> WaitingConflict {
    let exact = waiting.filter { $0.uid.rawValue == item }
    let found = exact.isEmpty ? waiting.filter { $0.uid.rawValue.hasPrefix(item) } : exact
    guard let first = found.first else {
      throw Failure(.usage, "no conflict of \"\(item)\" waits")
    }
    guard found.count == 1 else {
      throw Failure(
        .usage, "\"\(item)\" is the beginning of \(found.count) conflicts",
        hint: "Write the whole UID, and --sync NAME if several syncs have it.")
    }
    return first
  }
}
