// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICUServices
import ICalSyntax

/// `epact agenda`: shows the occurrences of each day.
struct AgendaCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "agenda",
    abstract: "Show what happens when.",
    discussion: """
      Shows the days on which something takes place, each with what takes all of it first. Dates and \
      times are in the language of LC_ALL, LC_TIME or LANG and in the time zone of the machine.

        •    takes the whole day; 2/3 is the second of three days
        …    began on a day before, or ends on a later one
        !    overlaps with something else
        ☐ ☑  a reminder, when it is due; ✎ a journal entry

      Without a calendar, all of the configuration are shown. With --json it prints one object, whose \
      "occurrences" have the members of epact occurrences, and "location", "status" and "calendar".
      """)

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @OptionGroup var options: AgendaOptions

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @Flag(help: "Include what is cancelled.")
  var cancelled = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(options.zone)
    let now = context.machine.now()
    let range = try options.range(in: viewer, now: now)
    let inputs = try CalendarInput.all(calendars, in: context)
    var settings = OccurrenceOptions()
    settings.includesCancelled = cancelled
    settings.reminders = .due
    settings.recurrence = context.recurrenceOptions
    var query = OccurrenceQuery(
      in: range, viewer: viewer, zones: context.zoneResolver, options: settings)
    var loader = OccurrenceLoader(
      console: context.console, days: range.days(in: viewer),
      zones: options.calendarZone.zones(in: context))
    try loader.load(inputs, into: &query)
    guard loader.status != .nothingDone else { return .nothingDone }
    let occurrences = query.occurrences()
    if json {
      try write(occurrences, in: range, viewer, &loader, context)
    } else {
      let page = try AgendaPage(
        locale: context.machine.dateLocale, columns: context.console.columns,
        today: viewer.civil(at: now)?.date, showsCalendars: inputs.count > 1)
      try show(occurrences, in: range, viewer, on: page, &loader, context)
    }
    return loader.status
  }

  private func show(
    _ occurrences: Occurrences, in range: Range<Instant>, _ viewer: ZoneRules,
    on page: consuming AgendaPage, _ loader: inout OccurrenceLoader, _ context: Context
  ) throws {
    var days = AgendaDays(occurrences, in: range, viewer: viewer)
    var page = page
    var isFirst = true
    while let day = days.next() {
      if !isFirst { context.console.show("") }
      isFirst = false
      let calendar = loader.calendar
      for line in try page.lines(of: day, calendar: calendar) { context.console.show(line) }
      guard !context.console.isBroken else { throw CancellationError() }
      try Task.checkCancellation()
    }
    if isFirst { context.console.say(try page.nothing(in: range, zone: viewer)) }
    loader.tell(days.occurrences.findings)
  }

  private func write(
    _ occurrences: Occurrences, in range: Range<Instant>, _ viewer: ZoneRules,
    _ loader: inout OccurrenceLoader, _ context: Context
  ) throws {
    var head = JSONBuilder()
    head.beginObject()
    head.member("from", viewer.rfc3339(range.lowerBound))
    head.member("to", viewer.rfc3339(range.upperBound))
    head.member("zone", viewer.name)
    head.name("occurrences")
    head.beginArray()
    context.console.write(head.bytes)
    var iterator = occurrences.makeIterator()
    var isFirst = true
    while let occurrence = iterator.next() {
      var json = JSONBuilder()
      json.beginObject()
      json.members(of: occurrence)
      json.member("location", occurrence.component[.location]?.text)
      json.member("status", occurrence.component[.status]?.text)
      json.member("calendar", loader.calendar(ofSource: occurrence.source))
      json.endObject()
      context.console.write(Array((isFirst ? "\n" : ",\n").utf8) + json.bytes)
      isFirst = false
      guard !context.console.isBroken else { throw CancellationError() }
    }
    context.console.write(Array("]}\n".utf8))
    loader.tell(iterator.findings)
  }
}

extension ZoneRules {
  /// The instant in RFC 3339 format, with the offset of the zone.
  func rfc3339(_ instant: Instant) -> String {
    guard let wall = civil(at: instant) else { return "\(instant)" }
    return OccurrenceTime(.zoned(wall, tzID: name), instant).rfc3339
  }
}
