// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import Epact
import EpactConsole
import ICalSyntax

extension Console {
  /// Reports an event of a file that is read, on standard error.
  func report(_ event: FileEvent) {
    switch event {
    case .unreadable(let path, let reason):
      complain(Failure(.nothingDone, "\(path): \(reason)"))
    case .notCalendar(let path): complain(Failure(.nothingDone, "\(path): not a calendar"))
    case .decoded(let path, let charset): note("\(path): read as \(charset).")
    case .diagnostic(let path, let diagnostic):
      let text = DiagnosticText.of(diagnostic, path: path)
      if diagnostic.severity == .note { note(text) } else { report(text) }
    case .moreDiagnostics(let path, let count):
      note(
        "\(path): \(Count(count, "more diagnostic")); to see all: \(SuggestedCommand.check(path))")
    case .otherEntries(let path, let count):
      note("\(path): skip \(Count(count, "entry", plural: "entries")) without a calendar.")
    case .omittedLines(let path, let count):
      warn("\(path): \(Count(count, "line")) omitted, which the format cannot represent")
    }
  }

  /// Reports the problems of items in memory.
  func report(_ items: ItemCollection) {
    for fault in items.faults {
      warn("\(fault.path):\(fault.diagnostic.position): \(fault.diagnostic.message)")
    }
    let codes: [DiagnosticCode] = [.repeatedItem, .supersededItem, .sharedUID]
    for note in items.notes where codes.contains(note.diagnostic.code) {
      report(.diagnostic(path: note.path, note.diagnostic))
    }
  }

  /// Writes data to standard output.
  ///
  /// - Throws: `CancellationError` if the reader of standard output is gone.
  func stream(_ bytes: [UInt8]) throws {
    write(bytes)
    guard !isBroken else { throw CancellationError() }
  }
}

extension FileOutcome {
  /// The exit status of a command that reads files.
  var status: ExitStatus {
    switch self {
    case .nothing: .nothingDone
    case .partial: .someFailed
    case .complete: .done
    }
  }
}
