// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
package import Epact
import ICalSyntax

/// The problems in files, or their repairs, with totals.
package struct CheckReport: Report {
  /// The form of the problems.
  package enum Form: Sendable {
    /// Lines of text.
    case text
    /// One JSON object a line for each.
    case lines
    /// One JSON object for all.
    case object
  }

  private let isDryRun: Bool
  private let isRepair: Bool
  /// Whether the files are from a list, so that one of them does not decide on the exit status.
  private let isList: Bool
  private let form: Form
  /// Whether a file could not be read or written.
  package var hasUnread = false
  private var hasFindings = false
  private var fileCount = 0
  private var changedCount = 0
  private var fixCount = 0
  /// The number of problems of each severity, after repairs that of the remaining ones.
  private var counts: [Diagnostic.Severity: Int] = [:]
  private var diagnostics: [JSONValue] = []

  /// Creates an empty report of checks or of repairs.
  package init(isDryRun: Bool, isRepair: Bool, isList: Bool, form: Form) {
    (self.isDryRun, self.isRepair) = (isDryRun, isRepair)
    (self.isList, self.form) = (isList, form)
  }

  package var status: ExitStatus {
    if hasUnread { return isList && fileCount > 0 ? .someFailed : .nothingDone }
    return hasFindings ? .found : .done
  }

  package var json: JSONValue {
    [
      "files": .integer(fileCount), "errors": .integer(counts[.error] ?? 0),
      "warnings": .integer(counts[.warning] ?? 0), "notes": .integer(counts[.note] ?? 0),
      "diagnostics": .array(diagnostics),
    ]
  }

  /// The totals.
  package var messages: [Message] {
    let files = Count(fileCount, "file")
    let numbers = [
      Count(counts[.error] ?? 0, "error"), Count(counts[.warning] ?? 0, "warning"),
      Count(counts[.note] ?? 0, "note"),
    ].map(\.description).joined(separator: ", ")
    guard isRepair else {
      let fixes: ConsoleText = fixCount > 0 ? " --fix repairs \(fixCount) of them." : ""
      return [.note("\(files), \(numbers).\(fixes)")]
    }
    let verb = isDryRun ? "would be repaired" : "repaired"
    let fixes = Count(fixCount, "fix", plural: "fixes")
    return [.note("\(changedCount) of \(files) \(verb), with \(fixes); \(numbers) left.")]
  }

  /// Counts the problems of a file, and returns the lines about them.
  package mutating func take(_ check: FileCheck, of path: String) -> [Message] {
    fileCount += 1
    fixCount += check.fixCount
    counts.merge(check.counts) { $0 + $1 }
    if check.diagnostics.contains(where: { $0.severity != .note }) { hasFindings = true }
    switch form {
    case .text:
      return check.diagnostics.map { .show(DiagnosticText.of($0, path: path, showsFix: true)) }
    case .lines:
      return check.diagnostics.map { .show("\(JSONValue($0, path: path).line)") }
    case .object:
      diagnostics += check.diagnostics.map { JSONValue($0, path: path) }
      return []
    }
  }

  /// Counts the repairs of a file, and returns the lines about them.
  package mutating func take(_ repair: FileRepair, of path: String) -> [Message] {
    fileCount += 1
    for diagnostic in repair.left {
      counts[diagnostic.severity, default: 0] += 1
      if diagnostic.severity != .note { hasFindings = true }
    }
    guard repair.isChanged else { return [] }
    changedCount += 1
    fixCount += repair.mended.count
    if isDryRun { hasFindings = true }
    let hunks = repair.hunks()
    var lines: [ConsoleText] =
      hunks.isEmpty ? [] : ["\("--- \(path)", .bold)", "\("+++ \(path)", .bold)"]
    for hunk in hunks {
      lines.append("\(hunk.header, .cyan)")
      lines += hunk.lines.map { line in
        let style: ConsoleText.Style? =
          switch line.kind {
          case .same: nil
          case .old: .red
          case .new: .green
          }
        return "\("\(line.kind.rawValue)\(line.text)", style)"
      }
    }
    // The difference is the result of a dry run.
    var messages: [Message] = lines.map { isDryRun ? .show($0) : .say($0) }
    if repair.mended.contains(where: { $0.code == .lineEnd }) {
      messages.append(.note("\(path): every line \(isDryRun ? "would end" : "ends") in CRLF."))
    }
    return messages
  }
}
