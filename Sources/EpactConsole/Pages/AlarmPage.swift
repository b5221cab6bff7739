// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import Epact
package import ICUServices

/// Formats alarms in the user's language and for the available columns, one a line.
package struct AlarmPage: ~Copyable {
  private var dates: ViewDates
  /// The maximum number of columns of a line; nil if unlimited.
  private let columns: Int?

  /// Creates a page for a locale and a number of columns.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(locale: String, columns: Int?) throws(ICUError) {
    dates = try ViewDates(locale: locale)
    self.columns = columns
  }

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
      let room = (columns ?? .max) - width - 2
      let title = DisplayWidth.truncated(SafeText.escaped(alarm.occurrence.title), to: max(0, room))
      let action = alarm.alarm.action?.rawValue ?? ""
      let isShown = room - DisplayWidth.of(title) > DisplayWidth.of(action) + 2
      let head: ConsoleText = "\(DisplayWidth.padded(time, to: width), .cyan)  \(title)"
      guard isShown else { return head }
      return "\(head)  \(action, action.isEmpty ? nil : .dim)"
    }
  }
}
