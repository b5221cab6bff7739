// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICalSyntax

/// `epact occurrences`: writes the occurrences in a range of time as JSON.
struct OccurrencesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "occurrences",
    abstract: "Write what takes place when, one JSON object a line.",
    discussion: """
      Recurring items are expanded, with their overrides. Each line has the members

        uid           the UID, or null
        recurrenceId  when the instance starts by its series, or null if the item does not recur
        start, end    when it takes place; the end is not part of it
        zone          the TZID of the start, "UTC", or null for floating times and days
        allDay        whether it takes whole days
        summary       the title, or null
        component     VEVENT, VTODO or VJOURNAL

      Days are dates (2026-11-01); times are as in RFC 3339, with the offset of the zone that the \
      item itself is in. Floating times have the offset of --zone. The end of a reminder is when it \
      is due, and one that is due on a day ends with that day.

      What takes place at any time from A on and before B is there, also if it began before A. The \
      order is by start, then whole days first, then by end, by UID and so on: it does not depend on \
      that of the files. What is cancelled is left out unless --cancelled is given.

      Faults are named with their place on standard error, and do not keep the rest from being read.
      """)

  @Argument(
    help: ArgumentHelp("Files, folders, or - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The start: a date or a time, as 2026-11-01, 20261101T080000Z or 2026-11-01T09:00:00+01:00.",
      valueName: "A"))
  var from: MomentArgument

  @Option(
    help: ArgumentHelp(
      "The end, which is not part of it: 2026-12-01 is the first moment of that day.",
      valueName: "B"))
  var to: MomentArgument

  @Option(
    help: ArgumentHelp(
      "The time zone of whoever looks, for days, floating times, and an A and B without an offset; "
        + "that of the machine if it is not given.", valueName: "Z"), completion: .zoneNames)
  var zone: String?

  @Option(help: ArgumentHelp("Stop after so many.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Include what is cancelled.")
  var cancelled = false

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(zone)
    let (start, end) = (from.instant(in: viewer), to.instant(in: viewer))
    guard start <= end else { throw Failure(.usage, "expected --from before --to, found it after") }
    var options = OccurrenceOptions()
    options.includesCancelled = cancelled
    options.recurrence = context.recurrenceOptions
    var query = OccurrenceQuery(
      in: start..<end, viewer: viewer, zones: context.zoneResolver, options: options)
    var loader = OccurrenceLoader(
      console: context.console, charset: charset, days: query.range.days(in: viewer),
      zones: calendarZone.zones(in: context))
    try loader.load(files.map(CalendarInput.init(path:)), into: &query)
    guard loader.status != .nothingDone else { return .nothingDone }
    var iterator = query.occurrences().makeIterator()
    var count = 0
    while count < limit ?? .max, let occurrence = iterator.next() {
      count += 1
      var json = JSONBuilder()
      json.beginObject()
      json.members(of: occurrence)
      json.endObject()
      context.console.write(json.bytes + [UInt8(ascii: "\n")])
      guard !context.console.isBroken else { throw CancellationError() }
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    loader.tell(iterator.findings)
    return loader.status
  }
}
