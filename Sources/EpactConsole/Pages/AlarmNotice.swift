// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CivilTime
package import Epact
package import ICUServices
import ICalSyntax

/// The title and the text of a notification about an alarm.
package struct AlarmNotice: Hashable, Sendable {
  /// The command that shows notifications on desktops of freedesktop.org.
  ///
  /// The last word ends the options, because a title may begin with a hyphen.
  package static let usualCommand = ["notify-send", "--app-name=Epact", "--"]

  /// The maximum length of the title and the text, in characters.
  private static let limit = 500

  /// The title of the item.
  package let title: String
  /// The start of the occurrence, its place, the text of the alarm, and whether the alarm is late.
  package let text: String

  /// Creates a notice in a language, with times in the viewer's time zone.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    _ due: AlarmSchedule.Due, in viewer: ZoneRules, locale: String
  ) throws(ICUError) {
    var dates = try ViewDates(locale: locale)
    let occurrence = due.alarm.occurrence
    var parts: [String] = []
    let wall = viewer.civil(at: occurrence.start.instant) ?? CivilDateTime(.last, .midnight)
    parts.append(
      occurrence.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall))
    if let place = occurrence.component[.location]?.text, !place.isEmpty { parts.append(place) }
    let words = due.alarm.alarm.descriptionText ?? ""
    if !words.isEmpty, words != occurrence.title { parts.append(words) }
    if due.isLate {
      let time = viewer.civil(at: due.alarm.instant) ?? wall
      parts.append("late: the alarm was due on \(try dates.text(time))")
    }
    title = Self.plain(occurrence.title)
    text = Self.plain(parts.joined(separator: ", "))
  }

  /// The text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    SafeText.escaped(String(text.replacing("\n", with: " ").prefix(limit)))
  }
}
