// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Hummingbird

/// `/search`: the items that match a query.
struct SearchRoute: Sendable {
  private static let limit = 200

  let site: Site

  private struct Model: Sendable {
    struct Match: Sendable {
      let title: String
      let when: String
      let calendar: String
      let calendarClass: String
      let sign: String
      let href: String
    }

    let query: String
    let error: String?
    let matches: [Match]
    let isAsked: Bool
    let rest: Int?
    /// Whether the query itself is the error.
    var isInvalid = false
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let query = request.query["q"]
    let model = try await Background.run { try self.model(of: query) }
    return site.pages.page(
      "Search", "search", model, context, status: model.isInvalid ? .badRequest : .ok)
  }

  private func model(of text: String) throws -> Model {
    guard !text.isEmpty else {
      return Model(query: "", error: nil, matches: [], isAsked: false, rest: nil)
    }
    var isRead = false
    do {
      let viewer = try site.machine.viewerZone()
      let file = site.library.file
      let reading = ArgumentReading(file, machine: site.machine)
      let matcher = try reading.matcher(text, option: "query", viewer: viewer)
      isRead = true
      let search = try ItemSearch(
        matcher, in: try reading.locations([]), indexedPaths: try file.load().indexedPaths,
        machine: site.machine
      ) { _ in }
      let signs = CalendarSigns(try site.library.calendars())
      var dates = try ViewDates(locale: site.machine.dateLocale)
      var matches: [Model.Match] = []
      for match in search.matches.prefix(Self.limit) {
        let sign = signs[match.calendar]
        var when = ""
        if let occurrence = match.occurrence {
          let wall = occurrence.start(in: viewer)
          if let wall {
            when =
              occurrence.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall)
          }
        }
        matches.append(
          Model.Match(
            title: ShortText(match.title).text, when: when, calendar: sign.title,
            calendarClass: sign.name, sign: sign.letter,
            href: EntryWords.href(of: match.uid, in: match.calendar)))
      }
      let rest = search.matches.count - matches.count
      return Model(
        query: text, error: nil, matches: matches, isAsked: true, rest: rest > 0 ? rest : nil)
    } catch let error as CancellationError {
      throw error
    } catch {
      return Model(
        query: text, error: EpactError(describing: error).message, matches: [], isAsked: true,
        rest: nil, isInvalid: !isRead)
    }
  }
}
