// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Epact
package import EpactConsole

/// A command: receives its dependencies in a context, and returns the exit status.
package protocol Command: ParsableCommand {
  /// The options of all commands.
  var global: GlobalOptions { get }

  /// Whether a pager shows the output if it is higher than the terminal.
  var isPaged: Bool { get }

  /// Runs the command.
  func run(in context: Context) async throws -> ExitStatus
}

extension Command {
  /// The default: the output is written at once.
  package var isPaged: Bool { false }
}

/// The options of all commands.
package struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use this configuration instead of epact/config.toml under $XDG_CONFIG_HOME.",
      valueName: "file"), completion: .file())
  var config: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Act for this hosted account; see epact help accounts.", valueName: "account",
      visibility: .hidden))
  var hosted: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use the time zones in this folder, instead of $TZDIR or the system's.", valueName: "folder",
      visibility: .hidden), completion: .directory)
  var zoneinfo: String?

  @Option(name: .long, help: "Use colour: auto, always or never.")
  var color: Console.ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "Print no results, only errors and warnings.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Increase verbosity (repeatable).")
  var verbose: Int

  package init() {}

  /// The options that suggested commands repeat.
  var repeated: [SuggestedCommand.Option] {
    [("--config", config), ("--hosted", hosted)].compactMap { name, value in
      value.map { SuggestedCommand.Option(name, $0) }
    }
  }
}

extension Console.ColorChoice: ExpressibleByArgument {}

/// The transform of an argument to one of some words; the error lists those that are valid.
func word<Value: RawRepresentable<String> & SendableMetatype>(
  _ valid: String, _ accepts: @escaping @Sendable (Value) -> Bool = { _ in true }
) -> @Sendable (String) throws -> Value {
  { text in
    guard let value = Value(rawValue: text), accepts(value) else {
      throw ValidationError("expected \(valid)")
    }
    return value
  }
}

/// The root command with all subcommands.
struct EpactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "epact",
    abstract: "Reads, checks and reconciles iCalendar files (RFC 5545).",
    discussion: "Exit status, the same for every command:\n\n\(ExitStatus.table)",
    subcommands: [
      NewCommand.self, ShowCommand.self, EditCommand.self, DeleteCommand.self, MoveCommand.self,
      CopyCommand.self, TodoCommand.self,
      ImportCommand.self, ExportCommand.self, ConvertCommand.self, CheckCommand.self,
      AgendaCommand.self, WeekCommand.self, MonthCommand.self, SearchCommand.self,
      OccurrencesCommand.self, FreeBusyCommand.self, AlarmsCommand.self, InvitationCommand.self,
      DiffCommand.self, MergeCommand.self,
      SyncCommand.self, MirrorCommand.self, FeedCommand.self, ServeCommand.self,
      WatchCommand.self,
      ScheduleCommand.self, StatusCommand.self,
      ConflictsCommand.self, HistoryCommand.self, UndoCommand.self, RedoCommand.self,
      RestoreCommand.self,
      InitCommand.self, SubscribeCommand.self, CalendarsCommand.self, DiscoverCommand.self,
      AccessCommand.self, LoginCommand.self, LogoutCommand.self, LedgerCommand.self,
      AccountsCommand.self,
      DoctorCommand.self, HandoffCommand.self, RruleCommand.self, ZonesCommand.self,
      BenchCommand.self, TourCommand.self, CompletionsCommand.self, ManualCommand.self,
      VersionCommand.self,
    ])

  @Flag(help: "Print the versions of the program and its libraries.")
  var version = false
}
