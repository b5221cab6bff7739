// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import HTTPTypes
import Hummingbird

/// `/` of a prepared event: the form in which the user saves it.
struct PreparedEventRoute: Sendable {
  let site: Site
  let answer: HandoffAnswer
  let item: CalendarItem

  private struct Model: Sendable {
    struct Choice: Sendable {
      let id: String
      let title: String
      let isChosen: Bool
    }

    let fields: [FieldModel]
    let calendars: [Choice]
    let rows: [RowModel]
    let hasRows: Bool
    let failure: FieldModel.Fault?
  }

  /// The values of a form that cannot be saved, and the errors.
  private struct Attempt: Error {
    let values: EventForm.Values
    let calendar: String
    var problems = EventForm.Problems()
    var failure: FieldModel.Fault?
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    try await page(nil, context)
  }

  func take(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await Site.taking(answer) {
      guard form["action"] == "save" else { return .answer(.cancelled) }
      do {
        try await save(form)
        return .answer(.saved)
      } catch let attempt as Attempt {
        return .page(try await page(attempt, context, status: .unprocessableContent))
      }
    }
  }

  private func save(_ sent: FormValues) async throws {
    let (desk, calendar, result) = try await Background.run {
      let desk = try HandoffDesk(site.library)
      let targets = try desk.targets(for: .event)
      let form = EventForm(desk.unsaved(item, in: targets.standard), .all, desk.editor)
      let values = EventFields(form).values(of: sent)
      var attempt = Attempt(values: values, calendar: sent["calendar"])
      guard let calendar = targets.calendars.first(where: { $0.id == sent["calendar"] }) else {
        attempt.failure = FieldModel.Fault(lines: ["Choose one of the calendars."])
        throw attempt
      }
      do {
        let result = try form.result(of: values, desk.dates) { try desk.changed(item, $0) }
        return (desk, calendar, result)
      } catch let problems as EventForm.Problems {
        attempt.problems = problems
      } catch {
        attempt.failure = FieldModel.Fault(lines: EventFields.lines(of: error))
      }
      throw attempt
    }
    do {
      try await desk.save(result, in: calendar)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Attempt(
        values: try await Background.run {
          let form = EventForm(desk.unsaved(item, in: calendar), .all, desk.editor)
          return EventFields(form).values(of: sent)
        }, calendar: calendar.id,
        failure: FieldModel.Fault(lines: EventFields.lines(of: error)))
    }
  }

  private func page(
    _ attempt: Attempt?, _ context: PageContext, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let model = try await Background.run {
      let desk = try HandoffDesk(site.library)
      let targets = try desk.targets(for: .event)
      let found = desk.unsaved(item, in: targets.standard)
      let chosen = attempt?.calendar ?? targets.standard.id
      let fields = EventFields(EventForm(found, .all, desk.editor))
      let rows = RowModel.models(
        of: ItemCard(found, desk.editor),
        without: [.title, .when, .zone, .place, .repeat, .alarms, .note, .calendar],
        and: ["uid", "next"])
      return Model(
        fields: attempt.map { fields.models($0.values, $0.problems) } ?? fields.models(),
        calendars: targets.calendars.map {
          Model.Choice(
            id: $0.id, title: ShortText($0.title).text, isChosen: $0.id == chosen)
        }, rows: rows, hasRows: !rows.isEmpty, failure: attempt?.failure)
    }
    return site.pages.sheet("New event", "prepared", model, context, status: status)
  }
}
