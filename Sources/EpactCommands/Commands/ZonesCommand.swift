// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact

/// `epact zones`: shows time zones, and resolves time zone names.
struct ZonesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "Show time zones, and what the names in files mean.",
    discussion: """
      Without a name it prints where the time zones come from, and of each zone its name and its time. \
      With names it prints what each means, as names of time zones in files are understood, and when the \
      clocks change next; a name that means nothing is refused, with the reason.

      With --file it prints what is made of each TZID of a file, and where the file's own definition \
      (VTIMEZONE) says otherwise about the times in use. Ends with status 4 if one does, or a TZID means \
      nothing.

      A change is printed as the moment in UTC, and the offset before and after it.

      Time zones are read from the folder of --zoneinfo, which every command takes, or else from that of \
      $TZDIR, or from the system's. Where there is none, and with --zoneinfo ICU, they are those of ICU, which \
      are often out of date.
      """)

  @Argument(help: ArgumentHelp("Names of time zones.", valueName: "tzid"), completion: .zoneNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report on the time zones of this file, folder, or - for standard input; again for more.",
      valueName: "file"), completion: .file())
  var file: [String] = []

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @Option(
    help: ArgumentHelp("The moment that is now, in UTC or with an offset.", valueName: "time"))
  var at: String?

  @Option(help: "How many changes of the clocks are printed.")
  var next = 4

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if !file.isEmpty, !names.isEmpty {
      throw ValidationError("either names or --file; a file has names of its own")
    }
    guard 0...1000 ~= next else { throw ValidationError("--next is a number from 0 to 1000") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let now = try moment(in: context)
    if !file.isEmpty {
      return try ZoneFileReport(charset: charset, isJSON: json, in: context, now: now).report(
        on: file)
    }
    let listing = ZoneListing(now: now, next: next, in: context)
    return names.isEmpty ? listing.list(isJSON: json) : listing.explain(names, isJSON: json)
  }

  private func moment(in context: Context) throws -> Instant {
    guard let at else { return context.machine.now() }
    switch try RuleRequest.time("--at", at) {
    case .date(let date): return Instant(utc: CivilDateTime(date, .midnight))
    case .local(let time): return Instant(utc: time)
    case .instant(let instant): return instant
    }
  }
}
