// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Epact
import EpactServe
import Glibc

/// `epact-serve handoff`: one form for another program, which `epact handoff` becomes without a
/// terminal.
struct HandoffProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Shows one form of another program in the browser, and ends with the answer.",
    discussion: """
      Opens the form with $BROWSER or xdg-open, and prints its address, which works once, on standard \
      error. The status is 0 if the user saved, chose or closed, and 2 if not.
      """)

  /// The kinds of items for which a calendar is chosen.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case events, reminders
  }

  @Flag(help: "Let the user save the event on standard input.")
  var form = false

  @Option(help: "Let the user choose a calendar for events or reminders.")
  var choose: Kind?

  @Flag(help: "Let the user choose several calendars.")
  var several = false

  @Flag(help: "Offer only the calendars that accept new items.")
  var writable = false

  @Option(help: ArgumentHelp("Show the event with this UID.", valueName: "uid"))
  var show: String?

  @Option(help: "The calendar of the event: its identifier or name.")
  var calendar: String?

  @Option(
    help: ArgumentHelp(
      "Show the occurrence that the series has at this time.", valueName: "time"))
  var at: String?

  @Flag(help: "Let the user edit and delete the event, too.")
  var editable = false

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config: String?

  func validate() throws {
    guard [form, choose != nil, show != nil].count(where: \.self) == 1 else {
      throw ValidationError("expected one of --form, --choose and --show")
    }
    guard (show == nil) == (calendar == nil) else {
      throw ValidationError("--show and --calendar belong together")
    }
  }

  func run() async throws {
    let machine = Machine.live()
    do {
      let library = CalendarLibrary(machine: machine, configuration: config)
      let page = try HandoffPage(try request(), library: library, machine: machine)
      let outcome = try await page.run { address in
        machine.note("the form is at \(address)")
        Self.open(address, machine)
      }
      for line in outcome.lines { print(line) }
      if outcome == .cancelled { throw ExitCode(2) }
    } catch let error as ExitCode {
      throw error
    } catch {
      let error = EpactError(describing: error)
      machine.note(([error.message] + error.details).joined(separator: "; "))
      throw ExitCode(error.code == .configuration ? 78 : 2)
    }
  }

  private func request() throws -> HandoffPage.Form {
    if let choose {
      return .choose(
        choose == .events ? .event : .reminder, isMultiple: several, isWritableOnly: writable)
    }
    if let show, let calendar {
      return .show(
        UID(show), calendar: calendar, at: try at.flatMap { try HandoffDesk.time($0) },
        isEditable: editable)
    }
    return .save(try HandoffDesk.preparedItem())
  }

  /// Opens the browser on a thread of its own, because its command may run until the user closes it.
  private static func open(_ address: String, _ machine: Machine) {
    DispatchQueue(label: "epact.browser").async {
      do throws(EpactError) {
        try Browser(machine: machine)?.open(address)
      } catch {
        machine.note("the browser was not opened: \(error.message)")
      }
    }
  }
}
