// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import Hummingbird

/// Makes responses from templates.
struct PageRenderer: Sendable {
  private let templates: Templates
  /// The language of dates, as for `lang`.
  private let language: String

  /// Prepares the templates.
  init(machine: Machine) throws {
    templates = try Templates()
    let locale = machine.dateLocale
    language = locale.isEmpty || locale == "C" ? "en" : locale.replacing("_", with: "-")
  }

  /// The direction of the language's script.
  private var direction: String {
    ["ar", "fa", "he", "ur", "yi"].contains(language.prefix { $0 != "-" }) ? "rtl" : "ltr"
  }

  /// A page with the bar of places.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - template: The name of the template.
  ///   - model: What it shows.
  ///   - context: The session of the browser.
  ///   - path: The place, for the bar.
  /// - Returns: The response.
  func page(
    _ title: String, _ template: String, _ model: some Sendable, _ context: PageContext,
    at path: String
  ) -> Response {
    var frame = frame(title, content: templates.render(model, template))
    frame.links = Self.places.map { link in
      var link = link
      link.isCurrent = link.href == path
      return link
    }
    frame.csrf = context.session?.csrf.revealed ?? ""
    return response(frame, .ok)
  }

  /// A page with a sentence.
  func message(_ status: HTTPResponse.Status, _ title: String, _ text: String) -> Response {
    let content = templates.render(Message(title: title, text: text), "message")
    return response(frame(title, content: content), status)
  }

  private struct Message: Sendable {
    let title: String
    let text: String
  }

  private static let places: [Frame.Link] = [Frame.Link(href: "/", name: "Today")]

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
