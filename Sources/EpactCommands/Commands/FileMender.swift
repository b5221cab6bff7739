// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarStore
import CivilTime
import ICalSyntax

/// Repairs files for `epact check --fix`: prints the diff, and a summary on standard error.
struct FileMender {
  /// The maximum size of a file, in bytes; the whole file is held in memory.
  private static let sizeLimit = 256 << 20

  /// The totals of all files.
  private struct Sum {
    var files = 0
    var changed = 0
    var fixes = 0
    var left: [Diagnostic.Severity: Int] = [:]
    var statuses: Set<ExitStatus> = []
  }

  private let isDryRun: Bool
  private let context: Context

  init(isDryRun: Bool, in context: Context) {
    self.isDryRun = isDryRun
    self.context = context
  }

  /// Repairs the files that the arguments name.
  ///
  /// - Throws: `CancellationError`. A file that cannot be read or written is reported, and does not
  ///   prevent the others from being repaired.
  func mend(_ arguments: [String]) throws -> ExitStatus {
    var sum = Sum()
    let sources = InputFiles.find(arguments) { path, error in
      complain(path, error.description)
      sum.statuses.insert(.nothingDone)
    }
    for source in sources {
      do {
        try mend(source, &sum)
      } catch let error as SystemError {
        complain(source.label, error.description)
        sum.statuses.insert(.nothingDone)
      } catch let error as StoreError {
        complain(source.label, error.message)
        sum.statuses.insert(.nothingDone)
      }
    }
    context.console.note(summary(sum))
    return ExitStatus.worst(of: sum.statuses)
  }

  private func mend(_ source: InputFiles.Source, _ sum: inout Sum) throws {
    var stream = try source.open()
    guard let bytes = try stream.readAll(limit: Self.sizeLimit) else {
      complain(source.label, "larger than the 256 MiB that are mended")
      sum.statuses.insert(.nothingDone)
      return
    }
    guard CalendarReading.isLines(bytes) else {
      context.console.complain(
        Failure(
          .nothingDone, "\(source.label): not iCalendar and so not mended",
          hint: "To make it that: \(SuggestedCommand.convert(source.label))"))
      sum.statuses.insert(.nothingDone)
      return
    }
    let now = CivilDateTime(wallSeconds: context.machine.now().secondsSinceEpoch)
    let repair = FileRepair(of: bytes, now: now)
    if repair.isChanged {
      if !isDryRun, case .file(let path) = source {
        try AtomicFile.write(repair.bytes, to: path, permissions: .shared)
      }
      show(repair, path: source.label)
      sum.changed += 1
      sum.fixes += repair.mended.count
      if isDryRun { sum.statuses.insert(.found) }
    }
    sum.files += 1
    for diagnostic in repair.left {
      sum.left[diagnostic.severity, default: 0] += 1
      if diagnostic.severity != .note { sum.statuses.insert(.found) }
    }
  }

  private func show(_ repair: FileRepair, path: String) {
    let hunks = repair.hunks()
    if !hunks.isEmpty {
      context.console.show("\("--- \(path)", .bold)")
      context.console.show("\("+++ \(path)", .bold)")
    }
    for hunk in hunks {
      context.console.show("\(hunk.header, .cyan)")
      for line in hunk.lines {
        let style: ConsoleText.Style? =
          switch line.kind {
          case .same: nil
          case .old: .red
          case .new: .green
          }
        context.console.show("\("\(line.kind.rawValue)\(line.text)", style)")
      }
    }
    if repair.mended.contains(where: { $0.code == .lineEnd }) {
      context.console.note("\(path): every line \(isDryRun ? "would end" : "ends") in CRLF.")
    }
  }

  private func summary(_ sum: Sum) -> ConsoleText {
    let verb = isDryRun ? "would be mended" : "mended"
    let left = [
      Count(sum.left[.error] ?? 0, "error"), Count(sum.left[.warning] ?? 0, "warning"),
      Count(sum.left[.note] ?? 0, "note"),
    ]
    return
      "\(sum.changed) of \(Count(sum.files, "file")) \(verb), with \(Count(sum.fixes, "fix", plural: "fixes")); \(left.map(\.description).joined(separator: ", ")) left."
  }

  private func complain(_ path: String, _ message: String) {
    context.console.complain(Failure(.nothingDone, "\(path): \(message)"))
  }
}
