// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICUServices
import ICalSyntax

/// `epact alarms`: lists the next alarms.
struct AlarmsCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "alarms",
    abstract: "Tell which alarms go off next.",
    discussion: """
      From now on, or from --from on: alarms of events and reminders, of each occurrence, with their \
      repetitions. What was acknowledged, is cancelled or is done has none.

      With --json it prints one object a line, with the members

        at            when it goes off, as in RFC 3339, in the time zone of whoever looks
        action        DISPLAY, AUDIO, EMAIL or another word, or null
        description   the text of the alarm, or null
        repetition    how many times it went off before
        snoozeOf      the UID of the alarm that it repeats because it was put off, or null
        calendar      the calendar

      and those of epact occurrences, for what it goes off.
      """)

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @OptionGroup var options: AgendaOptions

  @Option(help: ArgumentHelp("Stop after so many.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Print one JSON object a line instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(options.zone)
    let now = context.machine.now()
    var options = options
    if options.from == nil { options.from = .instant(now) }
    let range = try options.range(in: viewer, now: now)
    let inputs = try CalendarInput.all(calendars, in: context)
    var settings = OccurrenceOptions()
    settings.recurrence = context.recurrenceOptions
    var query = AlarmQuery(
      in: range, viewer: viewer, zones: context.zoneResolver, options: settings,
      limit: limit ?? AlarmQuery.limit)
    var loader = OccurrenceLoader(
      console: context.console, zones: options.calendarZone.zones(in: context))
    try loader.load(inputs, into: &query)
    guard loader.status != .nothingDone else { return .nothingDone }
    let alarms = query.alarms
    if query.isCut, alarms.count < limit ?? .max {
      context.console.report(
        "There are more than \(Count.grouped(alarms.count)) alarms; only the first are shown. "
          + "Ask for a shorter time.")
    }
    if json {
      for alarm in alarms {
        context.console.write(Self.json(alarm, viewer, loader))
        guard !context.console.isBroken else { throw CancellationError() }
      }
    } else {
      try show(alarms, viewer, context)
    }
    return loader.status
  }

  private func show(
    _ alarms: some Collection<AlarmOccurrence>, _ viewer: ZoneRules, _ context: Context
  ) throws {
    var dates = try LocalizedDates(locale: context.machine.dateLocale)
    var times: [String] = []
    for alarm in alarms {
      let wall = viewer.civil(at: alarm.instant) ?? CivilDateTime(.last, .midnight)
      times.append(PlainText.of(try dates.text(wall, .dateAndTime)))
    }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (alarm, time) in zip(alarms, times) {
      let room = (context.console.columns ?? .max) - width - 2
      let title = DisplayWidth.truncated(SafeText.escaped(alarm.occurrence.title), to: max(0, room))
      let action = alarm.alarm.action?.rawValue ?? ""
      let isShown = room - DisplayWidth.of(title) > DisplayWidth.of(action) + 2
      context.console.show(
        "\(DisplayWidth.padded(time, to: width), .cyan)  \(title)\(isShown ? "  " : "")\(isShown ? action : "", action.isEmpty || !isShown ? nil : .dim)"
      )
    }
    if times.isEmpty { context.console.say("No alarm goes off.") }
  }

  private static func json(
    _ alarm: AlarmOccurrence, _ viewer: ZoneRules, _ loader: OccurrenceLoader
  ) -> [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.member("at", viewer.rfc3339(alarm.instant))
    json.member("action", alarm.alarm.action?.rawValue)
    json.member("description", alarm.alarm.descriptionText)
    json.name("repetition")
    json.literal(String(alarm.repetition))
    json.member("snoozeOf", alarm.snoozedAlarm?.rawValue)
    json.member("calendar", loader.calendar(ofSource: alarm.occurrence.source))
    json.members(of: alarm.occurrence)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
