// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import Epact
import EpactConsole

/// `epact freebusy`: writes free/busy information without event details.
struct FreeBusyCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "freebusy",
    abstract: "Write free/busy information without event details.",
    discussion: """
      Writes a calendar with one VFREEBUSY (RFC 5545 §3.6.4), whose periods are in UTC, in order, \
      and do not overlap. Events count as busy time unless they are transparent, cancelled or have \
      no duration; tentative events are BUSY-TENTATIVE. All-day events count like others, unless \
      --all-day-free is given. Periods of VFREEBUSY components keep their type. Times outside of \
      the available times of a VAVAILABILITY (RFC 7953) have its busy type.

      Without a calendar, all calendars of the configuration count. An output file is written \
      completely or not at all. With --json, prints an object with "from", "to", "zone" and \
      "periods"; each period has "start", "end" and "type".
      """)

  @OptionGroup var arguments: ViewArguments

  @OptionGroup var output: OutputOption

  @Flag(
    name: .customLong("all-day-free"), help: "Omit all-day events without TRANSP:OPAQUE.")
  var isAllDayFree = false

  @Flag(help: "Print the periods as one JSON object instead of a calendar.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if json, output.path != nil { throw ValidationError("--json and --output exclude each other") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let request = try arguments.request(in: context)
    guard !request.range.isEmpty else {
      throw Failure(.usage, "expected a range of time, found one that is empty")
    }
    var problems = FileProblems(console)
    defer { problems.finish() }
    var view = try OccurrenceView(request, machine: context.machine) { problems.take($0) }
    guard view.outcome != .nothing else { return .nothingDone }
    let freeBusy = try view.freeBusy(allDayBlocks: !isAllDayFree) { problems.take($0) }
    guard !json else {
      console.write(freeBusy.json(in: request.viewer))
      return view.outcome.status
    }
    let bytes = freeBusy.calendar(stamp: context.machine.now())
    guard let path = output.path else {
      console.write(bytes)
      return view.outcome.status
    }
    try AtomicFile.write(bytes, to: context.paths.absolute(path), permissions: .shared)
    console.note("\(Count(freeBusy.periods.count, "period")) written to \(path).")
    return view.outcome.status
  }
}
