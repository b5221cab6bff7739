// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import CalendarModel
import Epact
import ICalSyntax

extension FileEvent {
  /// The event as text.
  package func message(_ remedies: any Remedies) -> Message {
    switch self {
    case .unreadable(let path, _), .notCalendar(let path):
      return .complain(Failure(.nothingDone, "\(path): \(words)"))
    case .invalidPath(let list, let line, _):
      return .complain(Failure(.nothingDone, "\(list):\(line): \(words)"))
    case .decoded(let path, _), .otherEntries(let path, _): return .note("\(path): \(words).")
    case .diagnostic(let path, let diagnostic):
      let text = DiagnosticText.of(diagnostic, path: path)
      return diagnostic.severity == .note ? .note(text) : .report(text)
    case .moreDiagnostics(let path, _):
      return .note("\(path): \(words); to see all: \(remedies.check(path))")
    case .omittedLines(let path, _): return .warn("\(path): \(words)")
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
