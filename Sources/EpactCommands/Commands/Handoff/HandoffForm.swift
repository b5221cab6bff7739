// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactConsole

/// The form of an event that another program prepared: the user saves, edits or dismisses it.
///
///     Lunch with Ana
///       Wednesday, November 25, 2026 at 12:30 PM – Wednesday, November 25, 2026 at 1:30 PM
///       Café
///     Save it to home? [yes, edit, no, or another calendar: work]
///
/// The other program receives the exit status and nothing else.
struct HandoffForm {
  /// The maximum number of times that an invalid answer is asked for again.
  private static let attempts = 5
  let context: Context

  /// Shows an item, and saves it in the calendar that the user chooses.
  ///
  /// - Returns: `done` if the item was saved; `nothingDone` if the user dismissed it.
  func run(_ first: CalendarItem) async throws -> ExitStatus {
    let library = try context.libraryForForm()
    let calendars = try library.calendars().filter {
      !$0.isReadOnly && $0.kinds.contains(first.kind)
    }
    let standard = try library.defaultCalendar(for: first.kind) ?? calendars.first
    guard let standard else {
      throw Failure(
        .configuration, "no calendar of the configuration accepts it",
        hint: Failure.hint(.configure))
    }
    var item = first
    for _ in 0..<Self.attempts {
      let event = item.main.map { Event($0) } ?? Event()
      for line in try context.lines(of: event, title: item.title) { context.console.report(line) }
      let answer = try context.console.answer(to: question(standard, calendars)) ?? "no"
      if let chosen = calendars.first(where: { $0.name == answer }) {
        return try await save(item, in: chosen)
      }
      switch answer.lowercased() {
      case "y", "yes": return try await save(item, in: standard)
      case "", "n", "no":
        context.console.say("Not saved.")
        return .nothingDone
      case "e", "edit": item = try edited(item)
      default: context.console.report("Please answer with one of the words.")
      }
    }
    return .nothingDone
  }

  private func question(_ standard: CalendarInfo, _ calendars: [CalendarInfo]) -> ConsoleText {
    let others = calendars.map(\.name).filter { $0 != standard.name }.joined(separator: ", ")
    let rest = others.isEmpty ? "" : ", or another calendar: \(others)"
    return "Save it to \(standard.name, .bold)? [yes, edit, no\(rest)]"
  }

  /// Opens the item in the user's editor; invalid text keeps the item.
  private func edited(_ item: CalendarItem) throws -> CalendarItem {
    let bytes = try ExternalEditor(machine: context.machine).edit(item.serialized())
    do {
      return try CalendarItem(parsing: bytes)
    } catch {
      context.console.warn("the edited text is not one item: \(error.description)")
      return item
    }
  }

  /// Imports the item, so that the history has the run and can undo it.
  private func save(_ item: CalendarItem, in calendar: CalendarInfo) async throws -> ExitStatus {
    let file = try HandoffFile(at: nil, from: "form.ics", handler: nil, machine: context.machine)
    try file.write(CalendarWriting([item], machine: context.machine))
    let request = ImportRequest([file.path], into: calendar.location)
    var rejection: String?
    let summary = try await CalendarImport.run(request, machine: context.machine) { event in
      if case .item(let item) = event, item.outcome == .rejected { rejection = item.reason }
    }
    guard summary.outcome == .complete, rejection == nil else {
      throw Failure(.nothingDone, "it was not saved: \(rejection ?? "the item is not valid")")
    }
    context.console.say("Saved in \(calendar.name).")
    return .done
  }
}
