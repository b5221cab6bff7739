// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import Hummingbird
import NIOCore

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
  ///   - status: The status of the response.
  /// - Returns: The response.
  func page<Model: Sendable>(
    _ title: String, _ template: String, _ model: Model, _ context: PageContext,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    response(frame(title, content(template, model, context), context), status)
  }

  /// A page that the browser loads again after some seconds, if it `refreshes`.
  func page<Model: Sendable>(
    _ title: String, _ template: String, _ model: Model, _ context: PageContext,
    refreshes: Bool
  ) -> Response {
    response(frame(title, content(template, model, context), context, refreshes: refreshes), .ok)
  }

  /// The inner part of a page, which depends on nothing but the model and the session.
  func content<Model: Sendable>(
    _ template: String, _ model: Model, _ context: PageContext
  ) -> String {
    templates.render(
      Content(
        csrf: context.session?.csrf.revealed ?? "", isEditable: !isReadOnly, page: model),
      template)
  }

  /// A page that can be sent again in a session.
  struct Page: Sendable {
    let title: String
    let content: String
    /// The whole page without a notice.
    let html: ByteBuffer
    /// The size in bytes.
    var size: Int { content.utf8.count + html.readableBytes }
  }

  /// A page around its inner part.
  func page(_ title: String, _ content: String, _ context: PageContext) -> Page {
    var context = context
    context.notice = nil
    let html = templates.render(frame(title, content, context), "frame")
    return Page(title: title, content: content, html: ByteBuffer(string: html))
  }

  /// The response with a page, and with the notice of the last form.
  func response(_ page: Page, _ context: PageContext) -> Response {
    guard context.notice == nil else {
      return response(frame(page.title, page.content, context), .ok)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: page.html))
  }

  /// The frame with the bar of places, and with the notice of the last form.
  private func frame(
    _ title: String, _ content: String, _ context: PageContext, refreshes: Bool = false
  ) -> Frame {
    var frame = frame(title, content: content)
    frame.csrf = context.session?.csrf.revealed
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
    return frame
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

  /// The page for a key that another user of the machine sent.
  func refusalOfOtherUser() -> Response {
    message(
      .forbidden, "Refused",
      "The key signs in only the browsers of the user who started the page. Behind a proxy of another "
        + "user, sign in by a password.")
  }

  private struct Message: Sendable {
    let title: String
    let text: String
  }

  /// The page that asks for the password, or for the address with the key.
  func signIn(_ status: HTTPResponse.Status, _ text: String?, takesPassword: Bool) -> Response {
    let model = SignInModel(text: text, takesPassword: takesPassword)
    let content = templates.render(
      Content(csrf: "", isEditable: false, page: model), "signin")
    return response(frame("Sign in", content: content), status)
  }

  private struct SignInModel: Sendable {
    let text: String?
    let takesPassword: Bool
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
    var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    // RFC 6585 §4: how long to wait before the next attempt.
    if status == .tooManyRequests { headers[.retryAfter] = "\(SignIn.pauseSeconds)" }
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }
}
