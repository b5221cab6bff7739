// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
package import Epact
package import ICUServices

/// The language, the space and the colours of a view of calendars.
package struct ViewStyle: Sendable {
  /// The locale of dates and times.
  package let locale: String
  /// The maximum number of columns of a line; nil if unlimited.
  package let columns: Int?
  /// The current day, which is marked.
  package let today: CivilDate?
  /// The user's addresses, by which declined and tentative events are marked.
  package var user: Set<CalendarAddress> = []
  /// Whether the calendar names are shown.
  package var showsCalendars = false
  package var colors = CalendarColors()

  /// Creates a style without colours.
  package init(locale: String, columns: Int?, today: CivilDate? = nil) {
    (self.locale, self.columns, self.today) = (locale, columns, today)
  }
}

/// Formats views of calendars in the user's language and for the available columns.
package struct ViewPage: ~Copyable {
  var dates: ViewDates
  let view: ViewStyle

  /// Creates a page.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(_ view: ViewStyle) throws(ICUError) {
    dates = try ViewDates(locale: view.locale)
    self.view = view
  }
}

/// The colours of calendars, as styles by the name of the calendar.
package struct CalendarColors: Sendable {
  private let styles: [String: ConsoleText.Style]

  /// Creates no colours, for output without colour.
  package init() {
    styles = [:]
  }

  /// Reads the colours of calendars.
  ///
  /// - Parameter calendars: The calendars; those without a colour are left out.
  package init(of calendars: [CalendarLocation]) {
    var styles: [String: ConsoleText.Style] = [:]
    for calendar in calendars {
      if let style = calendar.color.flatMap(ConsoleText.Style.init(hex:)) {
        styles[calendar.name] = style
      }
    }
    self.styles = styles
  }

  /// The style of a calendar; nil without a colour.
  package func style(of calendar: String) -> ConsoleText.Style? { styles[calendar] }
}

extension ConsoleText.Style {
  /// The nearest of the 256 colours of terminals.
  ///
  /// - Parameter hex: A colour as `#RRGGBB`.
  package init?(hex: String) {
    guard hex.hasPrefix("#"), hex.utf8.count == 7, let number = Int(hex.dropFirst(), radix: 16)
    else { return nil }
    let parts = [number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF]
    // The cube of 6 × 6 × 6 colours has the levels 0, 95, 135, 175, 215 and 255.
    let levels = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : min(5, ($0 - 35) / 40) }
    self.init("38;5;\(16 + 36 * levels[0] + 6 * levels[1] + levels[2])")
  }
}
