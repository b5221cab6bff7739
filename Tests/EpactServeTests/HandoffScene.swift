// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import EpactServe
import HTTPTypes
import TestSupport
import Testing

/// The page of one form over the calendars of a scene.
struct HandoffScene {
  static let key = String(repeating: "fedcba9876543210", count: 4)

  let scene: PageScene
  let page: HandoffPage

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - prepare: Writes items before the page reads them.
  /// - Throws: An error of the page or of the file system.
  init(
    _ form: HandoffPage.Form, prepare: (PageScene) throws -> Void = { _ in }
  ) throws {
    let folders = try PageScene()
    try prepare(folders)
    page = try HandoffPage(
      form, library: folders.library, machine: folders.machine, key: Self.key)
    scene = folders.serving(page.router(port: ServerPort(PageScene.port)))
  }

  /// The page of a prepared event, which is a lunch unless lines replace it.
  init(event lines: [String] = Self.lunch) throws {
    try self.init(.save(try Self.item(lines)))
  }

  static let lunch = [
    "UID:lunch", "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261203T123000",
    "DTEND;TZID=Europe/Berlin:20261203T133000", "SUMMARY:Lunch with Ana", "LOCATION:Café",
    "DESCRIPTION:Bring\\nphotos", "X-SEAT:12",
  ]

  /// The item of an event's content lines.
  static func item(_ lines: [String]) throws -> CalendarItem {
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Booking//EN", "BEGIN:VEVENT"] + lines
      + ["END:VEVENT", "END:VCALENDAR"]
    return try CalendarItem(parsing: Array(text.map { $0 + "\r\n" }.joined().utf8))
  }

  /// The browser in which the address was opened.
  func open() async throws -> HandoffVisitor {
    let answer = try await scene.get("/?key=\(Self.key)")
    #expect([302, 303].contains(answer.status) && answer.headers[.location] == "/")
    let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
    return HandoffVisitor(visitor: Visitor(scene: scene, cookie: String(cookie), csrf: ""))
  }
}

/// The browser of a form.
struct HandoffVisitor {
  let visitor: Visitor

  /// A page without an error in its HTML.
  func page(_ path: String = "/", status: Int = 200) async throws -> HTMLPage {
    try await visitor.page(path, status: status)
  }

  /// The values of the first form of a page, as a browser sends them.
  static func values(of page: HTMLPage) -> [String: String] {
    var values: [String: String] = [:]
    for (index, element) in page.elements.enumerated() {
      guard let name = element.attributes["name"] else { continue }
      switch element.name {
      case "input":
        let isBox = ["checkbox", "radio"].contains(element.attributes["type"])
        if !isBox || element.attributes["checked"] != nil {
          values[name] = element.attributes["value"] ?? ""
        }
      case "textarea":
        // A browser takes no notice of the first line end.
        let text = page.texts.filter { $0.parent == index }.map(\.text).joined()
        values[name] = String(text.drop { $0 == "\n" }).replacing("\n", with: "\r\n")
      case "select":
        let options = page.indices("option").filter { page.elements[$0].parent == index }
        let chosen = options.first { page.elements[$0].attributes["selected"] != nil }
        values[name] = (chosen ?? options.first).flatMap { page.elements[$0].attributes["value"] }
      default: break
      }
    }
    return values
  }

  /// Sends the form of a page with some values changed; nil removes one.
  func send(
    _ action: String, _ changes: [String: String?] = [:], to path: String = "/",
    of form: String? = nil, _ headers: HTTPFields = [:]
  ) async throws -> Answer {
    var values = Self.values(of: try await page(form ?? path))
    values["action"] = action
    for (name, value) in changes { values[name] = value }
    return try await post(values, to: path, headers)
  }

  /// Sends values.
  func post(
    _ values: [String: String], to path: String = "/", _ headers: HTTPFields = [:]
  ) async throws -> Answer {
    var headers = headers
    headers[.cookie] = visitor.cookie
    headers[.contentType] = "application/x-www-form-urlencoded"
    let body = values.sorted { $0.key < $1.key }
      .map { "\(FormText.escaped($0))=\(FormText.escaped($1))" }.joined(separator: "&")
    return try await visitor.scene.send(.post, path, headers, body: Array(body.utf8))
  }

  /// The words of the page that confirms an answer.
  func confirmation(of answer: Answer) async throws -> String {
    #expect(answer.status == 303 && answer.headers[.location] == "/done", "\(answer.text)")
    return try await page("/done").text
  }
}
