// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole
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

  @OptionGroup var arguments: ViewArguments

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
    let request = try arguments.request(in: context, from: context.machine.now())
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
      for alarm in alarms { try console.stream(view.jsonLine(alarm)) }
    } else {
      var page = try AlarmPage(locale: context.machine.dateLocale, columns: console.columns)
      for line in try page.lines(of: alarms, in: request.viewer) { console.show(line) }
      if alarms.isEmpty { console.say("There is no alarm.") }
    }
    return view.outcome.status
  }
}
