// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Hummingbird

/// `/`: today and the next days, what is overdue, and what waits for a decision.
struct TodayRoute: Sendable {
  private static let dayCount = 7

  let site: Site

  private struct Model: Sendable {
    let title: String
    let zone: String
    let days: [DayModel]
    let overdue: [EntryModel]
    let waiting: [String]
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let model = try await Background.run { try self.model() }
    return site.pages.page("Today", "today", model, context)
  }

  private func model() throws -> Model {
    let viewer = try site.machine.viewerZone()
    let view = try site.library.today(days: Self.dayCount, in: viewer)
    let signs = CalendarSigns(try site.library.calendars())
    var words = try EntryWords(site.machine, signs: signs, viewer: viewer)
    var days: [DayModel] = []
    for day in view.days {
      days.append(try words.day(day, today: view.date) { view.calendar(of: $0) })
    }
    var overdue: [EntryModel] = []
    for reminder in view.overdue.suffix(50) {
      overdue.append(try words.model(ofDue: reminder, view.calendar(of: reminder)))
    }
    let partial =
      view.isPartial ? ["Some files could not be read: what they contain is missing here."] : []
    return Model(
      title: try words.text(view.date), zone: viewer.name, days: days, overdue: overdue,
      waiting: partial)
  }
}
