// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
import CivilTime
package import Epact
import ICUServices

/// The forms on the terminal that another program requests.
///
/// The other program receives the exit status and, of a choice, the identifiers on standard output.
package struct HandoffForms: Sendable {
  /// The maximum number of times that an invalid answer is asked for again.
  private static let attempts = 5
  /// The maximum length of a line of a form, in characters.
  private static let lineLimit = 200

  private let console: Console
  private let desk: HandoffDesk

  private var library: CalendarLibrary { desk.editor.library }

  /// Creates the forms for the calendars of a library; the console has a terminal.
  ///
  /// - Throws: `ICUError` if ICU lacks its data; `LibraryError` if the configuration is invalid.
  package init(_ console: Console, _ library: CalendarLibrary) throws {
    self.console = console
    desk = try HandoffDesk(library)
  }

  // MARK: Saving an event

  /// Shows an item that another program prepared: the user saves, edits or dismisses it.
  ///
  ///     Lunch with Ana
  ///       Wednesday, November 25, 2026 at 12:30 PM – Wednesday, November 25, 2026 at 1:30 PM
  ///       Café
  ///     Save it to home? [yes, edit, no, or another calendar: work]
  ///
  /// - Returns: `done` if the item was saved; `nothingDone` if the user dismissed it.
  package func save(_ first: CalendarItem) async throws -> ExitStatus {
    let targets = try desk.targets(for: first.kind)
    let (calendars, standard) = (targets.calendars, targets.standard)
    let others = calendars.map(\.name).filter { $0 != standard.name }.joined(separator: ", ")
    let rest = others.isEmpty ? "" : ", or another calendar: \(others)"
    var item = first
    for _ in 0..<Self.attempts {
      let event = item.main.map { Event($0) } ?? Event()
      console.write(try lines(of: event, title: item.title).map { .report($0) })
      let answer =
        try console.answer(to: "Save it to \(standard.name, .bold)? [yes, edit, no\(rest)]") ?? "no"
      if let chosen = calendars.first(where: { $0.name == answer }) {
        return try await save(item, in: chosen)
      }
      switch answer.lowercased() {
      case "y", "yes": return try await save(item, in: standard)
      case "", "n", "no":
        console.say("Not saved.")
        return .nothingDone
      case "e", "edit": item = try edited(item, in: standard)
      default: console.report("Please answer with one of the words.")
      }
    }
    return .nothingDone
  }

  /// Opens the values of the item in the user's editor, until they can be read.
  private func edited(_ item: CalendarItem, in calendar: CalendarInfo) throws -> CalendarItem {
    guard item.kind == .event else {
      console.report("Only events can be edited here.")
      return item
    }
    let form = ItemForm(desk.unsaved(item, in: calendar), .all, desk.editor)
    let external = ExternalEditor(machine: library.machine, ending: "txt")
    do {
      return try form.edited(by: external.edit, desk.dates) { values in
        guard values.calendar == nil else {
          throw EpactError(.argument, "the calendar is chosen when the event is saved")
        }
        return try desk.changed(item, values.details)
      } ?? item
    } catch let error as EpactError where error.code == .argument && error.remedy == nil {
      console.warn("\(error.message)")
      return item
    }
  }

  private func save(_ item: CalendarItem, in calendar: CalendarInfo) async throws -> ExitStatus {
    try await desk.save(item, in: calendar)
    console.say("Saved in \(calendar.name).")
    return .done
  }

  // MARK: Showing an event

  /// Shows an event until the user closes it.
  ///
  /// - Parameters:
  ///   - uid: The UID of the event.
  ///   - calendar: The identifier or the name of its calendar.
  ///   - time: The time at which the series has the occurrence; nil for the event as a whole.
  ///   - isEditable: Whether the user can also edit and delete the event.
  /// - Returns: `done`. The word `deleted` is printed if the user deleted the event or a part of it.
  /// - Throws: `EpactError` if there is no such event; the errors of an edit.
  package func show(
    _ uid: UID, in calendar: String, at time: EventTime?, isEditable: Bool
  ) throws -> ExitStatus {
    let found = try desk.event(uid, in: calendar, at: time)
    guard let event = event(of: found.item, at: time) else { return .nothingDone }
    console.write(try lines(of: event, title: found.item.title).map { .report($0) })
    guard isEditable, desk.canChange(found) else {
      _ = try console.answer(to: "Close it? [Return]")
      return .done
    }
    for _ in 0..<Self.attempts {
      switch try console.answer(to: "Close it? [Return, edit, delete]")?.lowercased() {
      case nil, "": return .done
      case "e", "edit":
        try change(found, try span(of: found))
        return .done
      case "delete":
        try desk.editor.deleting(found, try span(of: found)).commit()
        console.report("Deleted.")
        for line in HandoffOutcome.deleted.lines { console.show("\(line)") }
        return .done
      default: console.report("Please answer with one of the words.")
      }
    }
    return .done
  }

  private func span(of found: FoundItem) throws -> EditSpan {
    guard found.isSeries else { return .all }
    return try desk.editor.span(console.chooseSpan(of: found.item.title, desk.dates), of: found)
  }

  private func change(_ found: FoundItem, _ span: EditSpan) throws {
    let external = ExternalEditor(machine: library.machine, ending: "txt")
    let edit = try ItemForm(found, span, desk.editor).edited(by: external.edit, desk.dates) {
      try desk.editor.changing(found, $0, span)
    }
    guard let edit, try edit.commit() != nil else { return console.report("Nothing changes.") }
    console.report("Saved.")
  }

  /// The occurrence, or the event as a whole.
  private func event(of item: CalendarItem, at time: EventTime?) -> Event? {
    desk.editor.component(of: item, at: time).map { Event($0) }
  }

  private func lines(of event: Event, title: String) throws -> [ConsoleText] {
    var lines: [ConsoleText] = ["\(title, .bold)"]
    var dates = try ViewDates(locale: library.machine.dateLocale)
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

  // MARK: Choosing calendars

  /// Lets the user choose calendars, and prints their identifiers.
  ///
  ///     Calendars for events:
  ///       1  home    On This Computer
  ///       2  club    ada@dav.example.org
  ///     Which calendar? [a number, or no]
  ///
  /// - Parameters:
  ///   - kind: The kind of items that the calendars have.
  ///   - isMultiple: Whether several calendars can be chosen.
  ///   - isWritableOnly: Whether only calendars that accept new items are shown.
  /// - Returns: `done` if the user has chosen; `nothingDone` if not.
  /// - Throws: `EpactError` if no calendar is suitable; `CancellationError`.
  package func choose(
    for kind: ItemKind, isMultiple: Bool, isWritableOnly: Bool
  ) throws -> ExitStatus {
    let calendars = try desk.calendars(for: kind, isWritableOnly: isWritableOnly)
    console.report("Calendars for \(kind == .event ? "events" : "reminders"):")
    let width = calendars.map { DisplayWidth.of($0.title) }.max() ?? 0
    for (index, calendar) in calendars.enumerated() {
      let title = DisplayWidth.padded(calendar.title, to: width)
      console.report("  \(String(index + 1))  \(title)  \(calendar.source.title, .dim)")
    }
    let question: ConsoleText =
      isMultiple ? "Which calendars? [numbers, all, or no]" : "Which calendar? [a number, or no]"
    for _ in 0..<Self.attempts {
      let answer = try console.answer(to: question) ?? "no"
      if ["", "n", "no"].contains(answer.lowercased()) { return .nothingDone }
      if let chosen = Self.chosen(by: answer, among: calendars), isMultiple || chosen.count == 1 {
        for calendar in chosen { console.show("\(calendar.id)") }
        return .done
      }
      console.report("Please answer with what is in the brackets.")
    }
    return .nothingDone
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

extension Handoff.Entry {
  /// The lines of the item with its links, or with the reason why it has none.
  package var lines: [ConsoleText] {
    let head: ConsoleText = "\(item.title, .bold) \("(\(item.uid))", .dim)"
    if let refusal { return [head, "  \(refusal)"] }
    let width = AddLink.Service.allCases.map { DisplayWidth.of($0.title) }.max() ?? 0
    let addresses = links.map { link -> ConsoleText in
      "  \(DisplayWidth.padded(link.service.title, to: width))  \(link.address)"
    }
    return [head] + addresses + notes.map { "  \($0)" }
  }
}
