// SPDX-License-Identifier: Apache-2.0

import Epact
import ArgumentParser
import CivilTime
import ICUServices
import ICalSyntax

/// `epact check`: reports all problems in files.
struct CheckCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what is wrong with iCalendar files, and where.",
    discussion: """
      Prints one diagnostic after the other, sorted by file, line and column, and nothing else on \
      standard output. Ends with status 4 if there is an error or a warning among them.

      With --fix it mends what can be mended without guessing, and prints a unified diff in their \
      place: lines that do not end in CRLF or are too long, properties that follow from the rest, \
      values that are clear but not written as they must be. Every other line stays byte for byte. \
      Ends with status 4 if errors or warnings are left.
      """)

  /// The maximum number of diagnostics that are kept for a file.
  private static let limit = 100_000

  @Argument(
    help: ArgumentHelp("Files, folders, or - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @Flag(help: "Mend what can be mended without guessing, and print what that changes.")
  var fix = false

  @Flag(
    name: .customLong("dry-run"), help: "With --fix: print what it would change, and write nothing."
  )
  var isDryRun = false

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if isDryRun, !fix { throw ValidationError("--dry-run goes with --fix") }
    if fix, json { throw ValidationError("--fix prints a diff, and no JSON") }
    if fix, charset != nil {
      throw ValidationError("--fix mends files in UTF-8; convert the others first")
    }
    if fix, !isDryRun, files.contains("-") {
      throw ValidationError("standard input cannot be mended in place; add --dry-run for the diff")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    if fix { return try FileMender(isDryRun: isDryRun, in: context).mend(files) }
    return try check(in: context)
  }

  private func check(in context: Context) throws -> ExitStatus {
    let now = CivilDateTime(wallSeconds: context.machine.now().secondsSinceEpoch)
    var statuses: Set<ExitStatus> = []
    var tally = Tally()
    var found: [JSONValue] = []
    let sources = InputFiles.find(files) { path, error in
      context.console.complain(Failure(.nothingDone, "\(path): \(error)"))
      statuses.insert(.nothingDone)
    }
    var readCount = 0
    for source in sources {
      do {
        for diagnostic in try diagnostics(of: source, now: now, tally: &tally) {
          if diagnostic.severity != .note { statuses.insert(.found) }
          if json {
            found.append(DiagnosticText.json(diagnostic, path: source.label))
          } else {
            context.console.show(DiagnosticText.of(diagnostic, path: source.label, showsFix: true))
          }
        }
        readCount += 1
      } catch let error as SystemError {
        context.console.complain(Failure(.nothingDone, "\(source.label): \(error)"))
        statuses.insert(.nothingDone)
      } catch let error as ICUError {
        context.console.complain(Failure(.nothingDone, "\(source.label): \(error.message)"))
        statuses.insert(.nothingDone)
      }
    }
    if json {
      context.console.write(tally.json(files: readCount, diagnostics: found))
    } else {
      context.console.note(tally.summary(files: readCount))
    }
    return ExitStatus.worst(of: statuses)
  }

  private func diagnostics(
    of source: InputFiles.Source, now: CivilDateTime?, tally: inout Tally
  ) throws -> [Diagnostic] {
    var checker = CalendarChecker(now: now)
    var found: [Diagnostic] = []
    var reading = try CalendarReading(source, charset: charset)
    func take(_ diagnostics: [Diagnostic]) {
      for diagnostic in diagnostics {
        tally.count(diagnostic)
        if found.count < Self.limit { found.append(diagnostic) }
      }
    }
    while let element = try reading.next() {
      // Fixes edit lines of iCalendar text, which jCal and vCalendar 1.0 do not have.
      let diagnostics = checker.check(element)
      take(reading.isTranslated ? diagnostics.map { $0.with(nil) } : diagnostics)
    }
    take(reading.lineDiagnostics())
    return found.sorted { $0.position < $1.position }
  }

  /// The number of diagnostics of each severity.
  private struct Tally {
    private var counts: [Diagnostic.Severity: Int] = [:]
    private var fixes = 0

    mutating func count(_ diagnostic: Diagnostic) {
      counts[diagnostic.severity, default: 0] += 1
      if diagnostic.fix?.isSafe == true { fixes += 1 }
    }

    private func count(of severity: Diagnostic.Severity) -> Int { counts[severity] ?? 0 }

    func summary(files: Int) -> ConsoleText {
      let parts = [
        Count(files, "file"), Count(count(of: .error), "error"),
        Count(count(of: .warning), "warning"), Count(count(of: .note), "note"),
      ]
      let mendable: ConsoleText = fixes > 0 ? " --fix mends \(fixes) of them." : ""
      return "\(parts.map(\.description).joined(separator: ", ")).\(mendable)"
    }

    func json(files: Int, diagnostics: [JSONValue]) -> JSONValue {
      [
        "files": .integer(files), "errors": .integer(count(of: .error)),
        "warnings": .integer(count(of: .warning)), "notes": .integer(count(of: .note)),
        "diagnostics": .array(diagnostics),
      ]
    }
  }
}
