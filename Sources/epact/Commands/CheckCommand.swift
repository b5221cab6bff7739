// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ICUServices
import ICalSyntax

/// `epact check`: says everything that is wrong with files.
struct CheckCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what is wrong with iCalendar files, and where.",
    discussion: """
      Prints one diagnostic after the other, sorted by file, line and column, and nothing else on \
      standard output. Ends with status 4 if there is an error or a warning among them.
      """)

  /// The most diagnostics that are kept of one file.
  private static let limit = 100_000

  @Argument(
    help: ArgumentHelp("Files, folders, or - for standard input.", valueName: "file"))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
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
        for diagnostic in try diagnostics(of: source, tally: &tally) {
          if diagnostic.severity != .note { statuses.insert(.found) }
          if json {
            found.append(DiagnosticText.json(diagnostic, path: source.label))
          } else {
            context.console.show(DiagnosticText.of(diagnostic, path: source.label))
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
    of source: InputFiles.Source, tally: inout Tally
  ) throws -> [Diagnostic] {
    var checker = CalendarChecker()
    var found: [Diagnostic] = []
    var reading = try CalendarReading(source, charset: charset)
    while let element = try reading.next() {
      for diagnostic in checker.check(element) {
        tally.count(diagnostic.severity)
        if found.count < Self.limit { found.append(diagnostic) }
      }
    }
    return found.sorted { $0.position < $1.position }
  }

  /// How many diagnostics of each severity there are.
  private struct Tally {
    private var counts: [Diagnostic.Severity: Int] = [:]

    mutating func count(_ severity: Diagnostic.Severity) {
      counts[severity, default: 0] += 1
    }

    private func count(of severity: Diagnostic.Severity) -> Int { counts[severity] ?? 0 }

    func summary(files: Int) -> ConsoleText {
      let parts = [
        Count(files, "file"), Count(count(of: .error), "error"),
        Count(count(of: .warning), "warning"), Count(count(of: .note), "note"),
      ]
      return "\(parts.map(\.description).joined(separator: ", "))."
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
