// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import CivilTime
import Epact
import ICalSyntax

/// `epact freebusy`: writes free/busy information without event details.
struct FreeBusyCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "freebusy",
    abstract: "Write when somebody is busy, and not with what.",
    discussion: """
      Writes a calendar with one VFREEBUSY (RFC 5545 §3.6.4), whose periods are in UTC, in order, and \
      do not overlap. Events make somebody busy unless they are transparent, cancelled or take no \
      time; tentative ones as BUSY-TENTATIVE. Periods of VFREEBUSY components in the calendars count \
      as they say. Events of whole days count as any others do, unless --all-day-free is given. \
      Outside of what a VAVAILABILITY (RFC 7953) names as available, somebody is busy as it says.

      Without a calendar, all of the configuration count. A file is written at once or not at all.
      """)

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @OptionGroup var options: AgendaOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write to, instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(
    name: .customLong("all-day-free"),
    help: "Leave out events of whole days that do not say TRANSP:OPAQUE.")
  var isAllDayFree = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(options.zone)
    let now = context.machine.now()
    let range = try options.range(in: viewer, now: now)
    guard !range.isEmpty else {
      throw Failure(.usage, "expected a range of time, found one that is empty")
    }
    let inputs = try CalendarInput.all(calendars, in: context)
    var settings = OccurrenceOptions()
    settings.recurrence = context.recurrenceOptions
    var query = OccurrenceQuery(
      in: range, viewer: viewer, zones: context.zoneResolver, options: settings)
    var loader = OccurrenceLoader(
      console: context.console, days: range.days(in: viewer),
      zones: options.calendarZone.zones(in: context))
    try loader.load(inputs, into: &query)
    guard loader.status != .nothingDone else { return .nothingDone }
    var freeBusy = FreeBusy(in: range)
    freeBusy.allDayBlocks = !isAllDayFree
    var iterator = query.occurrences().makeIterator()
    while !freeBusy.isFull, let occurrence = iterator.next() { freeBusy.add(occurrence) }
    loader.tell(iterator.findings)
    for component in loader.freeBusy { freeBusy.add(component) }
    var availability = Availability(
      in: range, viewer: viewer, zones: context.zoneResolver, options: settings)
    for file in loader.availabilities {
      for component in file.components {
        availability.add(component, timeZones: file.timeZones, source: file.source)
      }
    }
    loader.tell(availability.findings)
    freeBusy.add(availability.periods)
    guard !freeBusy.isFull else {
      throw Failure(
        .nothingDone,
        "there are more than \(Count.grouped(FreeBusy.limit)) periods of busy time; "
          + "ask for a shorter time")
    }
    let bytes = Self.calendar(with: freeBusy, stamp: now)
    guard let output, output != "-" else {
      context.console.write(bytes)
      return loader.status
    }
    try AtomicFile.write(bytes, to: context.paths.absolute(output), permissions: .shared)
    context.console.note("\(Count(freeBusy.periods.count, "period")) written to \(output).")
    return loader.status
  }

  /// A calendar with the busy time; equal busy times have equal UIDs.
  private static func calendar(with freeBusy: FreeBusy, stamp: Instant) -> [UInt8] {
    let calendar = Component(
      .calendar,
      properties: [
        Property(.version, rawValue: "2.0"), Property(.productID, rawValue: CalendarItem.productID),
      ], components: [freeBusy.component(stamp: stamp)])
    return Serializer(lineEnds: .refolded).bytes(of: calendar)
  }
}
