// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarModel
import ICalSyntax

/// The items of files in memory, for commands that compare them.
struct ItemReading {
  /// The items by UID; the parts of a UID are joined where possible.
  private(set) var items: [UID: CalendarItem] = [:]
  /// The components that are not part of a valid item, with the path of their file.
  private(set) var faults: [(path: String, diagnostic: Diagnostic)] = []
  /// Notes on components that cannot all keep their UID, with the path of their file.
  private(set) var notes: [(path: String, diagnostic: Diagnostic)] = []
  /// The properties of the calendar if exactly one calendar was read, otherwise nil.
  private(set) var calendar: Component?
  private var calendarCount = 0

  /// Reads a file, or all files of a folder.
  ///
  /// - Throws: `Failure` if a file cannot be read at all; `CancellationError`.
  init(_ argument: String) throws {
    let sources = try Self.sources(argument)
    for source in sources { try read(source) }
    if calendarCount != 1 { calendar = nil }
  }

  private static func sources(_ argument: String) throws -> [InputFiles.Source] {
    var failure: Failure?
    let sources = InputFiles.find([argument]) { path, error in
      failure = Failure(.nothingDone, "\(path): \(error)")
    }
    if let failure { throw failure }
    return sources
  }

  private mutating func read(_ source: InputFiles.Source) throws {
    do {
      var reading = try CalendarReading(source)
      var grouping = ItemGrouping(window: .max)
      var isCalendar = false
      while let element = try reading.next() {
        switch element {
        case .calendarBegan:
          isCalendar = true
          calendarCount += 1
          calendar = Component(.calendar)
        case .component: isCalendar = true
        case .property(let property): calendar?.properties.append(property)
        case .calendarEnded, .diagnostic: break
        }
        grouping.take(element)
      }
      guard isCalendar else {
        throw Failure(.nothingDone, "\(source.label): expected a calendar, found none")
      }
      grouping.finish()
      while let element = grouping.next() {
        switch element {
        case .item(let item): add(item, from: source.label)
        case .rejected(let diagnostic): faults.append((source.label, diagnostic))
        case .diagnostic(let diagnostic): notes.append((source.label, diagnostic))
        }
      }
    } catch let error as SystemError {
      throw Failure(.nothingDone, "\(source.label): \(error)")
    }
  }

  /// Adds an item; an item with the same UID is from another file of the folder.
  private mutating func add(_ item: CalendarItem, from path: String) {
    switch ItemUpdate(of: items[item.uid], by: item) {
    case .added(let new): items[new.uid] = new
    case .updated(let new):
      items[new.uid] = new
      if item.main != nil { note(item, path, "which takes the place of that of an earlier file") }
    case .unchanged: break
    case .older: note(item, path, "which is older than that of an earlier file and is left out")
    case .otherKind:
      note(item, path, "of another kind than that of an earlier file; it is left out")
    }
  }

  private mutating func note(_ item: CalendarItem, _ path: String, _ finding: String) {
    guard let component = item.components.first else { return }
    let diagnostic = component.diagnostic(
      .warning, .sharedUID,
      "expected one item with the UID '\(item.uid)' in all files, found another one, \(finding)",
      reference: "RFC 4791 §4.1")
    notes.append((path, diagnostic))
  }

  /// Prints the problems of the files.
  func report(to console: Console) {
    for fault in faults {
      console.warn("\(fault.path):\(fault.diagnostic.position): \(fault.diagnostic.message)")
    }
    let codes: [DiagnosticCode] = [.repeatedItem, .supersededItem, .sharedUID]
    for note in notes where codes.contains(note.diagnostic.code) {
      let text = DiagnosticText.of(note.diagnostic, path: note.path)
      if note.diagnostic.severity == .note { console.note(text) } else { console.report(text) }
    }
  }
}
