// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactConsole

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
