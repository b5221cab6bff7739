// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A date or time of vCalendar 1.0: in UTC with a `Z`, otherwise in the calendar's zone.
struct VCalendarTime {
  /// The time; midnight for a date.
  let value: CivilDateTime
  let isUTC: Bool
  let isDate: Bool

  /// Parses a time in basic or extended ISO 8601 format, or returns nil.
  init?(_ text: String) {
    let trimmed = String(text.filter { !$0.isWhitespace })
    let basic =
      ExtendedFormat.basic(trimmed, .dateTime) ?? ExtendedFormat.basic(trimmed, .date) ?? trimmed
    let bytes = Array(basic.utf8)
    if let (value, isUTC) = try? BasicFormat.dateTime(bytes.span) {
      self.value = value
      self.isUTC = isUTC
      isDate = false
    } else if let date = try? BasicFormat.date(bytes.span) {
      value = CivilDateTime(date, .midnight)
      isUTC = false
      isDate = true
    } else {
      return nil
    }
  }

  /// The time in iCalendar syntax (RFC 5545 §3.3.4, §3.3.5).
  var text: String {
    isDate ? value.date.description : isUTC ? "\(value)Z" : value.description
  }
}
