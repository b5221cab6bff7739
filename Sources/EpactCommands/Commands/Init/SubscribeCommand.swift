// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact subscribe`: adds a feed to the configuration.
struct SubscribeCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "subscribe",
    abstract: "Subscribe to a feed: a calendar that is published at an address.",
    discussion: """
      Asks for access to the feed, reads it, shows its name and the number of its items, and adds a \
      calendar, a remote and a sync to the configuration, which is created if there is none. The \
      next sync copies the items. A feed is only read; its calendar takes no other items. \
      epact calendars remove ends the subscription.

      The full access that is granted is the lowest tier that reads. A feed that requires a \
      password is added by epact init, with --user.

      Examples:

        epact subscribe webcal://example.org/ferien.ics
        epact subscribe https://example.org/ferien.ics --name Ferien --yes
      """)

  @Argument(
    help: ArgumentHelp(
      "The address of the feed: webcal://…, webcals://…, https://… or http://….",
      valueName: "address"))
  var address: String

  @Option(
    help: ArgumentHelp(
      "Use this name for the calendar, instead of that of the feed.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("Create the local calendar in this folder.", valueName: "folder"),
    completion: .directory)
  var path = "~/calendars"

  @Option(help: ArgumentHelp("State what the access is for, and why.", valueName: "text"))
  var purpose: String?

  @Flag(help: "Grant the access without a question.")
  var yes = false

  @Flag(
    name: .customLong("dry-run"),
    help: "Read the feed and show what would be added; write nothing.")
  var isDryRun = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let feed = try Subscription(
      to: address, name: name, purpose: try Purpose(purpose ?? Subscription.usualPurpose),
      isConfirmed: yes)
    let plan = try await feed.plan(
      addingTo: context.configurationFile, folder: context.paths.absolute(path),
      machine: context.machine, asking: console)
    console.say(plan.entries.compactMap(\.contentsLine))
    guard !isDryRun else {
      console.say("Dry run, nothing was written.")
      return .done
    }
    if !(try await context.setupWriter.carryOut(plan).entries.isEmpty) {
      console.note("To copy the items: \(SuggestedCommand.sync)")
    }
    return .done
  }
}
