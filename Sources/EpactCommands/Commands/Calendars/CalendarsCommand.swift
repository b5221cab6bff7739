// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact calendars`: lists and changes calendars as a whole.
struct CalendarsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendars",
    abstract: "List, create, rename and remove calendars.",
    discussion: """
      Without a subcommand, all calendars are listed. Titles and colours are changed here, and the \
      next sync sends them to the server. A calendar of an account is created here, and the next \
      sync creates it on the server; it is removed from both sides at once.
      """,
    subcommands: [
      CalendarsList.self, CalendarsCreate.self, CalendarsRename.self, CalendarsColor.self,
      CalendarsRemove.self, CalendarsRecreate.self,
    ],
    defaultSubcommand: CalendarsList.self)
}

/// `epact calendars list`.
struct CalendarsList: Command {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the calendars.",
    discussion: """
      Shows the name, the title, the colour, the number of items, the kinds of items, the syncs \
      and the place of each calendar. No items can be added to a read-only one: the copy of a \
      feed, a calendar that the user may only read on the server, or one with read-only in the \
      configuration.
      """)

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let list = try CalendarList(of: context.library, in: try context.configuration())
    if json {
      context.console.write(list.json)
      return .done
    }
    context.console.say(ColumnTable(list).lines)
    if list.entries.isEmpty { context.noteMissing("calendar") }
    return .done
  }
}

/// `epact calendars create`.
struct CalendarsCreate: Command {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a calendar.",
    discussion: """
      With --in, the calendar is a folder of an account, and the next sync creates it on the \
      server. Without --in, it is on this computer only.
      """)

  @Argument(
    help: ArgumentHelp("The name, which is that of the folder, too.", valueName: "name"))
  var name: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Create it in the account of this sync.", valueName: "sync"),
    completion: .syncNames)
  var sync: String?

  @Option(help: ArgumentHelp("The name for people.", valueName: "text"))
  var title: String?

  @Option(
    name: .customLong("calendar-color"), help: ArgumentHelp("The colour.", valueName: "#RRGGBB"))
  var calendarColor: String?

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let created = try await context.library.createCalendar(
      name, in: sync, title: title, color: calendarColor)
    context.console.say("Created the calendar \(created, .bold).")
    if sync != nil {
      context.console.note("To create it on the server, too: \(SuggestedCommand.sync)")
    } else if let account = try context.configuration().accountSyncs.first {
      context.console.note(
        "It is on this computer only; with --in \(account.settings.name), it is created in the account."
      )
    }
    return .done
  }
}

/// `epact calendars rename`.
struct CalendarsRename: Command {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Change the title of a calendar.",
    discussion: """
      The name, the folder and the address on the server stay. The next sync sends the title to \
      the server.
      """)

  @Argument(help: ArgumentHelp("The calendar.", valueName: "calendar"), completion: .calendars)
  var calendar: String

  @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
  var title: String

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let name = try context.library.changeCalendar(calendar, title: title)
    context.console.say("\(name, .bold): the title is \"\(title)\".")
    return .done
  }
}

/// `epact calendars color`.
struct CalendarsColor: Command {
  static let configuration = CommandConfiguration(
    commandName: "color", abstract: "Change the colour of a calendar.",
    discussion: "The next sync sends the colour to the server.")

  @Argument(help: ArgumentHelp("The calendar.", valueName: "calendar"), completion: .calendars)
  var calendar: String

  @Argument(help: ArgumentHelp("The new colour.", valueName: "#RRGGBB"))
  var value: String

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let name = try context.library.changeCalendar(calendar, color: value)
    context.console.say("\(name, .bold): the colour is \(value).")
    return .done
  }
}

/// `epact calendars recreate`.
struct CalendarsRecreate: Command {
  static let configuration = CommandConfiguration(
    commandName: "recreate", abstract: "Create a calendar again on the side that lacks it.",
    discussion: """
      A calendar of an account that is gone on one side is not synced, and nothing of it is \
      deleted. This command forgets that it was on both sides, so that the next sync creates it \
      again, with its items.
      """)

  @Argument(
    help: ArgumentHelp("The calendar, such as home/work.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let accounts = AccountCalendars(
      try context.configuration(), machine: context.machine, log: context.log)
    let calendar = try accounts.name(of: calendar)
    try await accounts.recreate(calendar)
    context.console.say("\(calendar, .bold): the next sync creates it on the side that lacks it.")
    context.console.note("To do that now: \(SuggestedCommand.sync)")
    return .done
  }
}
