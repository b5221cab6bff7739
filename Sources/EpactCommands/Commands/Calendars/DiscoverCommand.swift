// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarRemotes
import Epact
import EpactConsole

/// `epact discover`: shows which calendars of accounts are where.
struct DiscoverCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "discover",
    abstract: "Show the calendars of accounts, here and there.",
    discussion: """
      Lists the calendars of each [[sync]] with an account, in its folder and on the server, and \
      what the next sync does with each. Nothing is changed. Access has to be granted first.
      """)

  @Argument(
    help: ArgumentHelp("List only the accounts of these syncs.", valueName: "sync"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let listings = try await AccountCalendars(
      configuration, machine: context.machine, log: context.log
    ).list(names)
    if json {
      context.console.write(["accounts": .array(listings.map(\.json))])
    } else {
      show(listings, on: context.console)
    }
    for listing in listings {
      guard let error = listing.error else { continue }
      let failure = Failure(describing: error)
      context.console.complain(
        Failure(failure.status, "\(listing.sync): \(failure.message)", hint: failure.hint))
    }
    if listings.isEmpty, !json {
      context.console.note(
        "There is no [[sync]] with an account in the configuration. To add one: "
          + "\(SuggestedCommand.initialize)")
    }
    return ExitStatus.worst(
      of: listings.compactMap(\.error).map { ExitStatus(SyncOutcome($0.code)) })
  }

  private func show(_ listings: [AccountCalendars.Listing], on console: Console) {
    let rows = listings.flatMap { $0.entries ?? [] }.map { entry -> [String] in
      // A server without a title for a calendar repeats its name.
      let title = entry.name.hasSuffix("/\(entry.title ?? "")") ? "" : entry.title ?? ""
      return [
        entry.name, title, entry.isHere ? "here" : "-", entry.isThere ? "there" : "-",
        entry.words,
      ]
    }
    for line in ColumnTable(rows).lines { console.say(line) }
    for listing in listings where listing.entries?.isEmpty == true {
      console.say("\(listing.sync, .bold): there is no calendar on either side.")
    }
    for listing in listings {
      for subscription in listing.subscriptions {
        let feed = subscription.feed.map { " to \($0)" } ?? ""
        console.note(
          "\(listing.sync): \(subscription.title) is a subscription\(feed), which a sync leaves out."
            + (subscription.feed.map { " To read it here: \(SuggestedCommand.subscribe($0))" } ?? "")
        )
      }
    }
  }
}

extension AccountCalendars.Entry {
  /// The state, and what prevents the sync.
  fileprivate var words: String {
    let failure = state == .synced ? complaint.map { ", but the last sync failed: \($0)" } : nil
    return state.words + (isReadOnly ? ", read-only" : "") + (failure ?? "")
  }
}

extension AccountCalendars.State {
  /// The state in words.
  fileprivate var words: String {
    switch self {
    case .synced: "synced"
    case .new: "new on both sides"
    case .createHere: "the next sync creates it here"
    case .createThere: "the next sync creates it there"
    case .goneHere: "gone here, nothing is deleted there"
    case .goneThere: "gone there, nothing is deleted here"
    case .gone: "gone on both sides"
    case .notSelected: "not selected"
    case .ambiguous: "several calendars have this name"
    case .missing: "selected, but on neither side"
    case .unlisted: "not listed by the server because of an error"
    }
  }
}
