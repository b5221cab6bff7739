// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A recurrence rule in the grammar of vCalendar 1.0.
///
/// ```text
/// D2 #10               every other day, ten times        W1 MO TU 19991231T000000   until a day
/// MP1 1+ SU 1- FR #5   first Sunday and last Friday      MD1 15 LD #0               without end
/// YM1 6 #10            every June                        YD1 1 100 200 #6           days of a year
/// D1 0600 1800 #4      at times of the day
/// ```
///
/// Without an end, a rule applies twice, as specified. Nested rules, and times of day with
/// different minutes, have no equivalent.
struct VCalendarRule {
  private let start: VCalendarTime?
  private let zone: VCalendarZone
  private var frequency = ""
  private var interval = 0
  private var items: [String] = []
  private var end = "COUNT=2"

  /// Creates a translator for a component with this start.
  init(start: VCalendarTime?, zone: VCalendarZone) {
    self.start = start
    self.zone = zone
  }

  /// Converts a rule to iCalendar (RFC 5545 §3.3.10), or returns nil if that is impossible.
  mutating func translate(_ text: String) -> String? {
    let tokens = text.asciiUppercased.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = tokens.first, takeHead(first) else { return nil }
    for token in tokens.dropFirst() where !takeEnd(token) {
      // The `$` marks the last time of an occurrence and has no effect on the instances.
      items.append(token.hasSuffix("$") ? String(token.dropLast()) : token)
    }
    guard let parts = parts else { return nil }
    let step = interval == 1 ? [] : ["INTERVAL=\(interval)"]
    return (parts.prefix(1) + step + parts.dropFirst() + (end.isEmpty ? [] : [end]))
      .joined(separator: ";")
  }

  private mutating func takeHead(_ token: String) -> Bool {
    frequency = String(token.prefix { $0.isLetter })
    guard let number = Int(token.dropFirst(frequency.count)), 1...32767 ~= number else {
      return false
    }
    interval = number
    return true
  }

  /// Parses a token that ends the rule, a count or a time, and returns false for other tokens.
  private mutating func takeEnd(_ token: String) -> Bool {
    if token.hasPrefix("#"), let count = Int(token.dropFirst()), 0...1_000_000 ~= count {
      end = count == 0 ? "" : "COUNT=\(count)"
      return true
    }
    guard token.count >= 8, let last = VCalendarTime(token) else { return false }
    end = "UNTIL=\(until(last))"
    return true
  }

  /// UNTIL in the form that matches the start (RFC 5545 §3.3.10).
  private func until(_ last: VCalendarTime) -> String {
    guard let start else { return last.text }
    if start.isDate { return last.value.date.description }
    // A date as the end includes the whole day.
    let value =
      last.isDate
      ? CivilDateTime(last.value.date, TimeOfDay(secondOfDay: 86_399) ?? .midnight) : last.value
    guard start.isUTC || zone.isKnown else { return value.description }
    return "\(last.isUTC ? value : zone.utc(value) ?? value)Z"
  }

  private var parts: [String]? {
    switch frequency {
    case "M": items.isEmpty ? ["FREQ=MINUTELY"] : nil
    case "D": times.map { ["FREQ=DAILY"] + $0 }
    case "W": list("WEEKLY", "BYDAY") { Weekday($0) == nil ? nil : $0 }
    case "MP": positions.map { ["FREQ=MONTHLY", "BYDAY=\($0.joined(separator: ","))"] }
    case "MD": list("MONTHLY", "BYMONTHDAY", Self.dayOfMonth)
    case "YM": list("YEARLY", "BYMONTH") { Self.number($0, 1...12) }
    case "YD": list("YEARLY", "BYYEARDAY") { Self.number($0, 1...366) }
    default: nil
    }
  }

  /// The parts of a rule with a list, or nil if an element is invalid.
  private func list(
    _ frequency: String, _ part: String, _ item: (String) -> String?
  ) -> [String]? {
    guard !items.isEmpty else { return ["FREQ=\(frequency)"] }
    let values = items.compactMap(item)
    guard values.count == items.count else { return nil }
    return ["FREQ=\(frequency)", "\(part)=\(values.joined(separator: ","))"]
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> String? {
    guard text.utf8.count <= 3, let number = Int(text), range ~= number else { return nil }
    return String(number)
  }

  private static func dayOfMonth(_ text: String) -> String? {
    if text == "LD" { return "-1" }
    if text.hasSuffix("-") { return number(String(text.dropLast()), 1...31).map { "-" + $0 } }
    return number(text.hasSuffix("+") ? String(text.dropLast()) : text, 1...31)
  }

  /// The times of a daily rule: four digits each, all with the same minute.
  private var times: [String]? {
    var hours: [String] = []
    var minutes: Set<Int> = []
    for item in items {
      guard item.utf8.count == 4, let number = Int(item), 0..<24 ~= number / 100,
        0..<60 ~= number % 100
      else { return nil }
      hours.append(String(number / 100))
      minutes.insert(number % 100)
    }
    guard let minute = minutes.first else { return [] }
    return minutes.count == 1
      ? ["BYHOUR=\(hours.joined(separator: ","))", "BYMINUTE=\(minute)"] : nil
  }

  /// The weekdays with their ordinals in a month, by default those of the start.
  private var positions: [String]? {
    guard !items.isEmpty else {
      return start.map { ["\(($0.value.date.day - 1) / 7 + 1)\($0.value.date.weekday)"] }
    }
    var result: [String] = []
    var places: [String] = []
    var isListing = false
    for item in items {
      if Weekday(item) != nil {
        guard !places.isEmpty else { return nil }
        result += places.map { $0 + item }
        isListing = true
      } else if let place = Self.place(item) {
        if isListing { places = [] }
        isListing = false
        places.append(place)
      } else {
        return nil
      }
    }
    if !isListing {
      guard let start else { return nil }
      result += places.map { "\($0)\(start.value.date.weekday)" }
    }
    return result
  }

  private static func place(_ text: String) -> String? {
    let isFromEnd = text.hasSuffix("-")
    let digits = isFromEnd || text.hasSuffix("+") ? String(text.dropLast()) : text
    return number(digits, 1...5).map { isFromEnd ? "-" + $0 : $0 }
  }
}
