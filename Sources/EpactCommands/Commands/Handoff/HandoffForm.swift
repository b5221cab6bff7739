// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactConsole
import ICUServices

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

/// The form that shows an event of the user's calendars for another program.
///
///     Lunch with Ana
///       Wednesday, November 25, 2026 at 12:30 PM – Wednesday, November 25, 2026 at 1:30 PM
///       Café
///     Close it? [Return]
///
/// The other program receives the exit status and nothing else.
struct EventForm {
  let context: Context
  let uid: UID
  /// The identifier or the name of the calendar.
  let calendar: String
  /// The time at which the series has the occurrence; nil for the event as a whole.
  let time: EventTime?

  /// Shows the event until the user closes it.
  ///
  /// - Returns: `done`.
  /// - Throws: `Failure` without a terminal, or if there is no such event.
  func run() throws -> ExitStatus {
    let library = try context.libraryForForm()
    let known = try library.calendars()
    let found = known.first { $0.id == calendar } ?? known.first { $0.name == calendar }
    guard let found, let item = try library.entry(uid, of: found)?.item,
      item.kind == .event, let event = event(of: item)
    else { throw Failure(.nothingDone, "there is no such event") }
    for line in try context.lines(of: event, title: item.title) { context.console.report(line) }
    _ = try context.console.answer(to: "Close it? [Return]")
    return .done
  }

  /// The occurrence, or the event as a whole; nil if the series does not have the occurrence.
  private func event(of item: CalendarItem) -> Event? {
    guard let time else { return (item.main ?? item.components.first).map { Event($0) } }
    let editor = context.machine.itemEditor(at: context.machine.now()) { item.uid }
    var event: Event?
    // An edit that changes nothing finds the occurrence by all rules of the RFC.
    _ = try? editor.edit(item, .occurrence(time)) { (found: inout Event) in event = found }
    return event
  }
}

/// The form in which the user chooses calendars for another program.
///
///     Calendars for events:
///       1  home    On This Computer
///       2  club    ada@dav.example.org
///     Which calendar? [a number, or no]
///
/// The identifiers of the chosen calendars are printed on standard output, and nothing else is.
struct ChooserForm {
  /// The maximum number of times that an invalid answer is asked for again.
  private static let attempts = 5

  let context: Context
  let kind: ItemKind
  let isMultiple: Bool
  let isWritableOnly: Bool

  /// Shows the calendars, and prints the identifiers of the chosen ones.
  ///
  /// - Returns: `done` if the user has chosen; `nothingDone` if not.
  func run() throws -> ExitStatus {
    let calendars = try context.libraryForForm().calendars().filter {
      $0.kinds.contains(kind) && !($0.isReadOnly && isWritableOnly)
    }
    guard !calendars.isEmpty else {
      throw Failure(
        .configuration, "no calendar of the configuration is suitable",
        hint: Failure.hint(.configure))
    }
    show(calendars)
    for _ in 0..<Self.attempts {
      let answer = try context.console.answer(to: question) ?? "no"
      if ["", "n", "no"].contains(answer.lowercased()) { return .nothingDone }
      if let chosen = Self.chosen(by: answer, among: calendars), isMultiple || chosen.count == 1 {
        for calendar in chosen { context.console.show("\(calendar.id)") }
        return .done
      }
      context.console.report("Please answer with what is in the brackets.")
    }
    return .nothingDone
  }

  private var question: ConsoleText {
    isMultiple ? "Which calendars? [numbers, all, or no]" : "Which calendar? [a number, or no]"
  }

  private func show(_ calendars: [CalendarInfo]) {
    context.console.report("Calendars for \(kind == .event ? "events" : "reminders"):")
    let width = calendars.map { DisplayWidth.of($0.title) }.max() ?? 0
    for (index, calendar) in calendars.enumerated() {
      let title = DisplayWidth.padded(calendar.title, to: width)
      context.console.report("  \(String(index + 1))  \(title)  \(calendar.source.title, .dim)")
    }
  }

  /// The calendars with some numbers or names; nil if the answer has another word.
  private static func chosen(by answer: String, among calendars: [CalendarInfo]) -> [CalendarInfo]?
  {
    if answer.lowercased() == "all" { return calendars }
    if let calendar = calendars.first(where: { $0.name == answer }) { return [calendar] }
    let words = answer.split(whereSeparator: { $0 == "," || $0.isWhitespace })
    let numbers = Set(words.compactMap { Int($0) })
    guard words.allSatisfy({ Int($0) != nil }), !numbers.isEmpty,
      numbers.allSatisfy({ (1...calendars.count).contains($0) })
    else { return nil }
    return numbers.sorted().map { calendars[$0 - 1] }
  }
}

/// The parts that all forms for other programs have.
extension Context {
  /// The maximum length of a line of a form, in characters.
  private static let lineLimit = 200

  /// The user's calendars, for a form on the terminal.
  ///
  /// - Throws: `Failure` without a terminal.
  func libraryForForm() throws -> CalendarLibrary {
    guard console.canAsk else {
      throw Failure(.nothingDone, "there is no terminal to show the form on")
    }
    return library
  }

  /// The lines that show an event.
  func lines(of event: Event, title: String) throws -> [ConsoleText] {
    var lines: [ConsoleText] = ["\(title, .bold)"]
    var dates = try ViewDates(locale: machine.dateLocale)
    func text(_ time: EventTime) throws -> String {
      time.isAllDay ? try dates.text(time.date, .weekdayAndDate) : try dates.text(time.wallTime)
    }
    // The end of an all-day event is the day after its last one (RFC 5545 §3.6.1).
    let end = event.end?.time.map { end in
      end.isAllDay ? .date(end.date.adding(days: -1) ?? end.date) : end
    }
    var times = try [event.start, end].compactMap(\.self).map(text)
    if times.count == 2, times[0] == times[1] { times.removeLast() }
    if !times.isEmpty { lines.append("  \(times.joined(separator: " – "))") }
    if event.recurrence.isRecurring { lines.append("  It repeats.") }
    for value in [event.location, event.url, event.descriptionText].compactMap(\.self) {
      let words = value.split(whereSeparator: \.isNewline).joined(separator: " ")
      lines.append("  \(String(words.prefix(Self.lineLimit)))")
    }
    return lines
  }
}
