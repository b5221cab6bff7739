// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarStore
import Epact
import EpactConsole
import ICalSyntax

/// `epact check`: reports all problems in files, and repairs them.
struct CheckCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check iCalendar files, and repair them.",
    discussion: """
      Prints the diagnostics of each file, sorted by line and column, and nothing else on standard \
      output. Exits with status 4 if there is an error or a warning. A file in the folder of a \
      calendar of the configuration has an error, too, if the calendar does not take it as an \
      item, as a file with several.

      With --fix, repairs what can be repaired without guessing, and prints a unified diff \
      instead: line ends other than CRLF, lines that are too long, missing properties that follow \
      from the others, and values with a clear meaning in an invalid spelling. All other lines \
      stay byte for byte. Exits with status 4 if errors or warnings remain.

      With --errors json, each diagnostic is one JSON object a line. With --files-from, a file that \
      cannot be read does not end the run, which exits with status 1 if there was one, or with 2 if \
      none could be read.

      Examples:

        epact check inbox.ics
        find mails -name '*.ics' -print0 | epact check --files-from - --errors json
      """)

  @OptionGroup var input: InputFiles

  @OptionGroup var charset: CharsetOption

  @Flag(help: "Repair what can be repaired without guessing, and print the changes.")
  var fix = false

  @Flag(name: .customLong("dry-run"), help: "With --fix: print the changes, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var errors: ErrorsOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if isDryRun, !fix { throw ValidationError("--dry-run requires --fix") }
    if fix, json { throw ValidationError("--fix and --json exclude each other") }
    if errors.form == .json, json {
      throw ValidationError("--json and --errors json exclude each other")
    }
    if fix, charset.charset != nil {
      throw ValidationError("--fix repairs files in UTF-8; convert other files first")
    }
    if fix, !isDryRun, input.files.contains("-") {
      throw ValidationError("--fix cannot write standard input; add --dry-run to print the diff")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    errors.apply(to: console)
    let form: CheckReport.Form = json ? .object : errors.form == .json ? .lines : .text
    var report = CheckReport(
      isDryRun: isDryRun, isRepair: fix, isList: input.list.isUsed, form: form)
    var faults = FolderFaults(of: context.library)
    var events: [FileEvent] = []
    guard input.list.isUsed else {
      let sources = FileSource.find(context.paths(input.files), needsFiles: true) {
        events.append($0)
      }
      take(&events, &report, console)
      for source in sources { try await check(source, &report, &faults, context) }
      return console.write(report, asJSON: json)
    }
    var paths = try input.list.open()
    while let sources = try paths.nextSources({ events.append($0) }) {
      take(&events, &report, console)
      for source in sources { try await check(source, &report, &faults, context) }
    }
    take(&events, &report, console)
    return console.write(report, asJSON: json)
  }

  /// Reports the events of the search for files.
  private func take(_ events: inout [FileEvent], _ report: inout CheckReport, _ console: Console) {
    for event in events {
      console.report(event)
      if event.isFailure { report.hasUnread = true }
    }
    events = []
  }

  /// Checks or repairs a file.
  private func check(
    _ source: FileSource, _ report: inout CheckReport, _ faults: inout FolderFaults,
    _ context: Context
  ) async throws {
    let (console, now) = (context.console, context.machine.now())
    do {
      if fix {
        let repair = try source.repaired(now: now, zones: context.machine.zones)
        if repair.isChanged, !isDryRun, case .file(let path) = source {
          try AtomicFile.write(repair.bytes, to: path, permissions: .shared)
        }
        console.write(report.take(repair, of: source.label))
      } else {
        var check = try await FileCheck(
          of: source, charset: charset.choice, now: now, cores: context.process.coreCount)
        // An error of the file is the reason why the calendar does not take it.
        if case .file(let path) = source, check.counts[.error] == nil,
          let fault = faults.diagnostic(ofFileAt: path)
        {
          check.add(fault)
        }
        console.write(report.take(check, of: source.label))
      }
    } catch let error as FileError where error.code == .unreadable {
      console.report(.unreadable(path: error.path, reason: error.reason))
      report.hasUnread = true
    } catch let error where error is FileError || error is EpactError || error is StoreError {
      console.complain(Failure(describing: error))
      report.hasUnread = true
    }
  }
}
