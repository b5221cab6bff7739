// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import HTTPTypes
import Hummingbird

/// `/` and `/edit` of an event that another program shows.
struct ShownEventRoute: Sendable {
  let site: Site
  let answer: HandoffAnswer
  let uid: UID
  let calendar: String
  let time: EventTime?
  let isEditable: Bool

  private struct Model: Sendable {
    struct Part: Sendable {
      let name: String
      let title: String
    }

    let title: String
    let calendar: String
    let rows: [RowModel]
    let parts: [Part]
  }

  private struct ChangeModel: Sendable {
    let part: String
    let name: String
    let fields: [FieldModel]
    let failure: FieldModel.Fault?
  }

  /// The values of a form that cannot be saved, and the errors.
  private struct Attempt: Error {
    let values: EventForm.Values
    var problems = EventForm.Problems()
    var failure: FieldModel.Fault?
  }

  // MARK: The event

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let model = try await Background.run {
      let desk = try HandoffDesk(site.library)
      let found = try desk.event(uid, in: calendar, at: time)
      let card = ItemCard(found, at: time, desk.editor)
      let spans =
        isEditable && desk.canChange(found) ? desk.spans(of: found, at: time) : []
      return Model(
        title: ShortText(card.title).text, calendar: ShortText(found.calendar.title).text,
        rows: RowModel.models(of: card, without: [.title, .calendar], and: ["uid", "next"]),
        parts: spans.map { span in
          Model.Part(
            name: span.name, title: spans.count == 1 ? "Change" : "Change \(span.words)")
        })
    }
    return site.pages.sheet(model.title, "shown", model, context)
  }

  func close(_ request: Request, _ context: PageContext) async throws -> Response {
    _ = try await site.form(request, context)
    return try await Site.taking(answer) { .answer(.closed) }
  }

  // MARK: Its form

  func edit(_ request: Request, _ context: PageContext) async throws -> Response {
    try await page(of: request.query["part"], nil, context)
  }

  func change(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await Site.taking(answer) {
      do {
        return .answer(try await Background.run { try commit(form) })
      } catch let attempt as Attempt {
        return .page(
          try await page(of: form["part"], attempt, context, status: .unprocessableContent))
      }
    }
  }

  private func commit(_ sent: FormValues) throws -> HandoffOutcome {
    let desk = try HandoffDesk(site.library)
    let (found, span) = try part(sent["part"], desk)
    let form = EventForm(found, span, desk.editor)
    var attempt = Attempt(values: EventFields(form).values(of: sent))
    do {
      guard sent["action"] != "delete" else {
        try desk.editor.deleting(found, span).commit()
        return .deleted
      }
      let edit = try form.result(of: attempt.values, desk.dates) {
        try desk.editor.changing(found, $0, span)
      }
      try edit.commit()
      return .changed
    } catch let problems as EventForm.Problems {
      attempt.problems = problems
    } catch {
      attempt.failure = FieldModel.Fault(lines: EventFields.lines(of: error))
    }
    throw attempt
  }

  /// The event with the part that a form names.
  private func part(_ name: String, _ desk: HandoffDesk) throws -> (FoundItem, EditSpan) {
    let found = try desk.event(uid, in: calendar, at: time)
    guard let span = desk.spans(of: found, at: time).first(where: { $0.name == name }) else {
      throw Hummingbird.HTTPError(.notFound)
    }
    return (found, span)
  }

  private func page(
    of part: String, _ attempt: Attempt?, _ context: PageContext,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let model = try await Background.run {
      let desk = try HandoffDesk(site.library)
      let (found, span) = try self.part(part, desk)
      let fields = EventFields(EventForm(found, span, desk.editor))
      return ChangeModel(
        part: found.isSeries ? span.words : "the event", name: span.name,
        fields: attempt.map { fields.models($0.values, $0.problems) } ?? fields.models(),
        failure: attempt?.failure)
    }
    return site.pages.sheet("Change", "change", model, context, status: status)
  }
}

extension EditSpan {
  /// The name in addresses and forms.
  fileprivate var name: String {
    switch self {
    case .occurrence: "this"
    case .future: "future"
    case .all: "all"
    }
  }

  fileprivate var words: String {
    switch self {
    case .occurrence: "this occurrence"
    case .future: "this and later ones"
    case .all: "all occurrences"
    }
  }
}
