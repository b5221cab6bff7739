// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole

/// `epact alarms`: lists, shows, snoozes and acknowledges alarms.
struct AlarmsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alarms",
    abstract: "List the next alarms, show them when they are due, or snooze them.",
    discussion: "Without a subcommand, lists the alarms.",
    subcommands: [AlarmsListCommand.self, AlarmsSnooze.self, AlarmsAcknowledge.self],
    defaultSubcommand: AlarmsListCommand.self)
}

/// The argument for an item whose alarm was triggered.
struct AlarmItem: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The UID of the item, its beginning, or a part of the title.", valueName: "item"))
  var item: String

  /// Calls `body` with the last alarm of the item.
  func settle(
    in context: Context, _ body: (AlarmEditor, AlarmEditor.Found) throws -> Void
  ) throws -> AlarmEditor.Found {
    let library = CalendarLibrary(
      machine: context.machine, configuration: context.configurationPath)
    let editor = AlarmEditor(library, viewer: try context.viewerZone(nil))
    do {
      let found = try editor.lastAlarm(of: item)
      try body(editor, found)
      return found
    } catch let error as LibraryError {
      throw Failure(
        error.code == .changedMeanwhile || error.code == .unavailable ? .unavailable : .nothingDone,
        "\(error.message)")
    }
  }
}

/// `epact alarms snooze`.
struct AlarmsSnooze: Command {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: "Repeat the last alarm of an item later.",
    discussion: """
      Acknowledges the last alarm of the item within a week, and adds a snooze alarm to the \
      item (RFC 9074). The next sync sends the change, so that other programs stop the alarm, too.
      """)

  @OptionGroup var item: AlarmItem

  @Argument(help: ArgumentHelp("The time from now on, such as 10m or 2h.", valueName: "span"))
  var span: TimeSpan

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let now = context.machine.now()
    guard let instant = now.adding(seconds: Int64(span.seconds)) else { return .usage }
    let found = try item.settle(in: context) { try $0.snooze($1, until: instant) }
    context.console.say("\"\(found.entry.item.title)\": the alarm is repeated in \(span).")
    return .done
  }
}

/// `epact alarms acknowledge`.
struct AlarmsAcknowledge: Command {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge", abstract: "Acknowledge the last alarm of an item.",
    discussion: """
      Writes the time of the acknowledgement to the last alarm within a week, and \
      removes its snooze alarms (RFC 9074). The next sync sends the change, so that other programs \
      stop the alarm, too.
      """)

  @OptionGroup var item: AlarmItem

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let found = try item.settle(in: context) { try $0.acknowledge($1) }
    context.console.say("\"\(found.entry.item.title)\" is acknowledged.")
    return .done
  }
}
