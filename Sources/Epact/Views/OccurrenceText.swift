// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
package import ICUServices
import ICalSyntax

extension Occurrence {
  /// The title of the occurrence on one line: the summary, or the UID.
  ///
  /// A sign precedes the title of reminders and journal entries.
  package var title: String { component.title(or: uid) }

  /// The title after a sign of the user's answer: `✗` for a declined event, `?` for a tentative one.
  ///
  /// - Parameter user: The user's addresses.
  /// - Returns: The title on one line.
  package func title(answeredBy user: Set<CalendarAddress>) -> String {
    switch answer(of: user) {
    case .declined: "✗ \(title)"
    case .tentative: "? \(title)"
    default: title
    }
  }

  /// The marks after the title: `↻` for an occurrence of a series, `♪` for alarms.
  package var marks: String {
    (recurrenceID == nil ? "" : "↻") + (component.hasAlarm ? "♪" : "")
  }

  /// The categories in brackets, such as `[work, travel]`; empty without one.
  package var categoryText: String { CategoryText.text(ComponentSummary(of: component).categories) }

  /// Whether the occurrence is a completed reminder.
  package var isDone: Bool {
    component.statedReminderStatus == .completed
  }
}

/// The categories of an item as one text.
package enum CategoryText {
  /// Categories in brackets on one line, such as `[work, travel]`; empty without one.
  ///
  /// One with a comma is in quotes, as in a query.
  package static func text(_ categories: some Sequence<String>) -> String {
    let words = categories.map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }.map { $0.contains(",") ? "\"\($0)\"" : $0 }
    return words.isEmpty ? "" : "[\(words.joined(separator: ", "))]"
  }
}

extension SearchMatch {
  /// The title of the item on one line, as for an occurrence.
  package var title: String { component.title(or: uid) }
}

extension Component {
  /// The summary on one line or the UID, after the sign of reminders and journal entries, and with a
  /// note if it is cancelled.
  fileprivate func title(or uid: UID) -> String {
    let summary = self[.summary]?.text ?? ""
    let words = summary.split(whereSeparator: \.isNewline).joined(separator: " ")
    let note = isCancelled ? " (cancelled)" : ""
    return sign + (words.isEmpty ? uid.rawValue : words) + note
  }

  /// Whether the status of the component is CANCELLED.
  package var isCancelled: Bool {
    self[.status]?.rawValue.uppercased() == "CANCELLED"
  }

  private var sign: String {
    switch ItemKind(name) {
    case .reminder: statedReminderStatus?.isClosed == true ? "☑ " : "☐ "
    case .journal: "✎ "
    case .event, .freeBusy, .availability, nil: ""
    }
  }
}

/// The dates and times of views in the language of a locale, as plain text of one line.
package struct ViewDates: ~Copyable {
  private var dates: LocalizedDates
  /// The cache of formatted times of day.
  private var times: [TimeOfDay: String] = [:]

  /// Creates the dates of a locale, such as `de_AT`.
  package init(locale: String) throws(ICUError) {
    dates = try LocalizedDates(locale: locale)
  }

  /// The first day of the week.
  package var firstWeekday: Weekday { dates.firstWeekday }

  /// A date.
  package mutating func text(
    _ date: CivilDate, _ style: LocalizedDates.Style
  ) throws(ICUError) -> String {
    Self.plain(try dates.text(date, style))
  }

  /// A date with a time.
  ///
  /// - Parameters:
  ///   - wall: The date and the time.
  ///   - isNumeric: Whether the date is in digits.
  /// - Returns: The text.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func text(
    _ wall: CivilDateTime, isNumeric: Bool = false
  ) throws(ICUError) -> String {
    Self.plain(try dates.text(wall, isNumeric ? .numericDateAndTime : .dateAndTime))
  }

  /// The time of an entry on its day: `09:00–10:00`, `…–10:00`, `•` for the whole day, or `2/3`.
  package mutating func time(of entry: AgendaEntry) throws(ICUError) -> String {
    if entry.isWholeDay { return entry.count > 1 ? "\(entry.number)/\(entry.count)" : "•" }
    let start = try entry.start.map { (time) throws(ICUError) in try text(time) }
    let end = try entry.end.map { (time) throws(ICUError) in try text(time) }
    if entry.interval.isEmpty { return start ?? end ?? "" }
    return "\(start ?? "…")–\(end ?? "…")"
  }

  /// The hour of a day, from 0 through 23, with minutes.
  package mutating func text(hour: Int) throws(ICUError) -> String {
    try text(TimeOfDay(secondOfDay: hour * 3600) ?? .midnight)
  }

  /// Two days and those between them.
  package mutating func days(from first: CivilDate, to last: CivilDate) throws(ICUError) -> String {
    Self.plain(
      try dates.interval(
        from: CivilDateTime(first, .midnight), to: CivilDateTime(last, .midnight), .shortDate))
  }

  /// The days of a range, from the first through the last; nil outside the years 1 through 9999.
  package mutating func days(
    of range: Range<Instant>, in zone: ZoneRules
  ) throws(ICUError) -> String? {
    let last = range.upperBound.adding(seconds: range.isEmpty ? 0 : -1) ?? range.upperBound
    guard let from = zone.civil(at: range.lowerBound), let to = zone.civil(at: last) else {
      return nil
    }
    return try days(from: from.date, to: to.date)
  }

  /// A time of day.
  package mutating func text(_ time: TimeOfDay) throws(ICUError) -> String {
    if let text = times[time] { return text }
    let text = Self.plain(try dates.text(CivilDateTime(.first, time), .time))
    times[time] = text
    return text
  }

  /// The text without unsafe characters, and with ordinary spaces.
  private static func plain(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\u{202F}" || scalar == "\u{A0}" {
        result.unicodeScalars.append(" ")
      } else if !SafeText.isUnsafe(scalar) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
