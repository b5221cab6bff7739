// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole
import ICalSyntax

/// `epact import`: adds the items of files to a calendar, and updates existing ones.
struct ImportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the items of iCalendar files into a calendar.",
    discussion: """
      Items are matched by UID: new items are added, changed ones updated, older ones skipped. \
      Importing a file again changes nothing. Problems are reported with their positions; the rest \
      is imported. Reminders are not added to a calendar for events only, nor events to a list of \
      reminders. The reply names an item without a readable time, which no view by days shows. An \
      import is a run in `epact history`, and `epact undo` undoes it.

      A ZIP archive, such as an export of Google Takeout, is imported as the files in it. One of them \
      is named by a path such as Takeout.zip/Takeout/Calendar/Family.ics, so that each can be \
      imported into a calendar of its own. A folder is imported with all calendar files in it, also \
      an archive of Calendar on a Mac (.icbu), if it has files.

      A calendar with a METHOD is a scheduling message (iTIP, RFC 5546) and is applied to the item \
      that it concerns: PUBLISH and REQUEST store a newer version, REPLY changes the answer of one \
      attendee, ADD adds an occurrence, CANCEL cancels. REFRESH, COUNTER and DECLINECOUNTER change \
      nothing and are reported. A message that cannot be applied is rejected, and the status is 1.

      A mail is read with its calendars. A message is rejected if the mail is not from the person \
      who may send it, or if the calendar has another organizer; see --trust-sender.
      """)

  @OptionGroup var input: InputFiles

  @Option(
    help: ArgumentHelp(
      "Import into this calendar: a name of the configuration, a folder, "
        + "or a file that ends in .ics.",
      valueName: "calendar"), completion: .calendars)
  var into: String?

  @Flag(name: .customLong("dry-run"), help: "Print the changes, and write nothing.")
  var isDryRun = false

  @OptionGroup var trust: TrustOption

  @OptionGroup var charset: CharsetOption

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    guard into != nil || isDryRun else {
      throw Failure(.usage, "expected --into CALENDAR, which only --dry-run can omit")
    }
    let calendar = try into.map { try context.arguments.location($0, isWritten: true) }
    let kinds = try calendar.flatMap { try context.library.addableKinds(at: $0) }
    context.warnAboutFallback()
    var request = ImportRequest(
      context.paths(input.files), into: calendar, isDryRun: isDryRun,
      options: calendarZone.options(charset.choice, in: context))
    request.kinds = kinds
    request.isConfirmed = trust.trustsSender
    request.userAddresses = (try? context.library.userAddresses()) ?? []
    if !isDryRun { request.historyDays = try context.configuration().historyDays }
    var report = ImportReport(
      console: context.console, label: calendar?.name, isDryRun: isDryRun, asJSON: json)
    report.editor = LibraryEditor(context.library, viewer: try context.viewerZone(nil))
    let summary = try await CalendarImport.run(
      request, machine: context.machine, prompt: context.console
    ) {
      report.take($0)
    }
    return report.end(summary)
  }
}

/// The option `--trust-sender`.
struct TrustOption: ParsableArguments {
  @Flag(
    name: .customLong("trust-sender"),
    help: ArgumentHelp(
      "Trust messages whose sender or organizer is not the expected one. On a terminal, the command "
        + "asks without this option."))
  var trustsSender = false
}

/// Prints the events of an import and its totals, as text or JSON.
struct ImportReport {
  let console: Console
  /// The calendar as given on the command line; nil if there is none.
  let label: String?
  let isDryRun: Bool
  let asJSON: Bool
  private var items: [JSONValue] = []
  private var diagnostics: [JSONValue] = []
  /// Whether a message was rejected that the user can confirm.
  private var hasUnconfirmed = false
  /// Describes the new values of updated items; nil to name the items alone.
  var editor: LibraryEditor?
  /// The number of updated items whose new values may still be described.
  private var descriptions = 10

  init(console: Console, label: String?, isDryRun: Bool, asJSON: Bool) {
    self.console = console
    self.label = label
    self.isDryRun = isDryRun
    self.asJSON = asJSON
  }

  /// Reports an event; unchanged items are only counted.
  mutating func take(_ event: ImportEvent) {
    switch event {
    case .unreadableEntry(let name, let reason):
      console.warn("\(label ?? "")/\(name): \(reason)")
    case .file(.diagnostic(let path, let diagnostic)) where asJSON:
      diagnostics.append(JSONValue(diagnostic, path: path))
    case .file(let event): console.report(event)
    case .rejected(let path, let position):
      if !asJSON { console.say("\("rejected  ", .red)\("\(path):\(position)")") }
    case .item(let item) where item.outcome == .unchanged: break
    case .item(let item): take(item)
    }
  }

  private mutating func take(_ item: ImportedItem) {
    if !item.concerns.isEmpty { hasUnconfirmed = true }
    if asJSON {
      items.append(item.json)
    } else {
      let word = DisplayWidth.padded(item.outcome.rawValue, to: 10)
      let reason = item.reason.map { ": \($0)" } ?? ""
      console.say(
        "\(word, Self.style(of: item.outcome))\(item.title) \("(\(item.uid))", .dim)\(reason)")
      guard let editor, descriptions > 0, let before = item.before, let after = item.after else {
        return
      }
      descriptions -= 1
      for line in editor.updateWords(from: before, to: after) { console.say("          \(line)") }
    }
  }

  /// Prints the totals and returns the exit status.
  func end(_ summary: ImportSummary) -> ExitStatus {
    let status = summary.outcome.status
    if asJSON {
      console.write(json(summary, status))
    } else if summary.calendarCount > 0 {
      let numbers = ImportOutcome.allCases
        .filter { summary[$0] > 0 || $0 != .older && $0 != .noted }
        .map { "\(Count.grouped(summary[$0])) \($0.rawValue)" }
      let place = label.map { " into \($0)" } ?? ""
      let end = isDryRun ? "; nothing was written, because of --dry-run." : "."
      console.say("\(numbers.joined(separator: ", "))\(place)\(end)")
    }
    if hasUnconfirmed { console.report("  \(Failure.hint(.confirmSender))") }
    return status
  }

  private func json(_ summary: ImportSummary, _ status: ExitStatus) -> JSONValue {
    .object(
      [.init("calendar", JSONValue(label)), .init("dryRun", .bool(isDryRun))] + summary.members + [
        .init("items", .array(items)), .init("diagnostics", .array(diagnostics)),
        .init("exit", .integer(Int(status.rawValue))),
      ])
  }

  private static func style(of outcome: ImportOutcome) -> ConsoleText.Style? {
    switch outcome {
    case .added: .green
    case .updated, .noted: .yellow
    case .unchanged, .older: .dim
    case .rejected: .red
    }
  }
}
