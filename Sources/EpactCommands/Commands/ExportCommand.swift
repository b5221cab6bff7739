// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import ICalSyntax

/// `epact export`: writes a calendar as one iCalendar file.
struct ExportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a calendar as one iCalendar file.",
    discussion: """
      All items go into one VCALENDAR, with each time zone once; a time zone that no item defines is \
      defined for the times in use. A file is written at once or not at all.
      """)

  @Argument(
    help: ArgumentHelp(
      "A name of the configuration, a folder, or a file that ends in .ics.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write to, instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(
    name: .customLong("canonical"),
    help: "Write one spelling for all that say the same, sorted, as comparing wants it.")
  var isCanonical = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let place = try context.calendarPlace(calendar)
    guard place.exists else {
      throw Failure(.nothingDone, "there is no calendar at \(place.path)")
    }
    let listing = try await place.open(for: .reading).scan()
    for entry in listing.unreadable {
      context.console.warn("\(place.path)/\(entry.name): \(entry.reason)")
    }
    let diagnostics = try write(listing.entries, in: context, from: place)
    for diagnostic in diagnostics { context.console.warn("\(diagnostic.message)") }
    return listing.unreadable.isEmpty ? .done : .someFailed
  }

  private func write(
    _ entries: [LocalEntry], in context: Context, from place: CalendarLocation
  ) throws -> [Diagnostic] {
    let timeZones = MissingTimeZones.definitions(for: entries.map(\.item), in: context)
    guard let output, output != "-" else {
      return try write(entries, timeZones) { bytes in
        context.console.write(bytes)
        guard !context.console.isBroken else { throw CancellationError() }
      }
    }
    let path = context.paths.absolute(output)
    guard path != place.path else {
      throw Failure(.usage, "a calendar cannot be exported onto itself")
    }
    let file = try AtomicFile(replacing: path, permissions: .shared)
    let diagnostics = try write(entries, timeZones) { try file.write($0) }
    try file.commit()
    context.console.note("\(Count(entries.count, "item")) written to \(output).")
    return diagnostics
  }

  private func write(
    _ entries: [LocalEntry], _ timeZones: [Component], to sink: ([UInt8]) throws -> Void
  ) throws -> [Diagnostic] {
    var export = CalendarExport(
      timeZones: timeZones, form: isCanonical ? .canonical : .verbatim)
    let spans: CalendarExport.Sink = { span in try sink(Array(copying: span)) }
    try export.begin(to: spans)
    for entry in entries {
      try Task.checkCancellation()
      try export.add(entry.item, to: spans)
    }
    try export.end(to: spans)
    return export.diagnostics
  }
}
