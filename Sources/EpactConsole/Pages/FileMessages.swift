// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import CalendarModel
import Epact
import ICalSyntax

extension FileEvent {
  /// The event as text.
  package func message(_ remedies: any Remedies) -> Message {
    switch self {
    case .unreadable(let path, let reason):
      return .complain(Failure(.nothingDone, "\(path): \(reason)"))
    case .notCalendar(let path):
      return .complain(Failure(.nothingDone, "\(path): not a calendar"))
    case .decoded(let path, let charset): return .note("\(path): read as \(charset).")
    case .diagnostic(let path, let diagnostic):
      let text = DiagnosticText.of(diagnostic, path: path)
      return diagnostic.severity == .note ? .note(text) : .report(text)
    case .moreDiagnostics(let path, let count):
      return .note(
        "\(path): \(Count(count, "more diagnostic")); to see all: \(remedies.check(path))")
    case .otherEntries(let path, let count):
      return .note(
        "\(path): skip \(Count(count, "entry", plural: "entries")) without a calendar.")
    case .omittedLines(let path, let count):
      return .warn("\(path): \(Count(count, "line")) omitted, which the format cannot represent")
    }
  }
}

extension FileOutcome {
  /// The exit status of a command that reads files.
  package var status: ExitStatus {
    switch self {
    case .nothing: .nothingDone
    case .partial: .someFailed
    case .complete: .done
    }
  }
}
