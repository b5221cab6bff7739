// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole
import ICUServices

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
    let inputs = try context.inputs(behindDate: arguments, count)
    let (first, range) = try range(named ?? today ?? .first, viewer)
    var request = ViewRequest(inputs, in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    request.user = context.userAddresses
    request.indexedPaths = context.indexedPaths
    request.reminders = .due
    request.filter = try condition.matcher(in: context, viewer: viewer)
    return Period(today: today, first: first, request: request)
  }

  /// The day that the first arguments name, and their number; nil if they are calendars.
  private func day(
    _ unit: String, _ viewer: ZoneRules, _ context: Context
  ) throws -> (CivilDate?, Int) {
    var (span, count) = try context.dateSpan(before: arguments, in: viewer)
    if span == nil, let first = arguments.first, ["next", "this", "last"].contains(first),
      let phrase = try context.dateSpan(ofArgument: first, phrase: "\(first) \(unit)", in: viewer)
    {
      (span, count) = (phrase, 1)
    }
    return (span.flatMap { viewer.civil(at: $0.start.instant(in: viewer))?.date }, count)
  }
}

extension Context {
  /// The parser of dates for a viewer, in the language of the machine's locale.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  func phrases(in zone: ZoneRules) throws(ICUError) -> DatePhrases {
    try DatePhrases(machine: machine, zone: zone)
  }

  /// The date or the period that precedes the calendars in a list of arguments.
  ///
  /// It may consist of several arguments, such as `next week` and `5 dec`.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - zone: The viewer's time zone.
  /// - Returns: The span, nil if the arguments begin with a calendar, and the number of its arguments.
  /// - Throws: `Failure` for a date that is ambiguous or does not exist; `ICUError` if ICU lacks
  ///   its data.
  func dateSpan(
    before arguments: [String], in zone: ZoneRules
  ) throws -> (DateSpan?, count: Int) {
    let words = arguments.prefix(6).prefix { !isPath($0) && configuredCalendar($0) == nil }
    for count in stride(from: words.count, through: 1, by: -1) {
      let text = words.prefix(count).joined(separator: " ")
      if let span = try dateSpan(ofArgument: text, in: zone) { return (span, count) }
    }
    return (nil, 0)
  }

  /// The calendars behind a date.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - count: The number of the arguments that are the date.
  /// - Returns: The calendars.
  /// - Throws: `Failure` if the first argument is neither a date nor a calendar; errors of the
  ///   configuration.
  func inputs(behindDate arguments: [String], _ count: Int) throws -> [CalendarLocation] {
    do {
      return try inputs(Array(arguments.dropFirst(count)))
    } catch let error as EpactError where count == 0 {
      guard case .usePath? = error.remedy else { throw error }
      let failure = Failure(describing: error)
      throw Failure(
        failure.status, failure.message, hint: failure.hint.map { "\($0) \(Self.dateForms)" })
    }
  }

  private func isPath(_ text: String) -> Bool {
    let hasSlash = text.contains("/") && !text.allSatisfy { $0.isNumber || $0 == "/" }
    return text == "-" || hasSlash || text.lowercased().hasSuffix(".ics")
  }

  /// The date or the period that a text names; nil if it is none, or a calendar.
  ///
  /// The name of a configured calendar takes precedence over words, such as `may`.
  ///
  /// - Parameters:
  ///   - text: The argument.
  ///   - phrase: The text to read instead of it; nil for the argument.
  ///   - zone: The viewer's time zone.
  /// - Returns: The span.
  /// - Throws: `Failure` for a date that is ambiguous or does not exist; `ICUError` if ICU lacks
  ///   its data.
  func dateSpan(
    ofArgument text: String, phrase: String? = nil, in zone: ZoneRules
  ) throws -> DateSpan? {
    // The words of the language are read only if they are needed.
    if (try? Moment(parsing: text)) != nil {
      return try? DatePhrases(now: machine.now(), zone: zone).span(text)
    }
    if isPath(text) || configuredCalendar(text) != nil { return nil }
    do {
      return try phrases(in: zone).span(phrase ?? text)
    } catch let error as DatePhraseError where error.code == .ambiguous || error.code == .invalid {
      throw Failure(.usage, "\(error.message)")
    } catch is DatePhraseError {
      return nil
    }
  }

  /// The date or time that an option names.
  ///
  /// - Parameters:
  ///   - text: The value of the option.
  ///   - option: The option, for messages.
  ///   - zone: The time zone in which a phrase, such as `tomorrow 12:30`, is resolved.
  /// - Returns: The date or time.
  /// - Throws: `Failure` if the value is invalid; `ICUError` if ICU lacks its data.
  func moment(_ text: String, option: String, in zone: ZoneRules) throws -> Moment {
    // The words of the language are read only if they are needed.
    if let moment = try? Moment(parsing: text) { return moment }
    do {
      return try phrases(in: zone).moment(text)
    } catch let error as DatePhraseError {
      throw Failure(.usage, "\(option): \(error.message)", hint: Self.hint(on: error))
    }
  }

  /// The query of an option or an argument.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - option: The option or the argument, for messages.
  ///   - viewer: The time zone in which dates are resolved.
  /// - Returns: The query with what it needs to be applied.
  /// - Throws: `Failure` if the query is invalid; `ICUError` if ICU lacks its data.
  func matcher(
    _ text: String, option: String, viewer: ZoneRules
  ) throws -> QueryMatcher {
    do {
      let titles = (try? configuration().calendarTitles) ?? [:]
      let query = try ItemQuery(parsing: text, phrases: phrases(in: viewer)).namingCalendars(titles)
      return QueryMatcher(query, machine: machine, viewer: viewer)
    } catch let error as QueryError {
      throw Failure(.usage, "\(option): \(error.description)")
    }
  }

  private static func hint(on error: DatePhraseError) -> ConsoleText? {
    error.code == .syntax ? dateForms : nil
  }

  private static let dateForms: ConsoleText =
    "Dates and times are written as 2026-11-01, 2026-11-01T09:00, tomorrow 12:30, fri or +3d."
}
