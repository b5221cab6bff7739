// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

/// The root command with all subcommands.
struct EpactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "epact",
    abstract: "Reads, checks and reconciles iCalendar files (RFC 5545).",
    discussion: "Exit status, the same for every command:\n\n\(ExitStatus.table)",
    subcommands: [
      ImportCommand.self, ExportCommand.self, ConvertCommand.self, CheckCommand.self,
      AgendaCommand.self, MonthCommand.self, OccurrencesCommand.self, FreeBusyCommand.self,
      AlarmsCommand.self, DiffCommand.self, MergeCommand.self, SyncCommand.self,
      ConflictsCommand.self, StatusCommand.self, HistoryCommand.self, UndoCommand.self,
      AccessCommand.self, InitCommand.self, DoctorCommand.self,
      ScheduleCommand.self, HandoffCommand.self, RruleCommand.self, ZonesCommand.self,
      BenchCommand.self, TourCommand.self,
    ])

  @Flag(help: "Print the version of the program and of what it is built on.")
  var version = false
}
