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

/// The problems of the files of a view, of which the first ones are shown.
///
/// A folder of twenty years may have hundreds, and each view would be lost behind them.
struct FileProblems {
  /// The maximum number of problems that are shown.
  private static let limit = 5

  private let console: Console
  private var shownCount = 0
  /// The numbers of the other problems, by their folders.
  private var others: [(folder: String, count: Int)] = []

  init(_ console: Console) {
    self.console = console
  }

  /// Reports an event of a file that is read.
  mutating func take(_ event: FileEvent) {
    guard let path = event.problemPath, !console.reportsJSON else { return console.report(event) }
    guard shownCount == Self.limit else {
      shownCount += 1
      return console.report(event)
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    if let place = others.firstIndex(where: { $0.folder == folder }) {
      others[place].count += 1
    } else {
      others.append((folder, 1))
    }
  }

  /// Reports how many problems were not shown.
  func finish() {
    for (folder, count) in others {
      let command = ProgramRemedies().check(folder)
      console.warn("\(folder): \(Count(count, "more problem")); to see all: \(command)")
    }
  }
}

extension FileEvent {
  /// The path of a file with a problem that quiet mode shows, too; nil for other events.
  fileprivate var problemPath: String? {
    switch self {
    case .unreadable(let path, _), .notCalendar(let path): path
    case .diagnostic(let path, let diagnostic): diagnostic.severity == .note ? nil : path
    case .invalidPath, .decoded, .otherEntries, .moreDiagnostics, .omittedLines: nil
    }
  }
}
