// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact
import EpactConsole
import ICalSyntax

/// `epact export`: writes a calendar as one iCalendar file.
struct ExportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a calendar as one iCalendar file.",
    discussion: """
      Writes all items into one VCALENDAR, with each time zone once. A time zone that items use \
      without a definition is defined for the times in use. An output file is written completely \
      or not at all. If files of the calendar cannot be read, the others are exported with the status 1, but \
      never in the place of an earlier output file.

      With --where, only items that match a query are written, each with all its parts; see epact \
      search.

      Examples:

        epact export work -o work.ics
        epact export work --where "category:travel and start>=today"
      """)

  @Argument(
    help: ArgumentHelp(
      "A name of the configuration, a folder, or a file that ends in .ics.", valueName: "calendar"),
    completion: .calendars)
  var calendar: String

  @OptionGroup var output: OutputOption

  @Flag(name: .customLong("canonical"), help: "Write the canonical form, for comparison.")
  var isCanonical = false

  @OptionGroup var condition: WhereOption

  @OptionGroup var zone: ZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let input = try context.arguments.location(calendar)
    let form: Serializer.Form = isCanonical ? .canonical : .verbatim
    context.warnAboutFallback()
    var writing = try await CalendarWriting(of: input, machine: context.machine)
    if condition.query != nil {
      let viewer = try context.viewerZone(zone.name)
      if let matcher = try condition.matcher(in: context, viewer: viewer) {
        writing = writing.filtered { matcher.matches($0, calendar: input.name) }
      }
    }
    context.console.warn(about: writing, in: input.path)
    let diagnostics: [Diagnostic]
    if let path = output.path {
      guard context.paths.absolute(path) != input.path else {
        throw Failure(.usage, "a calendar cannot be exported onto itself")
      }
      guard
        writing.unreadable.isEmpty || !CalendarLocation(path: context.paths.absolute(path)).exists
      else {
        throw Failure(
          .someFailed, "\(path) is not replaced, because it may have what cannot be read now",
          hint: "Another output file gets the rest of the calendar.")
      }
      diagnostics = try writing.write(to: path, form: form)
      context.console.note("\(Count(writing.items.count, "item")) written to \(path).")
    } else {
      diagnostics = try writing.write(form: form) { try context.console.stream($0) }
    }
    for diagnostic in diagnostics { context.console.warn("\(diagnostic.message)") }
    return writing.unreadable.isEmpty ? .done : .someFailed
  }
}

extension Console {
  /// Warns about unreadable entries of a calendar, and about time zones that cannot be defined.
  func warn(about writing: CalendarWriting, in path: String) {
    for entry in writing.unreadable { warn("\(path)/\(entry.name): \(entry.reason)") }
    for error in writing.undefinedZones { warn("\(error); no definition is written") }
  }
}
