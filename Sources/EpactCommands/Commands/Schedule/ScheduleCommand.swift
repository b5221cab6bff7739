// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact
import EpactConsole

/// `epact schedule`: schedules syncs.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Schedule syncs with systemd or cron.",
    discussion: """
      A timer of the user's systemd starts the sync every day or at an interval, after a random \
      delay that spreads the load of servers, and makes up for missed times. A service of the \
      user's systemd can watch the calendars instead. Another one shows the calendars in the \
      browser. Files that the program did not write are never overwritten.
      """,
    subcommands: [ScheduleInstall.self, ScheduleRemove.self, ScheduleShow.self])
}

/// `epact schedule install`.
struct ScheduleInstall: Command {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Schedule a sync every day, at an interval, or by a watch.",
    discussion: """
      A repeated call changes the schedule. A timer, the service of --watch and an entry in \
      crontab replace each other. With --serve, nothing is synced: systemd listens at the port of \
      the page, starts it for a browser, and ends it a quarter of an hour after the last one.
      """)

  @Argument(
    help: ArgumentHelp("Run only these syncs.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Start the sync at this local time. The default is \(ScheduleTime.usual).",
      valueName: "hh:mm"))
  var at: ScheduleTime?

  @Option(
    help: ArgumentHelp(
      "Start the sync at this interval, which divides an hour or a day, such as 30m or 2h.",
      valueName: "span"))
  var every: TimeSpan?

  @Flag(help: "Run epact watch as a service of systemd.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "Delay the start randomly by up to this many minutes. The default is 20, and with --every at "
        + "most a tenth of the interval.", valueName: "minutes")
  )
  var delay: Int?

  @Flag(help: "Use crontab instead of a systemd timer.")
  var cron = false

  @Flag(help: "Start the page in the browser when it is asked for.")
  var serve = false

  @Option(help: ArgumentHelp("With --serve: the port of the page.", valueName: "number"))
  var port: Int?

  @Option(help: ArgumentHelp("With --serve: the name of a proxy with TLS.", valueName: "name"))
  var host: [String] = []

  @Flag(help: "With --serve: show only.")
  var readOnly = false

  @Flag(name: .customLong("dry-run"), help: "Print the planned changes, and write nothing.")
  var isDryRun = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let hasSchedule = at != nil || every != nil || watch || cron || delay != nil || !names.isEmpty
    guard !serve || !hasSchedule else {
      throw ValidationError("--serve excludes the options of a schedule")
    }
    guard serve || port == nil && host.isEmpty && !readOnly else {
      throw ValidationError("--port, --host and --read-only are options of --serve")
    }
    guard (1...65_535).contains(port ?? 1) else {
      throw ValidationError("expected --port to be a number from 1 through 65535")
    }
    guard [at != nil, every != nil, watch].count(where: \.self) < 2 else {
      throw ValidationError("--at, --every and --watch exclude each other")
    }
    guard !watch || !cron, !watch || delay == nil else {
      throw ValidationError("--watch excludes --cron and --delay")
    }
    if let every, ScheduleTimes(every: every) == nil {
      throw ValidationError("--every is at least 5m, and divides an hour or a day")
    }
    guard 0...720 ~= delay ?? 0 else { throw ValidationError("--delay is from 0 to 720 minutes") }
    guard !names.contains(where: { $0.contains(where: \.isNewline) }) else {
      throw ValidationError("a name with a line end cannot be scheduled")
    }
  }

  private var times: ScheduleTimes {
    if watch { return .always }
    return every.flatMap { ScheduleTimes(every: $0) } ?? .daily(at ?? .usual)
  }

  /// Installs the page.
  private func installPage(in context: Context) throws -> ExitStatus {
    var call = PageCall()
    (call.hosts, call.isReadOnly) = (host, readOnly)
    let words = try call.words(in: context, global.config)
    let port = port ?? PageCall.usualPort
    let page = PageService(machine: context.machine)
    if isDryRun {
      try page.check()
      show(try page.files(port: port, words), in: context)
      return .done
    }
    let isNew = try page.install(port: port, words)
    context.console.say(
      "The page \(isNew ? "is" : "was") installed: http://127.0.0.1:\(port), with your password.")
    return .done
  }

  private func show(_ files: [(path: String, text: String)], in context: Context) {
    for (path, text) in files {
      context.console.show("\("# \(path)", .dim)\n\(ConsoleText(lines: text))")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    try context.expectNoAccount()
    if serve { return try installPage(in: context) }
    let configuration = try context.configuration()
    _ = try configuration.syncs(named: names)
    guard configuration.hasSyncs else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration to run",
        hint: "To make one: \(SuggestedCommand.initialize)")
    }
    let job = ScheduledJob(
      times: times, delay: delay ?? times.usualDelay, names: names,
      config: global.config.map(context.paths.absolute),
      executable: context.process.executablePath)
    let table = CronTable(machine: context.machine)
    let timer = SystemdTimer(machine: context.machine)
    guard !isDryRun else {
      if cron {
        context.console.show(ConsoleText(lines: table.text(of: job)))
      } else {
        show(timer.files(for: job), in: context)
      }
      return .done
    }
    if cron {
      let isNew = try table.install(job)
      context.console.say("The line \(isNew ? "is" : "was") in crontab: \(job.text).")
    } else {
      let isNew = try timer.install(job)
      let unit = watch ? "service" : "timer"
      context.console.say("The \(unit) \(isNew ? "is" : "was") installed: \(job.text).")
      if timer.linger == false {
        context.console.note(
          "It runs while you are logged in; to let it run always: loginctl enable-linger")
      }
    }
    removeOther(table, timer, in: context)
    return .done
  }

  /// Removes the other schedule: with both, each sync would run twice a night.
  ///
  /// A timer of another origin is kept and reported.
  private func removeOther(_ table: CronTable, _ timer: SystemdTimer, in context: Context) {
    do {
      if cron {
        if try timer.remove() { context.console.say("The timer is removed.") }
      } else if table.installed() != nil {
        if try table.remove() { context.console.say("The line is out of crontab.") }
      }
    } catch {
      context.console.warn(Failure(describing: error).message)
    }
  }
}

/// `epact schedule remove`.
struct ScheduleRemove: Command {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove the scheduled sync.",
    discussion: "Removes the timer, the service of --watch, and the entry in crontab.")

  @Flag(help: "Remove only the entry in crontab.")
  var cron = false

  @Flag(help: "Remove the page in the browser instead.")
  var serve = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !cron || !serve else { throw ValidationError("--cron and --serve exclude each other") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    if serve {
      let wasThere = try PageService(machine: context.machine).remove()
      context.console.say(wasThere ? "The page is removed." : "No page was installed.")
      return .done
    }
    let table = CronTable(machine: context.machine)
    if cron {
      if try table.remove() {
        context.console.say("The line is out of crontab.")
      } else {
        context.console.note("There is no line in crontab.")
      }
      return .done
    }
    // A machine without cron has no entry.
    let hadLine = try table.installed() != nil && table.remove()
    if hadLine { context.console.say("The line is out of crontab.") }
    let hadTimer = try SystemdTimer(machine: context.machine).remove()
    if hadTimer { context.console.say("The timer is removed.") }
    if !hadLine, !hadTimer { context.console.note("Nothing was installed.") }
    return .done
  }
}

/// `epact schedule show`.
struct ScheduleShow: Command {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the next scheduled run.")

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let found = [
      try SystemdTimer(machine: context.machine).installed(),
      CronTable(machine: context.machine).installed(),
    ].compactMap { $0 }
    let zone = try context.viewerZone(nil)
    let now = context.machine.now()
    if json {
      let objects = found.map { $0.json(after: now, in: zone) }
      context.console.write(["schedules": .array(objects)])
      return .done
    }
    context.console.write(found.flatMap { $0.messages(after: now, in: zone) })
    if let page = try PageService(machine: context.machine).installed() {
      let state = page.isActive == false ? ", which systemd does not listen at" : ""
      context.console.show("The page in the browser: \(page.address)\(state)")
    }
    if found.isEmpty {
      context.console.note(
        "No sync is scheduled; to schedule one: \(SuggestedCommand.scheduleInstall)")
    }
    return .done
  }
}

extension ScheduleTime: ExpressibleByArgument {
  /// Parses the argument; nil if it is no time of day.
  init?(argument: String) {
    self.init(parsing: argument)
  }
}
