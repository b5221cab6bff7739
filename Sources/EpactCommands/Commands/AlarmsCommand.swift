// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole
import Logging

/// `epact alarms`: lists, shows, snoozes and acknowledges alarms.
struct AlarmsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alarms",
    abstract: "List the next alarms, show them when they are due, or snooze them.",
    discussion: "Without a subcommand, lists the alarms.",
    subcommands: [AlarmsListCommand.self, AlarmsSnooze.self, AlarmsAcknowledge.self],
    defaultSubcommand: AlarmsListCommand.self)
}

/// The argument for an item whose alarm was triggered.
struct AlarmItem: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The UID of the item, its beginning, or a part of the title.", valueName: "item"))
  var item: String

  /// Calls `body` with the last alarm of the item.
  func settle(
    in context: Context, _ body: (AlarmEditor, AlarmEditor.Found) throws -> Void
  ) throws -> AlarmEditor.Found {
    let editor = AlarmEditor(context.library, viewer: try context.viewerZone(nil))
    do {
      let found = try editor.lastAlarm(of: item)
      try body(editor, found)
      return found
    } catch let error as LibraryError {
      throw Failure(
        error.code == .changedMeanwhile || error.code == .unavailable ? .unavailable : .nothingDone,
        "\(error.message)")
    }
  }
}

/// `epact alarms snooze`.
struct AlarmsSnooze: Command {
  static let configuration = CommandConfiguration(
    commandName: "snooze", abstract: "Repeat the last alarm of an item later.",
    discussion: """
      Acknowledges the alarms of the item within a week, and adds a snooze alarm for the last one \
      (RFC 9074). The next sync sends the change, so that other programs stop the alarm, too.
      """)

  @OptionGroup var item: AlarmItem

  @Argument(help: ArgumentHelp("The time from now on, such as 10m or 2h.", valueName: "span"))
  var span: TimeSpan

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let now = context.machine.now()
    guard let instant = now.adding(seconds: Int64(span.seconds)) else { return .usage }
    let found = try item.settle(in: context) { try $0.snooze($1, until: instant) }
    context.console.say("\"\(found.entry.item.title)\": the alarm is repeated in \(span).")
    return .done
  }
}

/// `epact alarms acknowledge`.
struct AlarmsAcknowledge: Command {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge", abstract: "Acknowledge the alarms of an item.",
    discussion: """
      Writes the time of the acknowledgement to the alarms that were triggered within a week, and \
      removes their snooze alarms (RFC 9074). The next sync sends the change, so that other programs \
      stop the alarm, too.
      """)

  @OptionGroup var item: AlarmItem

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let found = try item.settle(in: context) { try $0.acknowledge($1) }
    context.console.say("\"\(found.entry.item.title)\" is acknowledged.")
    return .done
  }
}

/// `epact alarms list`: lists the next alarms, or shows them when they are due.
struct AlarmsListCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the next alarms, or show them when they are due.",
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

      With --watch, waits for alarms, and runs a command for each, once. The default command is \
      notify-send. The title of the item and a text are appended to its arguments, the line of \
      --json is its standard input, and $EPACT_LATE is 1 if the alarm is late, for example after \
      a suspend, and 0 otherwise. Alarms of the last 24 hours that were missed are shown late, but \
      none from before the first --watch on this machine. No shell is involved.
      """)

  @OptionGroup var arguments: ViewArguments

  @Option(help: ArgumentHelp("Stop after this many alarms.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Flag(help: "Wait for alarms, and show each when it is due.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Run this program with its arguments instead of notify-send.", valueName: "words"))
  var command: String?

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { !watch }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
    if command != nil, !watch { throw ValidationError("--command needs --watch") }
    if let command, ShellWord.words(in: command)?.first?.isEmpty != false {
      throw ValidationError("--command names no program, or has an open quote")
    }
    guard watch else { return }
    if json || limit != nil || arguments.isRestricted {
      throw ValidationError("--watch excludes --json, --limit, --from, --to and --days")
    }
    if arguments.calendars.contains("-") {
      throw ValidationError("standard input cannot be watched")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    if watch { return try await show(in: context) }
    let console = context.console
    let request = try arguments.request(in: context, from: context.machine.now())
    var problems = FileProblems(console)
    defer { problems.finish() }
    let view = try AlarmView(
      alarmsOf: request, limit: limit ?? AlarmQuery.limit, machine: context.machine
    ) { problems.take($0) }
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
      var page = try ViewPage(context.viewStyle())
      console.show(try page.lines(of: alarms, in: request.viewer))
      if alarms.isEmpty { console.say("There is no alarm.") }
    }
    return view.outcome.status
  }

  /// Shows alarms until the program is interrupted.
  private func show(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let viewer = try context.viewerZone(arguments.zone.name)
    let inputs = try context.arguments.locations(arguments.calendars).map { input in
      CalendarLocation(path: context.paths.absolute(input.path), name: input.name)
    }
    let words = command.flatMap { ShellWord.words(in: $0) } ?? AlarmNotice.usualCommand
    let hook = Hook("alarm", words: words, machine: context.machine)
    let watch = AlarmWatch(
      inputs, viewer: viewer, options: arguments.calendarZone.options(in: context),
      user: context.userAddresses, machine: context.machine)
    var isFirst = true
    do {
      try await watch.run(
        waiting: { next in
          if isFirst { console.note("Waiting for alarms of \(Count(inputs.count, "calendar")).") }
          isFirst = false
          context.log.debug("waiting", metadata: ["next": "\(next.map { "\($0)" } ?? "none")"])
        },
        { due, view in
          do {
            let notice = try AlarmNotice(due, in: viewer, locale: context.machine.dateLocale)
            try hook.run(
              ["EPACT_LATE": due.isLate ? "1" : "0"],
              appending: notice.arguments(for: words),
              input: String(decoding: view.jsonLine(due.alarm), as: UTF8.self))
            console.say("\(notice.title): \(notice.text)")
            _ = console.finish()
            return true
          } catch {
            console.warn(Failure(describing: error).line)
            return false
          }
        })
    } catch  where Task.isCancelled {
      console.note("The watch has ended.")
    }
    return .done
  }
}
