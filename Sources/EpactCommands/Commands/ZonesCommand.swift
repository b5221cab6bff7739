// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import EpactConsole

/// `epact zones`: shows time zones, and resolves time zone names.
struct ZonesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "Show time zones, and resolve time zone names.",
    discussion: """
      Without a name, prints the source of the time zones, and the name and the current time of \
      each zone. With names, prints how each is resolved, as in files, and the next changes of its \
      clocks; a name that cannot be resolved is an error with a reason.

      With --file, prints how each TZID of a file is resolved, and where the file's own definition \
      (VTIMEZONE) differs for the times in use. Exits with status 4 if a definition differs or a \
      TZID cannot be resolved.

      A change is printed as the UTC time, and the offsets before and after it.

      Time zones are read from the folder of --zoneinfo, an option of every command, otherwise \
      from $TZDIR or from the system. If there are none, and with --zoneinfo ICU, those of ICU are \
      used, which are often out of date.
      """)

  @Argument(help: ArgumentHelp("Names of time zones.", valueName: "tzid"), completion: .zoneNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report on the time zones of this file, folder, or - for standard input (repeatable).",
      valueName: "file"), completion: .file())
  var file: [String] = []

  @OptionGroup var charset: CharsetOption

  @Option(
    help: ArgumentHelp(
      "Use this time instead of the current one, in UTC or with an offset.", valueName: "time"))
  var at: String?

  @Option(help: "Print this many changes of the clocks.")
  var next = 4

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if !file.isEmpty, !names.isEmpty {
      throw ValidationError("names and --file exclude each other")
    }
    guard 0...1000 ~= next else { throw ValidationError("--next is a number from 0 through 1000") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let now =
      try at.map { try context.arguments.moment($0, option: "--at", in: .utc).instant(in: .utc) }
      ?? context.machine.now()
    context.warnAboutFallback()
    let page = ZonePage(context.machine)
    guard file.isEmpty else { return try report(on: file, now, page, in: context) }
    return names.isEmpty ? list(now, page, in: context) : explain(names, now, page, in: context)
  }

  /// Prints all zones.
  private func list(_ now: Instant, _ page: ZonePage, in context: Context) -> ExitStatus {
    let (console, machine) = (context.console, context.machine)
    guard let source = machine.zones.source else {
      console.complain(
        Failure(.nothingDone, "there are no time zones", hint: "Install tzdata on Debian."))
      return .nothingDone
    }
    let names = machine.zoneNames
    var status = ExitStatus.done
    var members: [JSONValue] = []
    if !json { console.show(page.heading(of: names, from: source)) }
    for name in names.zones {
      do throws(ZoneError) {
        let zone = try machine.zone(named: name, at: now)
        if json {
          members.append(.object([.init("name", .string(name))] + zone.members))
        } else {
          console.show(page.line(of: name, zone))
        }
      } catch {
        console.complain(Failure(.someFailed, "\(error)"))
        status = .someFailed
      }
      guard !console.isBroken else { return status }
    }
    if json { console.write(machine.json(of: members, at: now)) }
    return status
  }

  /// Prints how names are resolved.
  private func explain(
    _ names: [String], _ now: Instant, _ page: ZonePage, in context: Context
  ) -> ExitStatus {
    let machine = context.machine
    var refused = 0
    var members: [JSONValue] = []
    for (index, name) in names.enumerated() {
      let zone = machine.zoneResolver.resolve(name)
      do throws(ZoneResolutionError) {
        let information = try machine.zone(zone, at: now)
        members.append(zone.json(information, changes: next))
        guard !json else { continue }
        if index > 0 { context.console.show("") }
        context.console.show(page.lines(of: zone, information, changes: next))
      } catch {
        refused += 1
        members.append(.object(zone.members))
        context.console.complain(failure(zone, error, machine))
      }
    }
    if json { context.console.write(machine.json(of: members, at: now)) }
    return refused == 0 ? .done : refused < names.count ? .someFailed : .nothingDone
  }

  private func failure(
    _ zone: ResolvedZone, _ error: ZoneResolutionError, _ machine: Machine
  ) -> Failure {
    guard let refusal = zone.refusal else { return Failure(.nothingDone, "\(error)") }
    return Failure(
      .nothingDone, "expected the name of a time zone, found \"\(zone.tzID)\", \(refusal.clause)",
      hint: machine.similarZoneName(to: zone.tzID).map { "Did you mean \($0)?" })
  }

  /// Prints how the TZIDs of files are resolved.
  private func report(
    on files: [String], _ now: Instant, _ page: ZonePage, in context: Context
  ) throws -> ExitStatus {
    let console = context.console
    var statuses: Set<ExitStatus> = []
    var members: [JSONValue] = []
    let sources = FileSource.find(files, needsFiles: true) { event in
      console.report(event)
      statuses.insert(.nothingDone)
    }
    for source in sources {
      do {
        let reports = try source.zoneReports(
          charset: charset.choice, now: now, machine: context.machine)
        if reports.contains(where: \.isFault) { statuses.insert(.found) }
        members += reports.map { $0.json(path: source.label) }
        if !json { console.show(reports.flatMap { page.lines(of: $0, path: source.label) }) }
      } catch let error where error is FileError || error is EpactError {
        console.complain(Failure(describing: error))
        statuses.insert(.nothingDone)
      }
    }
    if json { console.write(["timeZones": .array(members)]) }
    return ExitStatus.worst(of: statuses)
  }
}
