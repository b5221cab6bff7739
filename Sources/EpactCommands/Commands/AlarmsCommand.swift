// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICalSyntax

/// `epact alarms`: lists the next alarms.
struct AlarmsCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "alarms",
    abstract: "List the next alarms.",
    discussion: """
      Lists the alarms of events and reminders from now on, or from --from on, for each occurrence \
      and with their repetitions. Acknowledged alarms, and alarms of cancelled and completed \
      items, are omitted.

      With --json, prints one object a line, with these members:

        at            the time in RFC 3339 format, in the viewer's time zone
        action        DISPLAY, AUDIO, EMAIL or another word, or null
        description   the text of the alarm, or null
        repetition    the number of previous repetitions
        snoozeOf      the UID of the alarm that it snoozes, or null
        calendar      the calendar

      and the members of epact occurrences for the occurrence.
      """)

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @OptionGroup var range: RangeArguments

  @Option(help: ArgumentHelp("Stop after this many alarms.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let request = try range.request(calendars, in: context, from: context.machine.now())
    let view = try AlarmView(
      alarmsOf: request, limit: limit ?? AlarmQuery.limit, machine: context.machine
    ) { console.report($0) }
    guard view.outcome != .nothing else { return .nothingDone }
    let alarms = view.alarms
    if view.isCut, alarms.count < limit ?? .max {
      console.report(
        "There are more than \(Count.grouped(alarms.count)) alarms; only the first are shown. "
          + "Ask for a shorter time.")
    }
    if json {
      for alarm in alarms { try console.stream(Self.json(alarm, request.viewer, view)) }
    } else {
      try show(alarms, request.viewer, context)
    }
    return view.outcome.status
  }

  private func show(
    _ alarms: some Collection<AlarmOccurrence>, _ viewer: ZoneRules, _ context: Context
  ) throws {
    var dates = try ViewDates(locale: context.machine.dateLocale)
    var times: [String] = []
    for alarm in alarms {
      let wall = viewer.civil(at: alarm.instant) ?? CivilDateTime(.last, .midnight)
      times.append(try dates.text(wall))
    }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (alarm, time) in zip(alarms, times) {
      let room = (context.console.columns ?? .max) - width - 2
      let title = DisplayWidth.truncated(SafeText.escaped(alarm.occurrence.title), to: max(0, room))
      let action = alarm.alarm.action?.rawValue ?? ""
      let isShown = room - DisplayWidth.of(title) > DisplayWidth.of(action) + 2
      context.console.show(
        "\(DisplayWidth.padded(time, to: width), .cyan)  "
          + "\(title)\(isShown ? "  " : "")\(isShown ? action : "", action.isEmpty || !isShown ? nil : .dim)"
      )
    }
    if times.isEmpty { context.console.say("There is no alarm.") }
  }

  private static func json(
    _ alarm: AlarmOccurrence, _ viewer: ZoneRules, _ view: AlarmView
  ) -> [UInt8] {
    var json = JSONBuilder()
    json.beginObject()
    json.member("at", viewer.rfc3339(alarm.instant))
    json.member("action", alarm.alarm.action?.rawValue)
    json.member("description", alarm.alarm.descriptionText)
    json.name("repetition")
    json.literal(String(alarm.repetition))
    json.member("snoozeOf", alarm.snoozedAlarm?.rawValue)
    json.member("calendar", view.calendar(ofSource: alarm.occurrence.source))
    json.members(of: alarm.occurrence)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
