// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact

/// `epact schedule`: schedules a sync every night.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Sync every night: by a timer of systemd, or a line of crontab.",
    discussion: """
      A timer of the person's own systemd runs a while after the time, so that not everybody asks a \
      server at once, and catches up on nights when the machine was off. What was written by somebody \
      else is never overwritten.
      """,
    subcommands: [ScheduleInstall.self, ScheduleRemove.self, ScheduleShow.self])
}

/// `epact schedule install`.
struct ScheduleInstall: Command {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Sync every night from now on.",
    discussion: """
      Doing it once more changes the time, and nothing else. A timer takes the place of a line of crontab, \
      and a line that of a timer.
      """)

  @Argument(
    help: ArgumentHelp("The syncs to run, instead of all of them.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Option(help: ArgumentHelp("When, on the clock on the wall.", valueName: "hh:mm"))
  var at = ScheduleTime.usual

  @Option(
    help: ArgumentHelp("Up to how many minutes later, by chance.", valueName: "minutes"))
  var delay = 20

  @Flag(help: "Write a line of crontab, instead of a timer of systemd.")
  var cron = false

  @Flag(name: .customLong("dry-run"), help: "Print what would be written, and write nothing.")
  var isDryRun = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard 0...720 ~= delay else { throw ValidationError("--delay is from 0 to 720 minutes") }
    guard !names.contains(where: { $0.contains(where: \.isNewline) }) else {
      throw ValidationError("a name with a line end cannot be scheduled")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let known = try context.configuration().syncs.map(\.name)
    if let missing = names.first(where: { !known.contains($0) }) {
      let near = Suggestion.nearest(to: missing, among: known)
      throw Failure(
        .configuration,
        near.map { "there is no sync \"\(missing)\" in the configuration; did you mean \"\($0)\"?" }
          ?? "there is no sync \"\(missing)\" in the configuration")
    }
    guard !known.isEmpty else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration to run",
        hint: "To make one: \(SuggestedCommand.initialize)")
    }
    let job = ScheduledJob(
      time: at, delay: delay, names: names, config: global.config.map(context.paths.absolute),
      executable: context.process.executablePath)
    let (table, timer) = (CronTable(context: context), SystemdTimer(context: context))
    if cron {
      try table.install(job, isDryRun: isDryRun)
    } else {
      try timer.install(job, isDryRun: isDryRun)
    }
    guard !isDryRun else { return .done }
    // With both, each sync would run twice a night. A timer of another origin is kept and reported.
    do {
      if cron {
        _ = try timer.remove()
      } else if table.installed() != nil {
        _ = try table.remove()
      }
    } catch let error as Failure {
      context.console.warn(error.message)
    }
    return .done
  }
}

/// `epact schedule remove`.
struct ScheduleRemove: Command {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Sync by itself no more.",
    discussion: "Takes away what was installed, be it a timer, a line of crontab or both.")

  @Flag(help: "Remove the line of crontab alone.")
  var cron = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let table = CronTable(context: context)
    if cron {
      if try !table.remove() { context.console.note("There is no line in crontab.") }
      return .done
    }
    // A machine without cron has no entry.
    let hadLine = try table.installed() != nil && table.remove()
    let hadTimer = try SystemdTimer(context: context).remove()
    if !hadLine, !hadTimer { context.console.note("Nothing was installed.") }
    return .done
  }
}

/// `epact schedule show`.
struct ScheduleShow: Command {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Tell when the next sync runs by itself.")

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let found = [
      try SystemdTimer(context: context).installed(), CronTable(context: context).installed(),
    ].compactMap { $0 }
    let zone = try context.viewerZone(nil)
    if json {
      let objects = found.map { entry -> JSONValue in
        [
          "kind": .string(entry.kind), "place": .string(entry.place),
          "at": .string("\(entry.time)"), "delayMinutes": .integer(entry.delay),
          "next": JSONValue(entry.time.next(after: context.machine.now(), in: zone)),
          "active": entry.isActive.map { .bool($0) } ?? .null,
        ]
      }
      context.console.write(["schedules": .array(objects)])
      return .done
    }
    for entry in found {
      let next = entry.time.next(after: context.machine.now(), in: zone) ?? "unknown"
      let later = entry.delay > 0 ? ", up to \(entry.delay) min later" : ""
      context.console.say(
        "\(entry.kind, .bold): next at \(next) \(zone.name)\(later) (\(entry.place))")
      if entry.isActive == false {
        context.console.warn(
          "the timer is not running; to start it: systemctl --user enable --now epact.timer")
      }
    }
    if found.isEmpty {
      context.console.note(
        "Nothing runs by itself; to change that: \(SuggestedCommand.scheduleInstall)")
    }
    return .done
  }
}
