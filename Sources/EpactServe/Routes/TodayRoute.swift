// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import Hummingbird

/// `/`: today and the next days, what is overdue, and what waits for a decision.
struct TodayRoute: Sendable {
  private static let dayCount = 7

  let site: Site

  private struct Waiting: Sendable {
    let text: String
    let href: String
  }

  private struct Model: Sendable {
    let title: String
    let zone: String
    let days: [DayModel]
    let overdue: [EntryModel]
    let waiting: [Waiting]
    let isPartial: Bool
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let waiting = try await waiting()
    let model = try await Background.run { try self.model(waiting) }
    return site.pages.page("Today", "today", model, context)
  }

  private func model(_ waiting: [Waiting]) throws -> Model {
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
    return Model(
      title: try words.text(view.date), zone: viewer.name, days: days, overdue: overdue,
      waiting: waiting, isPartial: view.isPartial)
  }

  /// The syncs with conflicts, and those whose last run failed.
  private func waiting() async throws -> [Waiting] {
    let statuses: [SyncStatus]
    do {
      statuses = try await site.syncs().status()
    } catch let error as EpactError {
      // The days are shown without the ledger.
      return [Waiting(text: ShortText(error.message, limit: 200).text, href: "/sync")]
    }
    return statuses.flatMap { status -> [Waiting] in
      var found: [Waiting] = []
      if status.conflicts > 0 {
        found.append(
          Waiting(text: "Conflicts of \(status.sync): \(status.conflicts)", href: "/conflicts"))
      }
      switch status.outcome {
      case .done, .conflicts: break
      default:
        let words = SyncWords.words(status.outcome)
        found.append(Waiting(text: "\(status.sync): \(words)", href: "/sync"))
      }
      return found
    }
  }
}
