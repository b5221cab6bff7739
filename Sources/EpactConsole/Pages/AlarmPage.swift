// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
package import Epact
package import ICUServices
import ICalSyntax

// Alarms as text, one a line.

extension ViewPage {
  /// The lines of alarms, with their times in the viewer's time zone.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of alarms: [AlarmOccurrence], in viewer: ZoneRules
  ) throws(ICUError) -> [ConsoleText] {
    var times: [String] = []
    for alarm in alarms {
      let wall = viewer.civil(at: alarm.instant) ?? CivilDateTime(.last, .midnight)
      times.append(try dates.text(wall))
    }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    return zip(alarms, times).map { alarm, time in
      let room = (view.columns ?? .max) - width - 2
      let title = DisplayWidth.truncated(SafeText.escaped(alarm.occurrence.title), to: max(0, room))
      let action = alarm.alarm.action?.rawValue ?? ""
      let isShown = room - DisplayWidth.of(title) > DisplayWidth.of(action) + 2
      let head: ConsoleText = "\(DisplayWidth.padded(time, to: width), .cyan)  \(title)"
      guard isShown else { return head }
      return "\(head)  \(action, action.isEmpty ? nil : .dim)"
    }
  }
}

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
    if due.alarm.hasDate {
      parts.append(
        occurrence.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall))
    }
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

  /// The arguments for a command that shows notifications.
  package func arguments(for command: [String]) -> [String] {
    [title, Self.text(text, for: command)]
  }

  /// A text for a command; that of `notify-send` is markup, whose signs are escaped.
  package static func text(_ text: String, for command: [String]) -> String {
    guard command.first?.split(separator: "/").last == "notify-send" else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }

  /// The text on one line, without control characters.
  private static func plain(_ text: String) -> String {
    SafeText.escaped(String(text.replacing("\n", with: " ").prefix(limit)))
  }
}
