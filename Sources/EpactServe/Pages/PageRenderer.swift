// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import Hummingbird

/// Makes responses from templates.
struct PageRenderer: Sendable {
  private let templates: Templates
  /// The language of dates, as for `lang`.
  private let language: String
  private let isReadOnly: Bool

  /// Prepares the templates.
  init(machine: Machine, isReadOnly: Bool) throws {
    self.isReadOnly = isReadOnly
    templates = try Templates()
    let locale = machine.dateLocale
    language = locale.isEmpty || locale == "C" ? "en" : locale.replacing("_", with: "-")
  }

  /// The direction of the language's script.
  private var direction: String {
    ["ar", "fa", "he", "ur", "yi"].contains(language.prefix { $0 != "-" }) ? "rtl" : "ltr"
  }

  /// A page with the bar of places, and with the notice of the last form.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - template: The name of the template.
  ///   - model: What it shows.
  ///   - context: The session of the browser, and the place of the page.
  ///   - refreshes: Whether the browser loads the page again after some seconds.
  /// - Returns: The response.
  func page<Model: Sendable>(
    _ title: String, _ template: String, _ model: Model, _ context: PageContext,
    refreshes: Bool = false
  ) -> Response {
    let csrf = context.session?.csrf.revealed ?? ""
    let content = templates.render(
      Content(csrf: csrf, isEditable: !isReadOnly, page: model), template)
    var frame = frame(title, content: content)
    frame.csrf = csrf.isEmpty ? nil : csrf
    frame.links = Self.places.map { link in
      var link = link
      link.isCurrent = link.href == context.place
      return link
    }
    if let notice = context.notice {
      frame.notice = Frame.Notice(
        lines: notice.lines, run: notice.run.map { "\($0.rawValue)" },
        isFailure: notice.isFailure)
    }
    frame.refreshes = refreshes
    return response(frame, .ok)
  }

  /// A page without the bar, which is a form of its own.
  func sheet<Model: Sendable>(
    _ title: String, _ template: String, _ model: Model, _ context: PageContext,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    let csrf = context.session?.csrf.revealed ?? ""
    let content = templates.render(Content(csrf: csrf, isEditable: true, page: model), template)
    return response(frame(title, content: content), status)
  }

  /// The model of a page, with the values for its forms.
  private struct Content<Model: Sendable>: Sendable {
    let csrf: String
    let isEditable: Bool
    let page: Model
  }

  /// A page with a sentence.
  func message(_ status: HTTPResponse.Status, _ title: String, _ text: String) -> Response {
    let message = Message(title: title, text: text)
    let content = templates.render(
      Content(csrf: "", isEditable: false, page: message), "message")
    return response(frame(title, content: content), status)
  }

  private struct Message: Sendable {
    let title: String
    let text: String
  }

  private static let places: [Frame.Link] = [
    Frame.Link(href: "/", name: "Today"), Frame.Link(href: "/week", name: "Week"),
    Frame.Link(href: "/month", name: "Month"), Frame.Link(href: "/agenda", name: "Agenda"),
    Frame.Link(href: "/tasks", name: "Tasks"), Frame.Link(href: "/calendars", name: "Calendars"),
    Frame.Link(href: "/sync", name: "Sync"), Frame.Link(href: "/conflicts", name: "Conflicts"),
    Frame.Link(href: "/history", name: "History"), Frame.Link(href: "/feeds", name: "Feeds"),
    Frame.Link(href: "/access", name: "Access"),
  ]

  private func frame(_ title: String, content: String) -> Frame {
    Frame(title: title, language: language, direction: direction, content: content)
  }

  private func response(_ frame: Frame, _ status: HTTPResponse.Status) -> Response {
    let html = templates.render(frame, "frame")
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }
}
