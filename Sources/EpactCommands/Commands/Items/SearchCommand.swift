// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact search`: finds items by a query.
struct SearchCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find items by words, fields and dates.",
    discussion: """
      Words, and texts in quotes, are searched in titles, locations and descriptions, without \
      regard to case and accents. A field, an operator and a value compare more:

        calendar title description location attendee organizer category
        status class uid url          : or = equal, != not equal, ~ contains
        start end due created modified completed
        priority                      also < <= > >=
        kind                          event, reminder or journal
        recurring alarm               yes or no
        has:FIELD                     the field has a value

      A date is written as 2026-11-30, or in words such as fri, "next week" or +3d; a day includes \
      all its times. and, or, not and parentheses combine conditions; and may be omitted. For each \
      item, the next occurrence is shown, or the first one at which the query is true. The numbers \
      name the items in other commands until the next list.

      Without a calendar, all calendars of the configuration are searched. With --json, prints one \
      object a line, with the members of epact occurrences and "location", "status", "calendar".

      Examples:

        epact search dentist
        epact search "attendee~ana and start>=mon" work
        epact search "kind:reminder and due<tomorrow and not status:completed"
      """)

  @Argument(help: "The query.")
  var query: String

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var zone: ZoneOption

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let viewer = try context.viewerZone(zone.name)
    let matcher = try context.arguments.matcher(query, option: "query", viewer: viewer)
    let inputs = try locations(in: context)
    var problems = FileProblems(console)
    defer { problems.finish() }
    let search = try ItemSearch(
      matcher, in: inputs, indexedPaths: context.indexedPaths, machine: context.machine
    ) {
      problems.take($0)
    }
    guard search.outcome != .nothing else { return .nothingDone }
    // A file can be searched without a valid configuration.
    let listed = ListedItems.items(
      of: search.matches, in: (try? context.library.calendars()) ?? [])
    try ListedItems(machine: context.machine).store(listed)
    if json {
      for match in search.matches { try console.stream(match.jsonLine) }
      return search.outcome.status
    }
    var page = try ViewPage(context.viewStyle(of: inputs))
    console.show(try page.lines(of: search.matches, in: viewer, isNumbered: !listed.isEmpty))
    if search.matches.isEmpty { console.say("Nothing matches: \(matcher.query.description)") }
    return search.outcome.status
  }

  /// The calendars; a word that names none may belong to the query.
  private func locations(in context: Context) throws -> [CalendarLocation] {
    do {
      return try context.arguments.locations(calendars)
    } catch {
      let failure = Failure(describing: error)
      let advice: ConsoleText = "A query of several words is in quotation marks."
      throw Failure(
        failure.status, failure.message, hint: failure.hint.map { "\($0) \(advice)" } ?? advice)
    }
  }
}

/// `epact show`: shows an item.
struct ShowCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an event or a reminder.",
    discussion: """
      Times are in the time zone of the item. With --raw, prints the stored iCalendar object.

        epact show lunch
        epact show 3
      """)

  @OptionGroup var item: ItemArgument

  @OptionGroup var title: TitleWords

  @Flag(help: "Print the stored iCalendar object.")
  var raw = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    guard !raw || !json else { throw ValidationError("--raw and --json exclude each other") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let session = try context.editSession()
    let found = try session.item(title.name(after: item), in: item.calendar)
    if raw {
      try context.console.stream(found.item.serialized())
      return .done
    }
    if json {
      context.console.write(session.editor.json(of: found))
      return .done
    }
    let card = ItemCard(found, session.editor)
    context.console.show(card.lines)
    return .done
  }
}
