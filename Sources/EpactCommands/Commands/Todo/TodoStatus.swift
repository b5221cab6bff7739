// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// The reminders whose status a command sets.
struct TodoItems: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Numbers in the last list of epact todo, UIDs or titles, or beginnings of them.",
      valueName: "item"))
  var items: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Look for the reminders in this calendar only.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String?

  @OptionGroup var edit: EditOptions

  /// Sets the status of all reminders in one run.
  ///
  /// - Throws: `EpactError` if a reminder does not exist.
  func set(
    _ status: ReminderStatus, isWhole: Bool = false, in context: Context
  ) throws -> ExitStatus {
    let session = try EditSession(context)
    let found = try items.map {
      try session.item(
        $0, in: calendar, of: [.reminder], prefersClosed: status == .needsAction)
    }
    return try session.finish(
      session.editor.setting(status, ofAll: found, isWhole: isWhole), edit)
  }
}

/// `epact todo done`.
struct TodoDone: Command {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Complete reminders.",
    discussion: """
      Of a reminder that repeats, the first open occurrence is completed: it becomes a reminder of \
      its own, and the series goes on with the next occurrence. --all completes the whole series.
      """)

  @OptionGroup var items: TodoItems

  @Flag(help: "Complete all occurrences.")
  var all = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try items.set(.completed, isWhole: all, in: context)
  }
}

/// `epact todo start`.
struct TodoStart: Command {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Mark reminders as started.")

  @OptionGroup var items: TodoItems

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try items.set(.inProcess, in: context)
  }
}

/// `epact todo cancel`.
struct TodoCancel: Command {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel reminders.",
    discussion: """
      Of a reminder that repeats, the first open occurrence is cancelled. --all cancels the whole \
      series.
      """)

  @OptionGroup var items: TodoItems

  @Flag(help: "Cancel all occurrences.")
  var all = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try items.set(.cancelled, isWhole: all, in: context)
  }
}

/// `epact todo reopen`.
struct TodoReopen: Command {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Open completed or cancelled reminders again.")

  @OptionGroup var items: TodoItems

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try items.set(.needsAction, in: context)
  }
}
