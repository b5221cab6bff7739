// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact feed`: shows others a part of calendars, as a file or at a secret address.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Show others a part of calendars, as a file or at a secret address.",
    discussion: """
      A feed is a calendar that others can read and not change: everything, titles, or busy time of \
      some calendars. Nothing else of them is in it. Without a subcommand, all feeds are listed.
      """,
    subcommands: [FeedList.self, FeedMake.self, FeedWrite.self, FeedRevoke.self],
    defaultSubcommand: FeedList.self)
}

/// `epact feed list`.
struct FeedList: Command {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the feeds.",
    discussion: """
      Shows the name, what is shown, the calendars, the comment, and when the feed was made and \
      last read at its address.
      """)

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let feeds = try context.library.feeds()
    guard !json else {
      context.console.write(["feeds": .array(feeds.map(\.json))])
      return .done
    }
    context.console.say(ColumnTable(feeds, on: context.machine).lines)
    if feeds.isEmpty {
      context.console.note(
        "There is no feed. To make one: \(SuggestedCommand("epact", "feed", "make", operands: ["CALENDAR"]))"
      )
    }
    return .done
  }
}

/// `epact feed make`.
struct FeedMake: Command {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make a feed of calendars.",
    discussion: """
      Prints the token, which is the secret part of the feed's address. It is printed only once, \
      because only its digest is stored. Every program that has it can read the feed until "epact feed revoke". \
      "epact feed write" needs no token.

      busy shows when events make you busy, and nothing else. titles shows titles, times and status. \
      all shows everything but people and alarms. A private item is shown as busy time.

      Examples:

        epact feed make work family --show busy --comment "for Ana"
        epact feed make club --show all --where "category:match" --past 30d
      """)

  @Argument(help: ArgumentHelp("The calendars.", valueName: "calendar"), completion: .calendars)
  var calendars: [String]

  @Option(
    help: ArgumentHelp("Show all, titles or busy time.", valueName: "detail"),
    transform: word("all, titles or busy"))
  var show = ProjectionSettings.Detail.busy

  @Option(
    help: ArgumentHelp(
      "Give every item this title; {calendar} and {title} are replaced.", valueName: "template"))
  var title: String?

  @Option(
    help: ArgumentHelp("Show this property, too, such as LOCATION.", valueName: "property"))
  var keep: [String] = []

  @Option(
    name: .customLong("private"),
    help: ArgumentHelp(
      "Show private items as busy time, hide them, or show them.",
      valueName: "how"),
    transform: word("busy, hide or show"))
  var privateItems = ProjectionSettings.PrivateItems.busy

  @OptionGroup var condition: WhereOption

  @Option(
    help: ArgumentHelp("Leave out what is longer ago, such as 30d, 12w or 2y.", valueName: "span"),
    transform: Self.days)
  var past: Int?

  @Option(
    help: ArgumentHelp("Leave out what is later, such as 90d, 12w or 2y.", valueName: "span"),
    transform: Self.days)
  var future: Int?

  @Option(
    help: ArgumentHelp(
      "The name of the feed, for the other commands; by default made from the comment.",
      valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("A note for yourself, such as the reader.", valueName: "text"))
  var comment = ""

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    var settings = FeedSettings(calendars)
    settings.projection.detail = show
    settings.projection.privateItems = privateItems
    settings.projection.title = try title.map { try ProjectionTitle($0) }
    try settings.projection.keep(keep)
    if condition.query != nil {
      _ = try condition.matcher(in: context, viewer: try context.machine.viewerZone())
    }
    settings.projection.query = condition.query
    (settings.past, settings.future) = (past, future)
    let (feed, token) = try context.library.makeFeed(settings, named: name, comment: comment)
    guard !json else {
      context.console.write(feed.json(with: token))
      return .done
    }
    context.console.say("Made the feed \(feed.name, .bold): \(feed.words).")
    context.console.say("Its token, which is not shown again: \(token.revealed)")
    context.console.note(
      "To write it to a file for a web server: "
        + "\(SuggestedCommand("epact", "feed", "write", operands: [feed.name], options: ["-o": "FILE"]))"
    )
    context.console.note(
      "To serve it at http://127.0.0.1:\(PageCall.usualPort)/feed/TOKEN.ics: "
        + "\(SuggestedCommand("epact", "serve"))")
    return .done
  }

  @Sendable private static func days(_ text: String) throws -> Int {
    guard let span = NumberOfDays(parsing: text) else {
      throw ValidationError("expected days, weeks, months or years, such as 30d, 12w, 6m or 2y")
    }
    return span.days
  }
}

/// `epact feed write`.
struct FeedWrite: Command {
  static let configuration = CommandConfiguration(
    commandName: "write", abstract: "Write a feed to a file, for any web server.",
    discussion: """
      The file is replaced as a whole, or not written at all if no shown value has changed, or if a \
      calendar cannot be read as a whole. A \
      file that ends in .ifb gets busy time (VFREEBUSY). To keep it current, run this command after \
      each sync, by "on-change" in the configuration or from a timer.
      """)

  @Argument(help: ArgumentHelp("The name of the feed.", valueName: "name"))
  var name: String

  @OptionGroup var output: OutputOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let feed = try context.library.feed(named: name)
    if let path = output.path {
      let isChanged = try context.library.write(feed, to: path)
      context.console.note(isChanged ? "Written to \(path)." : "\(path) is up to date.")
    } else {
      context.console.write(try context.library.contents(of: feed).bytes)
    }
    return .done
  }
}

/// `epact feed revoke`.
struct FeedRevoke: Command {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a feed.",
    discussion: """
      Its address stops working at once. Files that were written, and copies that readers have, stay \
      where they are.
      """)

  @Argument(help: ArgumentHelp("The name of the feed.", valueName: "name"))
  var name: String

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try context.library.revokeFeed(named: name)
    context.console.say("Revoked the feed \(name, .bold).")
    return .done
  }
}
