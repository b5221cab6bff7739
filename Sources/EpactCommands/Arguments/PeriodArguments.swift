// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole

/// The day and the calendars of commands that show a month or a week.
struct PeriodArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A day such as 2026-11, next or 11 dec, then names of the configuration, files or "
        + "folders.",
      valueName: "date and calendars"), completion: .calendars)
  var arguments: [String] = []

  @OptionGroup var zone: ZoneOption

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var condition: WhereOption

  @Flag(help: "Print one JSON object, as epact agenda does.")
  var json = false

  /// The viewer and the day, and a request for the period around it.
  struct Period {
    let today: CivilDate?
    /// The first day of the period.
    let first: CivilDate
    let request: ViewRequest
  }

  /// The period of a command.
  ///
  /// - Parameters:
  ///   - unit: The name of the period, which `next`, `this` and `last` refer to.
  ///   - context: The environment of the command.
  ///   - range: Returns the first day of the period of a day, and its range.
  /// - Returns: The period.
  /// - Throws: `Failure` for an invalid date or query; errors of the configuration.
  func period(
    _ unit: String, in context: Context,
    range: (CivilDate, ZoneRules) throws -> (CivilDate, Range<Instant>)
  ) throws -> Period {
    let viewer = try context.viewerZone(zone.name)
    let today = viewer.civil(at: context.machine.now())?.date
    let (named, count) = try day(unit, viewer, context)
    let inputs = try context.arguments.locations(arguments, after: count)
    let (first, range) = try range(named ?? today ?? .first, viewer)
    var request = ViewRequest(inputs, in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    request.user = context.userAddresses
    request.indexedPaths = context.indexedPaths
    request.copySuffixes = context.copySuffixes
    request.reminders = .due
    request.filter = try condition.matcher(in: context, viewer: viewer)
    return Period(today: today, first: first, request: request)
  }

  /// The day that the first arguments name, and their number; nil if they are calendars.
  private func day(
    _ unit: String, _ viewer: ZoneRules, _ context: Context
  ) throws -> (CivilDate?, Int) {
    var (span, count) = try context.arguments.span(before: arguments, in: viewer)
    if span == nil, let first = arguments.first, ["next", "this", "last"].contains(first),
      let phrase = try context.arguments.span(
        of: first, phrase: "\(first) \(unit)", in: viewer)
    {
      (span, count) = (phrase, 1)
    }
    return (span.flatMap { viewer.civil(at: $0.start.instant(in: viewer))?.date }, count)
  }
}
