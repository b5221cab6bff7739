// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact undo`: undoes the user's last change, or a run.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo your last change, or a run.",
    discussion: """
      Without a number, your last change is undone: that of `new`, `edit`, `delete`, `move`, `copy`, \
      `todo`, `alarms`, `import`, `invitation` or `restore`, or a choice of `conflicts`, and not a sync, even \
      if one ran since. The next sync sends what is put back; a conflict is pending again. A later \
      change of which nothing is left to undo is passed over, and named. Repeated, it goes further \
      back, and `epact redo` does the change again. Each file gets its earlier bytes. If an item \
      was edited elsewhere since, that edit stays; if both concern the same property, the item is \
      skipped and reported. If nothing of a change can be undone, it is reported once, and the \
      next undo goes further back. So is a calendar that was created, renamed, coloured or \
      removed, which no undo takes back. What `init`, `access` and `schedule` set is no change of \
      a calendar.

      A meeting of yours gets a new revision, and its attendees are informed as by `epact edit`: the \
      mail is printed, or sent with --send.

      The run of a sync is undone by the number. Each item that \
      the run wrote gets its earlier version, on the side where it was written; the \
      edit that it transferred stays on the other side. The sides then differ, and `epact \
      conflicts` resolves the conflict. Deleted items are restored on both sides. Added items are \
      deleted where they were added; the other side keeps them, and the next sync adds them again \
      unless they are deleted there. The name, colour, description and order of the calendar are \
      restored likewise. Items that changed since are skipped and reported, and so is an item that \
      the other side does not hold any more, because it would be the last copy. The guard counts \
      deletions as in `epact sync`. An undo is a run itself, and can be undone by its number.
      """)

  @Argument(
    help: ArgumentHelp(
      "Undo the run with this number, as shown by `epact history`.", valueName: "run"),
    completion: .runs)
  var number: Int64?

  @Option(
    help: ArgumentHelp(
      "Allow up to this many deletions in this run.", valueName: "number"))
  var allowDelete: Int?

  @OptionGroup var options: UndoOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    try await options.run(in: context, allowDelete: allowDelete ?? 0, informing: meeting) {
      set, report in
      try await set.undo(number.map(RunID.init), report: report)
    } after: { outcome in
      context.console.note(outcome.passedLines)
      guard !outcome.isRefused else {
        if !options.isDryRun {
          context.console.note("To undo the change before: \(SuggestedCommand.undo)")
        }
        return
      }
      context.console.note("undoes run \(outcome.run.id.rawValue) (\(RunText(outcome.run).sync))")
      context.console.note(outcome.effectLines(ProgramRemedies()))
      guard outcome.run.isOwn else { return }
      guard !options.isDryRun, !outcome.items.isEmpty else { return }
      // The conflict of a choice waits again, and a redo settles only some.
      guard !outcome.run.isChoice else { return }
      // The undo of a chosen undo did a change again, which no redo takes back.
      guard number == nil || outcome.run.undoes == nil else { return }
      context.console.note("To do it again: \(SuggestedCommand.redo)")
    }
  }
}

/// `epact redo`: makes a change again that was undone.
struct RedoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Make a change again that `undo` took back.",
    discussion: """
      Repeated, it makes all changes again that `epact undo` took back since your last new change, \
      the last undone one first. Each file gets the bytes that it had before the undo. If an item \
      was edited elsewhere since, that edit stays; if both concern the same property, the item is \
      skipped and reported. A meeting of yours gets a new revision, and its attendees are informed as \
      by `epact undo`.
      """)

  @OptionGroup var options: UndoOptions

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try await options.run(in: context, informing: meeting) { set, report in
      try await set.redo(report: report)
    } after: { outcome in
      let number = outcome.run.undoes ?? outcome.run.id
      context.console.note("redoes run \(number.rawValue) (\(RunText(outcome.run).sync))")
      context.console.note(outcome.effectLines(ProgramRemedies()))
    }
  }
}

/// The options of undoing, redoing and restoring.
struct UndoOptions: ParsableArguments {
  @Flag(
    name: .customLong("dry-run"),
    help: "Print the planned changes; write nothing, and send only requests that read.")
  var isDryRun = false

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  /// Undoes or redoes, and shows the result.
  ///
  /// - Parameters:
  ///   - context: The console and the machine.
  ///   - allowDelete: The number of allowed deletions.
  ///   - meeting: How attendees are informed.
  ///   - action: The call of the library.
  ///   - after: Shows the outcome at the end of the text.
  /// - Returns: The exit status.
  /// - Throws: The errors of the call.
  func run(
    in context: Context, allowDelete: Int = 0, informing meeting: MeetingOptions,
    _ action: (SyncSet, @escaping @Sendable (SyncSetEvent) -> Void) async throws -> SyncResult,
    after: (UndoOutcome) -> Void
  ) async throws -> ExitStatus {
    var set = try SyncSet(try context.configuration(), machine: context.machine)
    set.options.isDryRun = isDryRun
    set.options.allowedDeletions = allowDelete
    set.log = context.log
    // The program and the address are checked before anything is changed.
    let command = meeting.send ? try context.library.mailCommand : nil
    let notice = try meeting.notice
    let recorder = context.recorder(json ? .json : .text, isDryRun: isDryRun)
    let result = try await action(set) { recorder.record($0) }
    let report = recorder.report(result)
    var editor = LibraryEditor(context.library, viewer: try context.viewerZone(nil))
    if let address = notice.address { editor.addresses = [address] }
    let mails = try result.undo.map { try notice.mails(for: $0, editor) } ?? []
    if let command, !isDryRun { for mail in mails { try command.send(mail) } }
    guard !json else {
      let sent = mails.map { $0.json(isSent: command != nil && !isDryRun) }
      context.console.write([
        "dryRun": .bool(isDryRun), "run": result.undo?.run.json ?? .null,
        "passed": .array((result.undo?.passed ?? []).map(\.json)),
        "items": .array((result.undo?.items ?? []).map(editor.json)),
        "mails": .array(sent), "syncs": .array([report.json]),
        "exit": report.status.json,
      ])
      return report.status
    }
    guard let outcome = result.undo else { return report.status }
    let isPrinted = !mails.isEmpty && command == nil
    if !isDryRun {
      context.console.write(editor.lines(of: outcome).map { isPrinted ? .note($0) : .say($0) })
    }
    after(outcome)
    if isPrinted {
      context.console.write(OutgoingMail.bytes(of: mails))
    } else if !isDryRun {
      for mail in mails { context.console.saySent(mail) }
    }
    return report.status
  }
}
