// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact
import EpactConsole

/// The calendars, and the options for the range and the time zone, in commands that show them.
struct ViewArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A date or a period such as tomorrow, then names of the configuration, files, folders, or - "
        + "for standard input.",
      valueName: "date and calendars"), completion: .calendars)
  var calendars: [String] = []

  @Option(
    help: ArgumentHelp(
      "Start at this date or time, such as 2026-11-01, tomorrow or \"mon 9:00\". The default is "
        + "today.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("End before this date or time.", valueName: "date"))
  var to: String?

  @Option(
    help: ArgumentHelp("Show this many days, instead of --to. The default is 7.", valueName: "N"))
  var days: Int?

  @OptionGroup var zone: ZoneOption

  @OptionGroup var calendarZone: CalendarZoneOption

  /// The maximum number of days.
  static let dayLimit = 36_525

  /// Whether an option restricts the range.
  var isRestricted: Bool { from != nil || to != nil || days != nil }

  func validate() throws {
    if days != nil, to != nil { throw ValidationError("--days and --to exclude each other") }
    if let days, !(1...Self.dayLimit ~= days) {
      throw ValidationError("--days is a number from 1 through \(Self.dayLimit)")
    }
  }

  /// The request for calendars in the range.
  ///
  /// The first arguments may be a date or a period, such as `tomorrow` or `next week`. Without --to
  /// and --days, it is the whole range.
  ///
  /// - Parameters:
  ///   - context: The environment of the command.
  ///   - start: The default start; nil for the current day.
  ///   - limit: The maximum number of days; nil for none.
  ///   - isListed: Whether the calendars come from a list, so that the arguments name none.
  /// - Returns: The request.
  /// - Throws: `Failure` for an invalid date, and if the range ends before it starts or is too
  ///   long.
  func request(
    in context: Context, from start: Instant? = nil, limit: Int? = dayLimit,
    isListed: Bool = false
  ) throws -> ViewRequest {
    let viewer = try context.viewerZone(zone.name)
    let (span, count) = try context.arguments.span(before: calendars, in: viewer)
    if let from, span != nil {
      let date = calendars.prefix(count).joined(separator: " ")
      throw Failure(.usage, "expected a date or --from, found both: \(date) and \(from)")
    }
    var range = try range(in: viewer, context, from: span?.start ?? start.map { .instant($0) })
    if let whole = span?.range(in: viewer), !whole.isEmpty, to == nil, days == nil { range = whole }
    let length = range.upperBound.secondsSinceEpoch - range.lowerBound.secondsSinceEpoch
    if let limit, length > Int64(limit) * 86_400 {
      throw Failure(.usage, "expected at most \(limit) days, found more")
    }
    guard !isListed || count == calendars.count else {
      throw Failure(.usage, "--files-from and other files exclude each other")
    }
    let inputs = isListed ? [] : try context.arguments.locations(calendars, after: count)
    var request = ViewRequest(inputs, in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    request.user = context.userAddresses
    request.indexedPaths = context.indexedPaths
    request.copySuffixes = context.copySuffixes
    return request
  }

  private func range(
    in zone: ZoneRules, _ context: Context, from defaultStart: Moment?
  ) throws -> Range<Instant> {
    let today = zone.civil(at: context.machine.now())?.date ?? .first
    let first = try from.map { try context.arguments.moment($0, option: "--from", in: zone) }
    let start = (first ?? defaultStart ?? .date(today)).instant(in: zone)
    let end: Instant
    if let to {
      end = try context.arguments.moment(to, option: "--to", in: zone).instant(in: zone)
    } else {
      let first = zone.civil(at: start) ?? CivilDateTime(today, .midnight)
      end = first.adding(days: days ?? 7).map(zone.instant) ?? zone.end(of: .last)
    }
    guard start < end else {
      throw Failure(
        .usage, "expected a range with --from before --to, found none",
        hint: start == end ? "The day of --to is not included. One day is --days 1." : nil)
    }
    return start..<end
  }
}

/// The option `--zone`.
struct ZoneOption: ParsableArguments {
  @Option(
    name: .customLong("zone"),
    help: ArgumentHelp(
      "Use this time zone for days and floating times, instead of that of the machine.",
      valueName: "zone"), completion: .zoneNames)
  var name: String?
}

/// The option `--where`.
struct WhereOption: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Include only items that match this query, such as "
        + "\"attendee~ana and not status:cancelled\".",
      valueName: "query"))
  var query: String?

  /// The matcher of the query; nil without one.
  ///
  /// - Throws: `Failure` if the query is invalid; `ICUError` if ICU lacks its data.
  func matcher(in context: Context, viewer: ZoneRules) throws -> QueryMatcher? {
    try query.map { try context.arguments.matcher($0, option: "--where", viewer: viewer) }
  }
}
