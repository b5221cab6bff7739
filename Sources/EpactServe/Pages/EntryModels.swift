// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICUServices
import ICalSyntax
import Mustache

/// The calendars of the pages: a colour and a letter each.
struct CalendarSigns: Sendable {
  /// A calendar with its sign.
  struct Sign: Sendable {
    let title: String
    /// The class of the style sheet, which depends on the place of the calendar.
    let name: String
    /// The letter beside the colour, since a colour alone does not tell calendars apart.
    let letter: String
    let color: String?
  }

  private let signs: [String: Sign]
  /// The signs in the order of the calendars.
  let all: [Sign]

  /// Gives each calendar a letter of its title that no earlier calendar has, if there is one.
  init(_ calendars: [CalendarInfo]) {
    var signs: [String: Sign] = [:]
    var all: [Sign] = []
    var taken: Set<String> = []
    for (index, calendar) in calendars.enumerated() {
      let letters = calendar.title.filter { $0.isLetter || $0.isNumber }.prefix(40)
        .map { String($0).uppercased() }
      let letter = letters.first { !taken.contains($0) } ?? letters.first ?? "•"
      taken.insert(letter)
      let sign = Sign(
        title: ShortText(calendar.title).text, name: "c\(index)", letter: letter,
        color: calendar.color)
      signs[calendar.name] = sign
      all.append(sign)
    }
    (self.signs, self.all) = (signs, all)
  }

  /// The sign of a calendar by its name.
  subscript(name: String) -> Sign {
    signs[name] ?? Sign(title: ShortText(name).text, name: "", letter: "•", color: nil)
  }

  /// The style sheet with the user's colours.
  ///
  /// A light colour is darkened on a light page, and a dark one lightened on a dark page.
  var styleSheet: String {
    all.compactMap { sign in
      sign.color.map { color in
        """
        .\(sign.name) { --c: light-dark(color-mix(in oklab, \(color) 75%, #202020), \
        color-mix(in oklab, \(color) 70%, #ffffff)); }

        """
      }
    }.joined()
  }
}

/// An entry of a day as the pages show it.
struct EntryModel: Sendable {
  let time: String
  let title: String
  let place: String?
  /// The categories in brackets; nil without one.
  let categories: String?
  let marks: String?
  let calendar: String
  let calendarClass: String
  let sign: String
  let href: String
  let isPast: Bool
  let clashes: Bool
}

/// A day as the pages show it.
struct DayModel: Sendable {
  let date: String
  let number: String
  let name: String
  let month: String
  let isToday: Bool
  let entries: [EntryModel]
  let rest: Int?
}

// The names of values in templates: without these, each one is searched by reflection, which takes longer than
// all else of a page.

extension EntryModel: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "time": self.time
    case "title": self.title
    case "place": self.place
    case "categories": self.categories
    case "marks": self.marks
    case "calendar": self.calendar
    case "calendarClass": self.calendarClass
    case "sign": self.sign
    case "href": self.href
    case "isPast": self.isPast
    case "clashes": self.clashes
    default: nil
    }
  }
}

extension DayModel: MustacheParent {
  func child(named name: String) -> Any? {
    switch name {
    case "date": self.date
    case "number": self.number
    case "name": self.name
    case "month": self.month
    case "isToday": self.isToday
    case "entries": self.entries
    case "rest": self.rest
    default: nil
    }
  }
}

/// Words of entries and days in the language of the machine.
struct EntryWords: ~Copyable {
  private var dates: ViewDates
  private let signs: CalendarSigns
  private let now: Instant
  private let viewer: ZoneRules

  init(_ machine: Machine, signs: CalendarSigns, viewer: ZoneRules) throws {
    dates = try ViewDates(locale: machine.dateLocale)
    self.signs = signs
    self.viewer = viewer
    now = machine.now()
  }

  /// A date with its weekday.
  mutating func text(_ date: CivilDate) throws -> String { try dates.text(date, .weekdayAndDate) }

  /// A day with its entries.
  mutating func day(
    _ day: AgendaDays.Day, today: CivilDate, calendar: (Occurrence) -> String
  ) throws -> DayModel {
    var entries: [EntryModel] = []
    for entry in day.entries {
      entries.append(try model(of: entry, calendar(entry.occurrence)))
    }
    return DayModel(
      date: Self.isoText(day.date), number: "\(day.date.day)",
      name: day.date == today ? "Today" : try dates.text(day.date, .weekday),
      month: try dates.text(day.date, .month),
      isToday: day.date == today, entries: entries, rest: day.rest > 0 ? day.rest : nil)
  }

  /// An entry.
  mutating func model(of entry: AgendaEntry, _ calendar: String) throws -> EntryModel {
    let occurrence = entry.occurrence
    let sign = signs[calendar]
    let place = occurrence.component[.location]?.text ?? ""
    return EntryModel(
      time: entry.isWholeDay && entry.count == 1 ? "all day" : try dates.time(of: entry),
      title: ShortText(occurrence.title).text,
      place: place.isEmpty ? nil : ShortText(place).text,
      categories: Self.categories(of: occurrence),
      marks: occurrence.marks.isEmpty ? nil : occurrence.marks,
      calendar: sign.title, calendarClass: sign.name, sign: sign.letter,
      href: Self.href(of: occurrence, in: calendar),
      isPast: occurrence.interval.upperBound <= now, clashes: entry.overlaps)
  }

  /// A reminder with its due time.
  mutating func model(ofDue occurrence: Occurrence, _ calendar: String) throws -> EntryModel {
    let sign = signs[calendar]
    let wall = viewer.civil(at: occurrence.interval.lowerBound)
    var time = ""
    if let wall {
      time = occurrence.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall)
    }
    return EntryModel(
      time: time, title: ShortText(occurrence.title).text, place: nil,
      categories: Self.categories(of: occurrence), marks: nil,
      calendar: sign.title, calendarClass: sign.name, sign: sign.letter,
      href: Self.href(of: occurrence, in: calendar), isPast: true, clashes: false)
  }

  private static func categories(of occurrence: Occurrence) -> String? {
    let text = occurrence.categoryText
    return text.isEmpty ? nil : ShortText(text).text
  }

  /// The address of the item; for an occurrence of a series, with its date.
  static func href(of occurrence: Occurrence, in calendar: String) -> String {
    let path = href(of: occurrence.uid, in: calendar)
    guard occurrence.recurrenceID != nil else { return path }
    return "\(path)?date=\(isoText(occurrence.start.time.date))"
  }

  /// The address of an item; that of the search if its UID is longer than an address can be.
  static func href(of uid: UID, in calendar: String) -> String {
    guard uid.rawValue.utf8.count <= uidLimit else { return "/search" }
    return "/item/\(PathText.escaped(calendar))/\(PathText.escaped(uid.rawValue))"
  }

  /// The maximum size in bytes of a UID in an address, which has up to three times as many.
  static let uidLimit = 2000

  /// A date as an attribute, `2026-12-01`.
  static func isoText(_ date: CivilDate) -> String {
    let text = "\(date)"
    return "\(text.dropLast(4))-\(text.suffix(4).prefix(2))-\(text.suffix(2))"
  }
}

/// Texts as parts of a path in an address (RFC 3986 §2.1).
///
/// Browsers remove the parts `.` and `..`, and take `%2E` for a dot (URL Standard §4.4). A tilde before
/// them, and before a tilde, keeps them.
package enum PathText {
  private static let mark = UInt8(ascii: "~")

  /// The text of a part of a path; nil if its bytes are not UTF-8.
  package static func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), rest.count >= 2, let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes.first == mark ? Array(bytes.dropFirst()) : bytes, as: UTF8.self)
  }

  /// The text with all bytes escaped that are not unreserved.
  package static func escaped(_ text: String) -> String {
    var result = [".", ".."].contains(text) || text.utf8.first == mark ? "~" : ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), mark:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
