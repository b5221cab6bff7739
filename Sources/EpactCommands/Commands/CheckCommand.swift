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
    var report = CheckReport(console: context.console, isDryRun: isDryRun, asJSON: json)
    let sources = FileSource.find(context.paths(input.files), needsFiles: true) { report.take($0) }
    let now = context.machine.now()
    for source in sources {
      do {
        if fix {
          let repair = try source.repaired(now: now, zones: context.machine.zones)
          if repair.isChanged, !isDryRun, case .file(let path) = source {
            try AtomicFile.write(repair.bytes, to: path, permissions: .shared)
          }
          report.take(repair, of: source.label)
        } else {
          let check = try await FileCheck(
            of: source, charset: charset.choice, now: now, cores: context.process.coreCount)
          report.take(check, of: source.label)
        }
      } catch let error where error is FileError || error is EpactError || error is StoreError {
        report.fail(error)
      }
    }
    if fix { report.endFixes() } else { report.endChecks() }
    return ExitStatus.worst(of: report.statuses)
  }
}

/// Prints the results of checks and repairs, and their totals.
private struct CheckReport {
  let console: Console
  let isDryRun: Bool
  let asJSON: Bool
  private(set) var statuses: Set<ExitStatus> = []
  private var fileCount = 0
  private var changedCount = 0
  private var fixCount = 0
  /// The number of diagnostics of each severity; after repairs, of those that remain.
  private var counts: [Diagnostic.Severity: Int] = [:]
  private var diagnostics: [JSONValue] = []

  init(console: Console, isDryRun: Bool, asJSON: Bool) {
    self.console = console
    self.isDryRun = isDryRun
    self.asJSON = asJSON
  }

  mutating func take(_ event: FileEvent) {
    console.report(event)
    statuses.insert(.nothingDone)
  }

  mutating func fail(_ error: any Error) {
    console.complain(Failure(describing: error))
    statuses.insert(.nothingDone)
  }

  // MARK: Checks

  mutating func take(_ check: FileCheck, of path: String) {
    fileCount += 1
    fixCount += check.fixCount
    counts.merge(check.counts) { $0 + $1 }
    for diagnostic in check.diagnostics {
      if diagnostic.severity != .note { statuses.insert(.found) }
      if asJSON {
        diagnostics.append(JSONValue(diagnostic, path: path))
      } else {
        console.show(DiagnosticText.of(diagnostic, path: path, showsFix: true))
      }
    }
  }

  func endChecks() {
    guard asJSON else {
      let fixes: ConsoleText = fixCount > 0 ? " --fix repairs \(fixCount) of them." : ""
      return console.note("\(Count(fileCount, "file")), \(countsText).\(fixes)")
    }
    console.write([
      "files": .integer(fileCount), "errors": .integer(counts[.error] ?? 0),
      "warnings": .integer(counts[.warning] ?? 0), "notes": .integer(counts[.note] ?? 0),
      "diagnostics": .array(diagnostics),
    ])
  }

  private var countsText: String {
    [
      Count(counts[.error] ?? 0, "error"), Count(counts[.warning] ?? 0, "warning"),
      Count(counts[.note] ?? 0, "note"),
    ].map(\.description).joined(separator: ", ")
  }

  // MARK: Repairs

  mutating func take(_ repair: FileRepair, of path: String) {
    fileCount += 1
    if repair.isChanged {
      show(repair, path: path)
      changedCount += 1
      fixCount += repair.mended.count
      if isDryRun { statuses.insert(.found) }
    }
    for diagnostic in repair.left {
      counts[diagnostic.severity, default: 0] += 1
      if diagnostic.severity != .note { statuses.insert(.found) }
    }
  }

  private func show(_ repair: FileRepair, path: String) {
    let hunks = repair.hunks()
    if !hunks.isEmpty {
      print("\("--- \(path)", .bold)")
      print("\("+++ \(path)", .bold)")
    }
    for hunk in hunks {
      print("\(hunk.header, .cyan)")
      for line in hunk.lines {
        let style: ConsoleText.Style? =
          switch line.kind {
          case .same: nil
          case .old: .red
          case .new: .green
          }
        print("\("\(line.kind.rawValue)\(line.text)", style)")
      }
    }
    if repair.mended.contains(where: { $0.code == .lineEnd }) {
      console.note("\(path): every line \(isDryRun ? "would end" : "ends") in CRLF.")
    }
  }

  /// Prints a line of a diff, which is the result of a dry run, and otherwise a report.
  private func print(_ line: ConsoleText) {
    if isDryRun { console.show(line) } else { console.say(line) }
  }

  func endFixes() {
    let verb = isDryRun ? "would be repaired" : "repaired"
    let fixes = Count(fixCount, "fix", plural: "fixes")
    console.note(
      "\(changedCount) of \(Count(fileCount, "file")) \(verb), with \(fixes); \(countsText) left.")
  }
}
