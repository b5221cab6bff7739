// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact todo`: lists and changes reminders.
struct TodoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo",
    abstract: "List, add and complete reminders.",
    discussion: """
      Without a subcommand, open reminders are listed. A subcommand names reminders by number in \
      the list, by UID or by title. All changes are runs in `epact history`, and `epact undo` \
      undoes them.
      """,
    subcommands: [
      TodoList.self, TodoAdd.self, TodoDone.self, TodoStart.self, TodoCancel.self, TodoReopen.self,
      TodoEdit.self,
    ],
    defaultSubcommand: TodoList.self)
}

/// `epact todo list`.
struct TodoList: Command {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List open reminders.",
    discussion: """
      Overdue reminders come first, then the others by due time, priority and title. Parts of a \
      reminder follow it. The numbers name reminders in other commands until the next list. \
      --where compares the first open occurrence of a reminder that repeats.

        !    high priority
        ↻    repeats; the first open occurrence is shown
        ☐ ☑  open or started; done or cancelled
        [ ]  its categories
      """)

  @Argument(
    help: ArgumentHelp("Calendars; all of the configuration by default.", valueName: "calendar"),
    completion: .calendars)
  var calendars: [String] = []

  @OptionGroup var condition: WhereOption

  @Flag(help: "Include completed and cancelled reminders.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession()
    let chosen =
      calendars.isEmpty
      ? try session.library.calendars() : try calendars.compactMap { try session.calendar($0) }
    let matcher = try condition.matcher(in: context, viewer: session.editor.viewer)
    let list = try TaskList(of: chosen, includesClosed: all, session.editor, where: matcher)
    try ListedItems(machine: context.machine).store(list.entries.map(\.listed))
    let unreadable = session.library.unreadableFiles(of: chosen)
    defer { for file in unreadable { context.console.warn("\(file)") } }
    let status: ExitStatus = unreadable.isEmpty ? .done : .someFailed
    if json {
      context.console.write(list.json(session.editor))
      return status
    }
    let page = try TaskPage(list.entries, context.viewStyle(), session.editor)
    context.console.show(page.lines)
    if chosen.isEmpty {
      context.noteMissing("calendar")
    } else if list.entries.isEmpty {
      context.console.say("Nothing is to be done.")
    }
    return status
  }
}

/// The reminders whose status a command sets.
struct TodoItems: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Numbers in the last list, UIDs or titles, or beginnings of them; several words that begin a "
        + "title are that title.",
      valueName: "item"))
  var items: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Look for the reminders in this calendar only.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String?

  @OptionGroup var meeting: MeetingOptions

  @OptionGroup var edit: EditOptions

  /// Sets the status of all reminders in one run.
  ///
  /// - Throws: `EpactError` if a reminder does not exist.
  func set(
    _ status: ReminderStatus, isWhole: Bool = false, in context: Context
  ) throws -> ExitStatus {
    let session = try context.editSession(edit, informing: meeting)
    let prefersClosed = status == .needsAction
    let found: [FoundItem]
    if let whole = whole(session, prefersClosed: prefersClosed) {
      found = [whole]
    } else {
      found = try items.map {
        try session.item($0, in: calendar, of: [.reminder], prefersClosed: prefersClosed)
      }
    }
    return try session.finish(
      session.editor.setting(status, ofAll: found, isWhole: isWhole), of: found)
  }

  /// The reminder whose title begins with all words; nil for none.
  private func whole(_ session: EditSession, prefersClosed: Bool) -> FoundItem? {
    let title = items.joined(separator: " ")
    // The numbers of the last list stay as they are.
    guard items.count > 1,
      let found = try? session.finder(in: calendar).item(
        title, of: [.reminder], prefersClosed: prefersClosed),
      found.title.lowercased().hasPrefix(title.lowercased())
    else { return nil }
    return found
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
