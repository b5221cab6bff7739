// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Hummingbird
import Mustache

/// `/week`, `/month` and `/agenda`: the occurrences of all calendars.
struct ViewRoutes: Sendable {
  /// The number of days of the agenda.
  private static let agendaDays = 30
  /// The hours of the week that are shown in any case.
  private static let usualHours = 8..<20

  private let site: Site
  private let cache: ResultCache<PageRenderer.Page>

  init(site: Site) {
    self.site = site
    cache = ResultCache(site.library, site.machine) { $0.size }
  }

  // MARK: Week

  fileprivate struct Week: Sendable {
    struct Block: Sendable {
      let place: String
      let entry: EntryModel
      let isShort: Bool
      let isTentative: Bool
    }

    struct Day: Sendable {
      let date: String
      let number: Int
      let weekday: String
      let label: String
      let isToday: Bool
      let blocks: [Block]
      let rest: Int?
      /// The class of the line of the current time; nil on other days.
      let now: String?
      /// The classes of the number of hours, and of the events side by side.
      let hours: String
    }

    struct Bar: Sendable {
      let place: String
      let entry: EntryModel
    }

    let title: String
    let previous: String
    let next: String
    let hours: String
    let hourNames: [String]
    let days: [Day]
    let bars: [Bar]
    let isPartial: Bool
  }

  func week(_ request: Request, _ context: PageContext) async throws -> Response {
    let day = try Self.date(request, "from")
    return try await page("Week", "week", day, context) { try self.week(of: day) }
  }

  private func week(of day: CivilDate?) throws -> Week {
    let viewer = try site.machine.viewerZone()
    var dates = try ViewDates(locale: site.machine.dateLocale)
    let now = viewer.civil(at: site.machine.now()) ?? CivilDateTime(.first, .midnight)
    let first = WeekDays.start(of: day ?? now.date, firstWeekday: dates.firstWeekday)
    let (view, signs) = try occurrences(in: WeekDays.range(from: first, in: viewer), viewer)
    let week = WeekDays(view.days(), from: first)
    let hours = Self.hours(of: week)
    var words = try EntryWords(site.machine, signs: signs, viewer: viewer)
    var days: [Week.Day] = []
    for day in week.days {
      var blocks: [Week.Block] = []
      for block in day.blocks where block.lane < WeekSheet.laneLimit {
        blocks.append(
          try Self.block(
            block, from: hours.lowerBound,
            words.model(of: block.entry, view.calendar(ofSource: block.entry.occurrence.source))))
      }
      let hidden = day.rest + day.blocks.count - blocks.count
      let isToday = day.date == now.date
      let quarter = now.time.secondOfDay / 900 - hours.lowerBound * 4
      days.append(
        Week.Day(
          date: EntryWords.isoText(day.date), number: day.date.day,
          weekday: try dates.text(day.date, .shortWeekday),
          label: try dates.text(day.date, .weekdayAndDate), isToday: isToday, blocks: blocks,
          rest: hidden > 0 ? hidden : nil,
          now: isToday && (0..<hours.count * 4).contains(quarter) ? "q\(quarter)" : nil,
          hours: "h\(hours.count) m\(Self.lanes(of: day))"))
    }
    var bars: [Week.Bar] = []
    for (entry, start, length) in Self.bars(of: week) {
      let model = try words.model(
        of: entry, view.calendar(ofSource: entry.occurrence.source))
      bars.append(Week.Bar(place: "d\(start + 1) w\(length)", entry: model))
    }
    return Week(
      title: try dates.days(from: first, to: first.adding(days: 6) ?? .last),
      previous: Self.link("/week", first.adding(days: -7)),
      next: Self.link("/week", first.adding(days: 7)), hours: "h\(hours.count)",
      hourNames: try hours.map { try dates.text(hour: $0) }, days: days, bars: bars,
      isPartial: view.outcome != .complete)
  }

  /// The hours from the earliest start through the latest end, and the usual ones.
  private static func hours(of week: WeekDays) -> Range<Int> {
    var hours = usualHours
    for block in week.days.flatMap(\.blocks) {
      let first = min(hours.lowerBound, block.start / 60)
      hours = first..<min(24, max(hours.upperBound, (block.end + 59) / 60))
    }
    return hours
  }

  private static func lanes(of day: WeekDays.Day) -> Int {
    min(day.blocks.map(\.laneCount).max() ?? 1, WeekSheet.laneLimit)
  }

  private static func block(
    _ block: WeekDays.Block, from hour: Int, _ entry: EntryModel
  ) -> Week.Block {
    let start = block.start / 15 - hour * 4
    let end = max(start + 1, (block.end + 14) / 15 - hour * 4)
    let lanes = min(block.laneCount, WeekSheet.laneLimit)
    let status = block.entry.occurrence.component[.status]?.text.uppercased()
    return Week.Block(
      place: "q\(start) s\(end - start) n\(block.lane + 1)m\(lanes)", entry: entry,
      isShort: end - start <= 2, isTentative: status == "TENTATIVE")
  }

  /// The entries of whole days, each once with its first day and its number of days.
  private static func bars(
    of week: WeekDays
  ) -> [(entry: AgendaEntry, start: Int, length: Int)] {
    var bars: [(entry: AgendaEntry, start: Int, length: Int)] = []
    for (index, day) in week.days.enumerated() {
      for entry in day.wholeDay {
        let known = bars.firstIndex {
          $0.entry.occurrence == entry.occurrence && $0.start + $0.length == index
        }
        if let known { bars[known].length += 1 } else { bars.append((entry, index, 1)) }
      }
    }
    return bars
  }

  // MARK: Month

  fileprivate struct Month: Sendable {
    struct Entry: Sendable {
      let title: String
      let calendar: String
      let calendarClass: String
      let sign: String
      let href: String
    }

    struct Day: Sendable {
      let date: String
      let number: Int
      let label: String
      let isInMonth: Bool
      let isToday: Bool
      let entries: [Entry]
      let rest: Int?
    }

    struct Row: Sendable {
      let days: [Day]
    }

    let title: String
    let previous: String
    let next: String
    let weekdays: [String]
    let rows: [Row]
    let isPartial: Bool
  }

  func month(_ request: Request, _ context: PageContext) async throws -> Response {
    let day = try Self.date(request, "from")
    return try await page("Month", "month", day, context) { try self.month(of: day) }
  }

  private func month(of day: CivilDate?) throws -> Month {
    let viewer = try site.machine.viewerZone()
    var dates = try ViewDates(locale: site.machine.dateLocale)
    let today = viewer.civil(at: site.machine.now())?.date ?? .first
    let date = day ?? today
    let first = CivilDate(year: date.year, month: date.month, day: 1) ?? .first
    let length = CivilDate.daysInMonth(first.month, of: first.year)
    let last = first.adding(days: length - 1) ?? .last
    let start = WeekDays.start(of: first, firstWeekday: dates.firstWeekday)
    let end = WeekDays.start(of: last, firstWeekday: dates.firstWeekday).adding(days: 6) ?? .last
    let lower = viewer.instant(of: CivilDateTime(start, .midnight))
    let range = lower..<max(lower, viewer.end(of: end))
    let (view, signs) = try occurrences(in: range, viewer)
    var days = MonthDays(in: range, from: start, viewer: viewer, keeping: 4)
    var found = view.occurrences()
    while let occurrence = found.next() { days.add(occurrence) }
    var rows: [Month.Row] = []
    for week in 0..<(end.dayNumber - start.dayNumber + 1) / 7 {
      let row = try (0..<7).compactMap { start.adding(days: week * 7 + $0) }.map { date in
        let day = days.days[date]
        let entries = (day?.first ?? []).map { occurrence in
          let name = view.calendar(ofSource: occurrence.source)
          let sign = signs[name]
          return Month.Entry(
            title: ShortText(occurrence.title).text, calendar: sign.title,
            calendarClass: sign.name, sign: sign.letter,
            href: EntryWords.href(of: occurrence, in: name))
        }
        let rest = (day?.count ?? 0) - entries.count
        return Month.Day(
          date: EntryWords.isoText(date), number: date.day,
          label: try dates.text(date, .weekdayAndDate), isInMonth: date.month == first.month,
          isToday: date == today, entries: entries, rest: rest > 0 ? rest : nil)
      }
      rows.append(Month.Row(days: row))
    }
    let names = try (0..<7).compactMap { start.adding(days: $0) }.map {
      try dates.text($0, .weekday)
    }
    return Month(
      title: try dates.text(first, .month),
      previous: Self.link("/month", first.adding(days: -1)),
      next: Self.link("/month", last.adding(days: 1)), weekdays: names, rows: rows,
      isPartial: view.outcome != .complete)
  }

  // MARK: Agenda

  private struct Agenda: Sendable {
    let title: String
    let previous: String
    let next: String
    let days: [DayModel]
    let isPartial: Bool
  }

  func agenda(_ request: Request, _ context: PageContext) async throws -> Response {
    let day = try Self.date(request, "from")
    return try await page("Agenda", "agenda", day, context) { try self.agenda(from: day) }
  }

  private func agenda(from day: CivilDate?) throws -> Agenda {
    let viewer = try site.machine.viewerZone()
    var dates = try ViewDates(locale: site.machine.dateLocale)
    let today = viewer.civil(at: site.machine.now())?.date ?? .first
    let first = day ?? today
    let last = first.adding(days: Self.agendaDays - 1) ?? .last
    let lower = viewer.instant(of: CivilDateTime(first, .midnight))
    let (view, signs) = try occurrences(in: lower..<max(lower, viewer.end(of: last)), viewer)
    var words = try EntryWords(site.machine, signs: signs, viewer: viewer)
    var days: [DayModel] = []
    for day in view.days() {
      days.append(
        try words.day(day, today: today) { view.calendar(ofSource: $0.source) })
    }
    return Agenda(
      title: try dates.days(from: first, to: last),
      previous: Self.link("/agenda", first.adding(days: -Self.agendaDays)),
      next: Self.link("/agenda", last.adding(days: 1)), days: days,
      isPartial: view.outcome != .complete)
  }

  // MARK: Common

  /// A page, which is rendered again only if something changed.
  private func page<Model: Sendable>(
    _ title: String, _ template: String, _ day: CivilDate?, _ context: PageContext,
    _ model: @escaping @Sendable () throws -> Model
  ) async throws -> Response {
    let pages = site.pages
    let session = context.session?.csrf.revealed ?? ""
    let key = "\(template) \(day.map { "\($0)" } ?? "") \(session)"
    let page = try await cache.value(
      for: .init(key: key) {
        pages.page(title, pages.content(template, try model(), context), context)
      })
    return pages.response(page, context)
  }

  private func occurrences(
    in range: Range<Instant>, _ viewer: ZoneRules
  ) throws -> (OccurrenceView, CalendarSigns) {
    var request = try site.library.viewRequest(in: range, viewer: viewer)
    request.reminders = .due
    let view = try OccurrenceView(request, machine: site.machine) { _ in }
    return (view, CalendarSigns(try site.library.calendars()))
  }

  /// The date of a parameter such as `2026-12-01`; nil without one.
  ///
  /// - Throws: `EpactError` for another text.
  private static func date(
    _ request: Request, _ name: String
  ) throws(EpactError) -> CivilDate? {
    guard let text = request.query.text(name) else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isWholeNumber) ? Int($0) : nil }
    guard numbers.count == 3, parts.map(\.count) == [4, 2, 2],
      let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else {
      let shown = ShortText(text, limit: 100).text
      throw EpactError(.argument, "expected a date such as 2026-12-01, found \"\(shown)\"")
    }
    return date
  }

  private static func link(_ path: String, _ date: CivilDate?) -> String {
    date.map { "\(path)?from=\(EntryWords.isoText($0))" } ?? path
  }
}

extension ViewRoutes.Week.Block: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "place": self.place
    case "entry": self.entry
    case "isShort": self.isShort
    case "isTentative": self.isTentative
    default: nil
    }
  }
}

extension ViewRoutes.Week.Day: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "date": self.date
    case "number": self.number
    case "weekday": self.weekday
    case "label": self.label
    case "isToday": self.isToday
    case "blocks": self.blocks
    case "rest": self.rest
    case "now": self.now
    case "hours": self.hours
    default: nil
    }
  }
}

extension ViewRoutes.Week.Bar: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "place": self.place
    case "entry": self.entry
    default: nil
    }
  }
}

extension ViewRoutes.Month.Entry: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "title": self.title
    case "calendar": self.calendar
    case "calendarClass": self.calendarClass
    case "sign": self.sign
    case "href": self.href
    default: nil
    }
  }
}

extension ViewRoutes.Month.Day: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "date": self.date
    case "number": self.number
    case "label": self.label
    case "isInMonth": self.isInMonth
    case "isToday": self.isToday
    case "entries": self.entries
    case "rest": self.rest
    default: nil
    }
  }
}
