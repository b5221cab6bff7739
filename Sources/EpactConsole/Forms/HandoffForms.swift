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
  private let library: CalendarLibrary
  private let remedies: any Remedies

  private var machine: Machine { library.machine }

  /// Creates the forms for the calendars of a library.
  ///
  /// - Throws: `Failure` without a terminal.
  package init(_ console: Console, _ library: CalendarLibrary, _ remedies: any Remedies) throws {
    guard console.canAsk else {
      throw Failure(.nothingDone, "there is no terminal to show the form on")
    }
    (self.console, self.library, self.remedies) = (console, library, remedies)
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
    let calendars = try library.calendars().filter {
      !$0.isReadOnly && $0.kinds.contains(first.kind)
    }
    let standard = try library.defaultCalendar(for: first.kind) ?? calendars.first
    guard let standard else {
      throw Failure(
        .configuration, "no calendar of the configuration accepts it",
        hint: remedies.hint(.configure))
    }
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
      case "e", "edit": item = try edited(item)
      default: console.report("Please answer with one of the words.")
      }
    }
    return .nothingDone
  }

  /// Opens the item in the user's editor; invalid text keeps the item.
  private func edited(_ item: CalendarItem) throws -> CalendarItem {
    let bytes = try ExternalEditor(machine: machine).edit(item.serialized())
    do {
      return try CalendarItem(parsing: bytes)
    } catch {
      console.warn("the edited text is not one item: \(error.description)")
      return item
    }
  }

  /// Imports the item, so that the history has the run and can undo it.
  private func save(_ item: CalendarItem, in calendar: CalendarInfo) async throws -> ExitStatus {
    let file = try HandoffFile(at: nil, from: "form.ics", handler: nil, machine: machine)
    try file.write(CalendarWriting([item], machine: machine))
    let request = ImportRequest([file.path], into: calendar.location)
    var rejection: String?
    let summary = try await CalendarImport.run(request, machine: machine) { event in
      if case .item(let item) = event, item.outcome == .rejected { rejection = item.reason }
    }
    guard summary.outcome == .complete, rejection == nil else {
      throw Failure(.nothingDone, "it was not saved: \(rejection ?? "the item is not valid")")
    }
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
  /// - Returns: `done`.
  /// - Throws: `Failure` if there is no such event.
  package func show(_ uid: UID, in calendar: String, at time: EventTime?) throws -> ExitStatus {
    let known = try library.calendars()
    let found = known.first { $0.id == calendar } ?? known.first { $0.name == calendar }
    guard let found, let item = try library.entry(uid, of: found)?.item,
      item.kind == .event, let event = event(of: item, at: time)
    else { throw Failure(.nothingDone, "there is no such event") }
    console.write(try lines(of: event, title: item.title).map { .report($0) })
    _ = try console.answer(to: "Close it? [Return]")
    return .done
  }

  /// The occurrence, or the event as a whole; nil if the series does not have the occurrence.
  private func event(of item: CalendarItem, at time: EventTime?) -> Event? {
    guard let time else { return (item.main ?? item.components.first).map { Event($0) } }
    let editor = machine.itemEditor(at: machine.now()) { item.uid }
    var event: Event?
    // An edit that changes nothing finds the occurrence by all rules of the RFC.
    _ = try? editor.edit(item, .occurrence(time)) { (found: inout Event) in event = found }
    return event
  }

  private func lines(of event: Event, title: String) throws -> [ConsoleText] {
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
  /// - Throws: `Failure` if no calendar is suitable; `CancellationError`.
  package func choose(
    for kind: ItemKind, isMultiple: Bool, isWritableOnly: Bool
  ) throws -> ExitStatus {
    let calendars = try library.calendars().filter {
      $0.kinds.contains(kind) && !($0.isReadOnly && isWritableOnly)
    }
    guard !calendars.isEmpty else {
      throw Failure(
        .configuration, "no calendar of the configuration is suitable",
        hint: remedies.hint(.configure))
    }
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
