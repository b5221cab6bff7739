// SPDX-License-Identifier: Apache-2.0

package import Epact

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
