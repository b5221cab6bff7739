// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact

/// The options of the forms that show the user's calendars for another program.
struct FormOptions: ParsableArguments {
  /// The kinds of items for which a calendar is chosen.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case events, reminders

    var item: ItemKind { self == .events ? .event : .reminder }
  }

  @Option(
    help: ArgumentHelp(
      "Let the user choose a calendar for events or reminders, and print its identifier.",
      valueName: "kind"))
  var choose: Kind?

  @Flag(help: "Let the user choose several calendars.")
  var several = false

  @Flag(help: "Offer only the calendars that accept new items.")
  var writable = false

  @Option(
    help: ArgumentHelp("Show the event with this UID until the user closes it.", valueName: "uid"))
  var show: String?

  @Option(help: ArgumentHelp("The calendar of the event: its identifier or name."))
  var calendar: String?

  @Option(
    help: ArgumentHelp(
      "Show the occurrence that the series has at this time.", valueName: "time"))
  var at: String?

  /// Whether no form is requested.
  var isEmpty: Bool { choose == nil && show == nil }

  func validate() throws {
    guard choose == nil || show == nil else {
      throw ValidationError("--choose and --show are different forms")
    }
    guard choose != nil || (!several && !writable) else {
      throw ValidationError("--several and --writable belong to --choose")
    }
    guard (show == nil) == (calendar == nil) else {
      throw ValidationError("--show and --calendar belong together")
    }
    guard show != nil || at == nil else { throw ValidationError("--at belongs to --show") }
    _ = try time()
  }

  /// The time of `--at`; nil without one.
  func time() throws -> EventTime? {
    guard let at else { return nil }
    do {
      switch try Moment(parsing: at) {
      case .date(let date): return .date(date)
      case .local(let wall): return .floating(wall)
      case .instant(let instant): return instant.civil().map { .utc($0) }
      }
    } catch {
      throw ValidationError("--at: \(error)")
    }
  }
}
