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
      output. Exits with status 4 if there is an error or a warning.

      With --fix, repairs what can be repaired without guessing, and prints a unified diff \
      instead: line ends other than CRLF, lines that are too long, missing properties that follow \
      from the others, and values with a clear meaning in an invalid spelling. All other lines \
      stay byte for byte. Exits with status 4 if errors or warnings remain.
      """)

  @OptionGroup var input: InputFiles

  @OptionGroup var charset: CharsetOption

  @Flag(help: "Repair what can be repaired without guessing, and print the changes.")
  var fix = false

  @Flag(name: .customLong("dry-run"), help: "With --fix: print the changes, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if isDryRun, !fix { throw ValidationError("--dry-run requires --fix") }
    if fix, json { throw ValidationError("--fix and --json exclude each other") }
    if fix, charset.charset != nil {
      throw ValidationError("--fix repairs files in UTF-8; convert other files first")
    }
    if fix, !isDryRun, input.files.contains("-") {
      throw ValidationError("--fix cannot write standard input; add --dry-run to print the diff")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    var report = CheckReport(isDryRun: isDryRun, isRepair: fix, asJSON: json)
    let sources = FileSource.find(context.paths(input.files), needsFiles: true) {
      console.report($0)
      report.hasUnread = true
    }
    let now = context.machine.now()
    for source in sources {
      do {
        if fix {
          let repair = try source.repaired(now: now, zones: context.machine.zones)
          if repair.isChanged, !isDryRun, case .file(let path) = source {
            try AtomicFile.write(repair.bytes, to: path, permissions: .shared)
          }
          console.write(report.take(repair, of: source.label))
        } else {
          let check = try await FileCheck(
            of: source, charset: charset.choice, now: now, cores: context.process.coreCount)
          console.write(report.take(check, of: source.label))
        }
      } catch let error where error is FileError || error is EpactError || error is StoreError {
        console.complain(Failure(describing: error))
        report.hasUnread = true
      }
    }
    return console.write(report, asJSON: json)
  }
}
