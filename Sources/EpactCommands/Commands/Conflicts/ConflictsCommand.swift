// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact
import EpactConsole

/// `epact conflicts`: lists, shows and resolves conflicts.
struct ConflictsCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "List, show and resolve conflicts.",
    discussion: """
      A conflict is an item that both sides of a sync edited differently. Without an item, all \
      conflicts are listed. With the title or the UID of an item, the differences of the three versions are \
      shown side by side. --take and --edit resolve the conflict: the chosen version is written to \
      the local calendar, and the next sync sends it. Changes that do not conflict are merged in \
      any case. --all with --take resolves all conflicts in the same way, for unattended jobs. \
      `epact undo` takes the choice back, and the conflict is pending again. After a sync has sent the \
      local version, undo the run of that sync instead. While conflicts are pending, the exit status \
      is 3.
      """)

  /// The version to keep.
  enum Version: String, CaseIterable, ExpressibleByArgument {
    case local, remote, both
  }

  @Argument(
    help: ArgumentHelp(
      "Show or resolve the conflict of the item with this title or UID, or this beginning of one.",
      valueName: "item"))
  var item: String?

  @Option(
    help: ArgumentHelp(
      "Keep the local version, the remote one, or both: the remote one under a new UID.",
      valueName: "version"))
  var take: Version?

  @Flag(help: "Edit the merged item in $VISUAL or $EDITOR.")
  var edit = false

  @Flag(help: "Resolve all pending conflicts, with --take.")
  var all = false

  @Option(help: ArgumentHelp("Use only this sync.", valueName: "name"), completion: .syncNames)
  var sync: String?

  @Flag(help: "Print one JSON object instead of text.")
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
    let isResolving = take != nil || edit
    var set = try SyncSet(
      try context.configuration(), names: sync.map { [$0] } ?? [], machine: context.machine)
    set.options.isDryRun = !isResolving
    return try await set.resolveConflicts { conflicts in
      if all { return try await resolveAll(conflicts, in: context) }
      guard let item else { return list(conflicts, in: context) }
      let chosen = try conflicts.conflict(of: item)
      if isResolving { return try await resolve(chosen, of: conflicts, in: context) }
      show(chosen, of: conflicts, in: context)
      return .conflicts
    }
  }

  private func list(_ conflicts: Conflicts, in context: Context) -> ExitStatus {
    let pending = conflicts.pending
    let status = context.console.write(conflicts, asJSON: json)
    if let first = pending.first, !json {
      context.console.note("To see one: \(SuggestedCommand.conflict(first.uid))")
    }
    return status
  }

  private func show(
    _ conflict: PendingConflict, of conflicts: Conflicts, in context: Context
  ) {
    guard !json else { return context.console.write(conflicts.json(conflict)) }
    context.console.show(conflicts.lines(of: conflict, columns: context.console.columns))
    context.console.note(
      "To settle it: \(SuggestedCommand.settle(conflict.uid)) (or remote, or both; or with --edit)")
  }

  /// Resolves all pending conflicts; a failure does not prevent the others from being resolved.
  private func resolveAll(_ conflicts: Conflicts, in context: Context) async throws -> ExitStatus {
    var status = ExitStatus.done
    for conflict in conflicts.pending {
      try Task.checkCancellation()
      do {
        _ = try await resolve(conflict, of: conflicts, in: context)
      } catch let error as EpactError {
        context.console.complain(Failure(describing: error))
        status = .someFailed
      }
    }
    if conflicts.pending.isEmpty { context.console.say("No conflicts wait.") }
    return status
  }

  private func resolve(
    _ conflict: PendingConflict, of conflicts: Conflicts, in context: Context
  ) async throws -> ExitStatus {
    let choice: ConflictResolver.Choice =
      switch take {
      case .local?: .local
      case .remote?: .remote
      case .both?: .both
      case nil:
        .edited(
          try conflicts.edited(conflict) { try ExternalEditor(machine: context.machine).edit($0) })
      }
    let parts = try await conflicts.laterParts(of: conflict, beside: choice)
    let isSent = try await conflicts.resolve(conflict, as: choice)
    let rest = isSent ? "the next sync sends it" : "the remote has this version already"
    context.console.say(
      "\(conflict.sync, .bold): \"\(conflict.stored.title)\" is settled; \(rest).")
    if case .both = choice {
      context.console.say("The version of the remote is an item of its own now.")
    }
    for part in parts {
      context.console.note(
        "\"\(part.title)\", which continues the series since it was split here, stays an item of its own: "
          + "both take place. To delete it: \(SuggestedCommand.deleteSeries(part.uid))")
    }
    if conflicts.isMeeting(conflict, organizedBy: try context.library.userAddresses()) {
      context.console.note(
        "Its attendees are not informed of this choice; the next edit of it informs them.")
    }
    return .done
  }
}
