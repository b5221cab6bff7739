// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import Epact
import EpactConsole
import ICalSyntax

extension Console {
  /// Reports an event of a file that is read, on standard error.
  func report(_ event: FileEvent) {
    let message = event.message(ProgramRemedies())
    guard reportsJSON else { return write([message]) }
    // Quiet mode omits a note, as it does as text.
    if isQuiet, case .note = message { return }
    reportProblem(event.json)
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
