// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import HTTPTypes
import Hummingbird

/// `/` of a choice of calendars.
struct CalendarChoiceRoute: Sendable {
  let site: Site
  let answer: HandoffAnswer
  let kind: ItemKind
  let isMultiple: Bool
  let isWritableOnly: Bool

  private struct Model: Sendable {
    struct Choice: Sendable {
      let id: String
      let title: String
      let source: String
    }

    let kind: String
    let isMultiple: Bool
    let calendars: [Choice]
    let failure: FieldModel.Fault?
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    try await page(nil, context)
  }

  func take(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await Site.taking(answer) {
      guard form["action"] == "choose" else { return .answer(.cancelled) }
      let offered = try await Background.run { try calendars() }
      let chosen = offered.map(\.id).filter { id in
        isMultiple ? !form["calendar-\(id)"].isEmpty : form["calendar"] == id
      }
      guard !chosen.isEmpty else {
        let words = isMultiple ? "Choose one or more calendars." : "Choose a calendar."
        return .page(try await page(words, context, status: .unprocessableContent))
      }
      return .answer(.chosen(chosen))
    }
  }

  private func calendars() throws -> [CalendarInfo] {
    try HandoffDesk(site.library).calendars(for: kind, isWritableOnly: isWritableOnly)
  }

  private func page(
    _ failure: String?, _ context: PageContext, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let model = try await Background.run {
      Model(
        kind: kind == .event ? "events" : "reminders", isMultiple: isMultiple,
        calendars: try calendars().map {
          Model.Choice(
            id: $0.id, title: ShortText($0.title).text, source: ShortText($0.source.title).text)
        }, failure: failure.map { FieldModel.Fault(lines: [$0]) })
    }
    return site.pages.sheet("Choose calendars", "choice", model, context, status: status)
  }
}
