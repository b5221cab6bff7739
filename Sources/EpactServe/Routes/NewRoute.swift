// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import Hummingbird

/// `/new`: an event from one line, whose reading is shown before it is saved.
struct NewRoute: Sendable {
  let site: Site

  private struct Model: Sendable {
    struct Choice: Sendable {
      let name: String
      let title: String
      let isChosen: Bool
    }

    let text: String
    let reading: [String]
    let error: [String]
    let calendars: [Choice]
    let hasReading: Bool

    init(text: String, reading: [String], error: [String], calendars: [Choice]) {
      (self.text, self.reading, self.error) = (text, reading, error)
      self.calendars = calendars
      // Templates see stored values only.
      hasReading = !reading.isEmpty
    }
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let (text, calendar) = (request.query["text"], request.query.text("calendar"))
    let model = try await Background.run { try self.model(of: text, in: calendar) }
    return site.pages.page("New event", "new", model, context)
  }

  func save(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.perform("/", context) { desk in
      try Self.edit(form["text"], in: form.text("calendar"), desk)
    }
  }

  private func model(of text: String, in calendar: String?) throws -> Model {
    let desk = try Desk(site)
    let choices = try site.library.calendars().filter {
      !$0.isReadOnly && $0.kinds.contains(.event)
    }
    let standard = try site.library.defaultCalendar(for: .event)?.name
    let chosen = calendar ?? standard
    let models = choices.map {
      Model.Choice(
        name: $0.name, title: ShortText($0.title).text, isChosen: $0.name == chosen)
    }
    guard !text.isEmpty else {
      return Model(text: "", reading: [], error: [], calendars: models)
    }
    do {
      let edit = try Self.edit(text, in: chosen, desk)
      return Model(
        text: text, reading: desk.lines(of: edit, isPlanned: true), error: [], calendars: models)
    } catch {
      let notice = Site.notice(of: error)
      return Model(text: text, reading: [], error: notice.lines, calendars: models)
    }
  }

  private static func edit(
    _ text: String, in calendar: String?, _ desk: Desk
  ) throws -> PreparedEdit {
    var details = ItemDetails()
    try desk.dates.take(QuickWords.words(of: text), into: &details)
    guard details.start != nil else {
      throw EpactError(.argument, "expected a date, such as \"tomorrow 12:30\", found none")
    }
    let target = try calendar.map { try desk.editor.library.calendar(named: $0) }
    return try desk.editor.adding(details, as: .event, to: target)
  }
}

/// The words of a line, as a shell gives them to the command `new`.
enum QuickWords {
  private static let quotes: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»"]

  /// The words; a text in quotation marks is one word.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var (isWord, closing): (Bool, Character?) = (false, nil)
    for character in text.prefix(1000) {
      if let quote = closing {
        if character == quote { closing = nil } else { word.append(character) }
      } else if let quote = quotes[character] {
        (closing, isWord) = (quote, true)
      } else if character.isWhitespace {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      } else {
        word.append(character)
        isWord = true
      }
    }
    if isWord { words.append(word) }
    return words
  }
}
