// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CivilTime
import Epact
import EpactConsole
import ICalSyntax

/// `epact handoff`: passes events to the user's calendar program, without any access.
struct HandoffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Pass events to another calendar program, without any access.",
    discussion: """
      Writes an .ics file, and prints for each event the addresses of Google Calendar, Outlook.com \
      and Microsoft 365 that open their editors with the event filled in. No server is contacted, \
      and the program receives no result from the other one.

      With --form, shows one event as a form. The user saves it in a calendar of the configuration, \
      edits it first, or dismisses it. A program without access to the calendars can offer events \
      in this way. The status is 0 if the event was saved.

      With --choose and --show, shows the calendars or one event, for a program that does not see \
      them. The program receives the identifiers of the chosen calendars, one on each line, or the \
      word "deleted" if the user deleted the event.

      The forms are shown on the terminal. Without a terminal, they are pages in the browser: of \
      $BROWSER, or of the display. epact-serve serves the page to this machine alone, at an address \
      that works once, until the user answers or 30 minutes have passed. The address is printed on \
      standard error.
      """)

  @Argument(
    help: ArgumentHelp(
      "Read these iCalendar files or folders; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Flag(help: "Open the file with the system's handler for calendars.")
  var open = false

  @Flag(help: "Print only the links, and write no file.")
  var links = false

  @Flag(help: "Show the event as a form, and save it in the calendar that the user chooses.")
  var form = false

  @Option(
    help: ArgumentHelp(
      "Open the file with this program and its arguments, instead of xdg-open.",
      valueName: "command"))
  var handler: String?

  @Flag(
    name: .customLong("print"), help: "Print the command that opens the file, and do not run it.")
  var isPrinted = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the file to this path, instead of the folder of the ledger.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var forms: FormOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !links || (!open && !isPrinted && output == nil && handler == nil) else {
      throw ValidationError("--links writes no file, and so there is none to open")
    }
    guard forms.isEmpty || (files.isEmpty && !form) else {
      throw ValidationError("--choose and --show read no file")
    }
    guard !forms.isEmpty || !files.isEmpty else {
      throw ValidationError("expected a file, found none")
    }
    let writesOtherwise = open || isPrinted || links || json || output != nil || handler != nil
    guard (!form && forms.isEmpty) || !writesOtherwise else {
      throw ValidationError("a form writes no other file and no links")
    }
    guard handler == nil || open || isPrinted else {
      throw ValidationError("--handler belongs to --open or --print")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    if !forms.isEmpty { return try answer(in: context) }
    var items: [UID: CalendarItem] = [:]
    var faults = 0
    for file in files {
      let reading = try ItemCollection(contentsOf: file, options: ReadingOptions(charset: .utf8))
      items.merge(reading.items) { _, new in new }
      faults += reading.faults.count
      context.console.report(reading)
    }
    guard !items.isEmpty else { throw Failure(.nothingDone, "there is nothing to hand on") }
    if form {
      guard let item = items.values.first, items.count == 1 else {
        throw Failure(.usage, "expected one event for --form, found \(items.count)")
      }
      guard case .page(let server) = try face(in: context) else {
        return try await HandoffForms(context.console, context.library).save(item)
      }
      try showPage(of: server, ["--form"], input: item.serialized())
    }
    context.warnAboutFallback()
    let handoff = Handoff(items.values, machine: context.machine)
    let file = try links ? nil : write(handoff, in: context)
    if json {
      context.console.write(handoff.json(path: file?.path))
    } else if !open || links {
      context.console.show(handoff.entries.flatMap(\.lines))
    }
    if let file { try handOver(file, in: context) }
    return faults > 0 ? .someFailed : .done
  }

  // MARK: Forms

  /// Shows a form of the user's calendars.
  private func answer(in context: Context) throws -> ExitStatus {
    if case .page(let server) = try face(in: context) { try showPage(of: server, forms.words) }
    let page = try HandoffForms(context.console, context.library)
    if let kind = forms.choose {
      return try page.choose(
        for: kind.item, isMultiple: forms.several, isWritableOnly: forms.writable)
    }
    return try page.show(
      UID(forms.show ?? ""), in: forms.calendar ?? "", at: forms.time(), isEditable: forms.editable)
  }

  private func face(in context: Context) throws -> HandoffFace {
    do throws(HandoffFace.Failure) {
      return try HandoffFace(hasTerminal: context.console.canAsk, machine: context.machine)
    } catch {
      switch error {
      case .noBrowser:
        throw Failure(
          .nothingDone, "there is no terminal to show the form on, and no browser to open",
          hint: "BROWSER names a browser. A display is in DISPLAY or WAYLAND_DISPLAY.")
      case .noServer:
        throw Failure(
          .nothingDone,
          "there is no terminal to show the form on, and the program epact-serve, which shows it in "
            + "the browser, is neither beside epact nor in PATH", hint: ServeCommand.buildHint)
      }
    }
  }

  /// Becomes the server of a form's page, whose status and output are those of this program.
  private func showPage(
    of server: String, _ options: [String], input: [UInt8] = []
  ) throws -> Never {
    let config = global.config.map { ["--config", $0] } ?? []
    try LiveDependencies.become([server, "handoff"] + options + config, input: input)
  }

  private func write(_ handoff: Handoff, in context: Context) throws -> HandoffFile {
    let file = try HandoffFile(
      at: output, from: files.first, handler: handler, machine: context.machine)
    context.warnAboutFallback()
    let writing = handoff.writing
    context.console.warn(about: writing, in: file.path)
    try file.write(writing)
    return file
  }

  private func handOver(_ file: HandoffFile, in context: Context) throws {
    if isPrinted {
      let command = file.openingWords.map { ShellWord($0).description }.joined(separator: " ")
      context.console.show(ConsoleText(command))
    } else if open {
      try file.open()
      if !json { context.console.say("Handed over: \(file.path)") }
    } else if !json {
      context.console.note("All of it is in \(file.path)")
    }
  }
}

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

  @Flag(help: "Let the user edit and delete the event, too.")
  var editable = false

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
    guard show != nil || (at == nil && !editable) else {
      throw ValidationError("--at and --editable belong to --show")
    }
    _ = try time()
  }

  /// The time of `--at`; nil without one.
  func time() throws -> EventTime? {
    do {
      return try at.flatMap { try HandoffDesk.time($0) }
    } catch let error as EpactError {
      throw ValidationError("--at: \(error.message)")
    }
  }

  /// The options of the program that shows the form in the browser.
  var words: [String] {
    var words: [String] = []
    if let choose { words.append("--choose=\(choose.rawValue)") }
    if several { words.append("--several") }
    if writable { words.append("--writable") }
    if let show { words.append("--show=\(show)") }
    if let calendar { words.append("--calendar=\(calendar)") }
    if let at { words.append("--at=\(at)") }
    if editable { words.append("--editable") }
    return words
  }
}
