// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import Epact
import Hummingbird

/// `/tasks`: what is to be done.
struct TasksRoute: Sendable {
  /// The maximum number of tasks of the page.
  private static let limit = 500

  let site: Site

  private struct Model: Sendable {
    struct Task: Sendable {
      let title: String
      let categories: String?
      let due: String?
      let isOverdue: Bool
      let calendar: String
      let calendarName: String
      let calendarClass: String
      let sign: String
      let href: String
      let uid: String
      /// Whether the UID is short enough for a form.
      let isNameable: Bool
      let depth: Int
    }

    /// A calendar for new tasks.
    struct Choice: Sendable {
      let name: String
      let title: String
      let isChosen: Bool
    }

    let choices: [Choice]
    let tasks: [Task]
    let rest: Int?
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let model = try await Background.run { try self.model() }
    return site.pages.page("Tasks", "tasks", model, context)
  }

  /// Completes a task.
  func complete(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.perform("/tasks", context) { desk in
      let library = desk.editor.library
      let calendar = try library.calendar(named: form["calendar"])
      guard let entry = try library.entry(UID(form.exact("uid")), of: calendar) else {
        throw EpactError(.failed, "the task is gone")
      }
      return try desk.editor.setting(
        .completed, of: FoundItem(calendar: calendar, entry: entry))
    }
  }

  /// Adds a task from one line.
  func add(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.perform("/tasks", context) { desk in
      var details = ItemDetails()
      let words = QuickWords.words(of: form["text"])
      let split = try desk.dates.take(words, into: &details, isDue: true)
      if let times = split.span?.reminderTimes {
        (details.start, details.end) = (times.start.map { .moment($0) }, .moment(times.due))
      }
      let calendar = try form.text("into").map { try desk.editor.library.calendar(named: $0) }
      return try desk.editor.adding(details, as: .reminder, to: calendar)
    }
  }

  private func model() throws -> Model {
    let desk = try Desk(site)
    let calendars = try site.library.calendars()
    let signs = CalendarSigns(calendars)
    let list = try TaskList(of: calendars, desk.editor)
    var dates = try ViewDates(locale: site.machine.dateLocale)
    var tasks: [Model.Task] = []
    for entry in list.entries.prefix(Self.limit) {
      let (found, name) = (entry.found, entry.found.calendar.name)
      let sign = signs[name]
      var due: String?
      if let time = entry.due {
        let wall = desk.editor.viewed(time, in: found)
        due = time.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall)
      }
      let categories = CategoryText.text(entry.reminder.categories)
      tasks.append(
        Model.Task(
          title: ShortText(entry.reminder.summary ?? found.item.title).text,
          categories: categories.isEmpty ? nil : ShortText(categories).text, due: due,
          isOverdue: entry.isOverdue,
          calendar: sign.title, calendarName: name, calendarClass: sign.name, sign: sign.letter,
          href: EntryWords.href(of: found.item.uid, in: name),
          uid: found.item.uid.rawValue,
          isNameable: found.item.uid.rawValue.utf8.count <= EntryWords.uidLimit,
          depth: min(entry.depth, 3)))
    }
    let rest = list.entries.count - tasks.count
    let standard = try site.library.defaultCalendar(for: .reminder)
    let choices = calendars.filter { !$0.isReadOnly && $0.kinds.contains(.reminder) }.map {
      Model.Choice(
        name: $0.name, title: ShortText($0.title).text, isChosen: $0.id == standard?.id)
    }
    return Model(choices: choices, tasks: tasks, rest: rest > 0 ? rest : nil)
  }
}
