// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICUServices

/// `epact month`: shows a month as a grid.
struct MonthCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "month",
    abstract: "Show a month as a grid, with what takes place.",
    discussion: """
      Each day has the number of things that take place on it, and the first titles. Weeks begin on \
      the day on which they do in the country of LC_ALL, LC_TIME or LANG.

      Without a calendar, all of the configuration are shown.
      """)

  @Argument(
    help: ArgumentHelp(
      "A month as 2026-11 or a day of it, then names of the configuration, files or folders.",
      valueName: "date and calendars"), completion: .calendars)
  var arguments: [String] = []

  @Option(
    help: ArgumentHelp("The time zone, instead of that of the machine.", valueName: "zone"),
    completion: .zoneNames)
  var zone: String?

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(zone)
    let today = viewer.civil(at: context.machine.now())?.date
    let named = arguments.first.flatMap { Self.month($0, in: viewer) }
    let inputs = try CalendarInput.all(
      Array(arguments.dropFirst(named == nil ? 0 : 1)), in: context)
    let day = named ?? today ?? .first
    guard let first = CivilDate(year: day.year, month: day.month, day: 1) else {
      throw Failure(.usage, "expected a month, found none")
    }
    let length = CivilDate.daysInMonth(first.month, of: first.year)
    let start = viewer.instant(of: CivilDateTime(first, .midnight))
    let end = viewer.instant(of: CivilDateTime(first.adding(days: length) ?? .last, .midnight))
    var options = OccurrenceOptions()
    options.reminders = .due
    options.recurrence = context.recurrenceOptions
    var query = OccurrenceQuery(
      in: start..<max(start, end), viewer: viewer, zones: context.zoneResolver, options: options)
    var loader = OccurrenceLoader(
      console: context.console, days: query.range.days(in: viewer),
      zones: calendarZone.zones(in: context))
    try loader.load(inputs, into: &query)
    guard loader.status != .nothingDone else { return .nothingDone }
    var occurrences = query.occurrences().makeIterator()
    var month = MonthDays(in: query.range, from: first, viewer: viewer)
    var count = 0
    while let occurrence = occurrences.next() {
      month.add(occurrence)
      count += 1
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    loader.tell(occurrences.findings)
    var grid = try MonthGrid(
      locale: context.machine.dateLocale, columns: context.console.columns, today: today)
    for line in try grid.lines(of: first, month.days) { context.console.show(line) }
    return loader.status
  }

  /// The month given by an argument, as one of its days; nil if it is not a month.
  private static func month(_ argument: String, in zone: ZoneRules) -> CivilDate? {
    let isMonth = argument.utf8.count == 7 && argument.utf8.dropFirst(4).first == UInt8(ascii: "-")
    guard let moment = MomentArgument(argument: isMonth ? argument + "-01" : argument) else {
      return nil
    }
    return zone.civil(at: moment.instant(in: zone))?.date
  }
}
