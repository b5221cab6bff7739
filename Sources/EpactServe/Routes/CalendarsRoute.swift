// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Hummingbird

/// `/calendars`: the calendars with their titles and colours, and the forms that change them.
struct CalendarsRoute: Sendable {
  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let name: String
      let title: String
      let color: String
      let items: String
      let words: String
      let calendarClass: String
      let sign: String
      let canChange: Bool
    }

    let calendars: [Row]
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let site = site
    let model = try await Background.run {
      let list = try CalendarList(of: site.library, in: try site.library.file.load())
      let calendars = try site.library.calendars()
      let signs = CalendarSigns(calendars)
      let fixed = Set(calendars.filter { $0.isImmutable || $0.isSubscribed }.map(\.name))
      return Model(
        calendars: list.entries.map { entry in
          let sign = signs[entry.name]
          let words = entry.syncs + (entry.isReadOnly ? ["read-only"] : [])
          return Model.Row(
            name: entry.name, title: ShortText(entry.title).text, color: entry.color ?? "#5b6b7b",
            items: entry.items.map { "\($0) items" } ?? "not there",
            words: words.joined(separator: ", "), calendarClass: sign.name, sign: sign.letter,
            canChange: entry.items != nil && !fixed.contains(entry.name))
        })
    }
    return site.pages.page("Calendars", "calendars", model, context)
  }

  /// Changes the title and the colour of a calendar, or creates one.
  func change(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.act("/calendars", context) {
      if let name = form.text("new") {
        let created = try await site.library.createCalendar(
          name, in: nil, title: nil, color: nil)
        return SignIn.Notice(lines: ["Created the calendar \(created)."])
      }
      let name = try site.library.changeCalendar(
        form["name"], title: form.text("title"), color: form.text("color"))
      return SignIn.Notice(lines: ["Changed the calendar \(name). The next sync sends it."])
    }
  }
}
