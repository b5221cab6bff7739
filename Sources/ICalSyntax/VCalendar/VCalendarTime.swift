// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A date or a time of vCalendar 1.0: in UTC with a `Z`, otherwise on the clock of the calendar's zone.
struct VCalendarTime {
  /// The time; the midnight with which it begins if it is a date.
  let value: CivilDateTime
  let isUTC: Bool
  let isDate: Bool

  /// Reads a time in the basic or in the extended form of ISO 8601; nil if it is none.
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

  /// The time as iCalendar writes it (RFC 5545 §3.3.4, §3.3.5).
  var text: String {
    isDate ? value.date.description : isUTC ? "\(value)Z" : value.description
  }
}
