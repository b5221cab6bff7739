// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact calendars remove`.
struct CalendarsRemove: Command {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a calendar.",
    discussion: """
      A calendar of an account is removed from the server and here. Other calendars are removed \
      here, unless a sync uses them. A calendar with items is removed only with --with-items. The \
      copy of a feed is removed with the sync and the remote of the feed, which ends the \
      subscription. This cannot be undone.
      """)

  @Argument(
    help: ArgumentHelp("The calendar, such as home/work.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String

  @Flag(help: "Remove the items in it, too.")
  var withItems = false

  @Flag(help: "Remove it without asking.")
  var yes = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let accounts = AccountCalendars(configuration, machine: context.machine, log: context.log)
    let calendar = try accounts.name(of: calendar)
    try confirm(calendar, on: context.console)
    let count =
      accounts.isPart(calendar)
      ? try await accounts.remove(calendar, withItems: withItems)
      : try context.library.removeCalendar(calendar, withItems: withItems)
    guard count == 0 else {
      throw Failure(
        .nothingDone, "\(calendar): it has \(Count(count, "item")), and is not removed",
        hint: "To remove them, too: --with-items")
    }
    context.console.say("Removed the calendar \(calendar, .bold).")
    return .done
  }

  private func confirm(_ calendar: String, on console: Console) throws {
    guard !yes else { return }
    guard console.canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask on", hint: "To remove it without a question: --yes")
    }
    let what: ConsoleText =
      withItems ? "\(calendar, .bold) with all its items" : "\(calendar, .bold)"
    guard try console.confirms("Remove the calendar \(what)? [y/N]") else {
      throw Failure(.nothingDone, "nothing was removed")
    }
  }
}
