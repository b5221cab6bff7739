// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Recurrence

extension RecurrenceProperties {
  /// The years and the months that rules skip because they lack the day, in words.
  ///
  /// An instance on a day that does not exist is left out (RFC 5545 §3.3.10).
  func skipWords(from start: EventTime?) -> [String] {
    guard let start else { return [] }
    return rules.compactMap { $0.skipWords(from: start.date) }
  }
}

extension RecurrenceRule {
  /// The periods that lack the day of the rule; nil if each of them has it.
  fileprivate func skipWords(from start: CivilDate) -> String? {
    guard byDay.isEmpty, byYearDay.isEmpty, byWeekNo.isEmpty, bySetPos.isEmpty, rscale == nil,
      skip == .omit
    else { return nil }
    // A period is skipped if it lacks the earliest of the days; days from its end are in each one.
    let days = byMonthDay.isEmpty ? [start.day] : byMonthDay
    let months = months(from: start)
    guard let day = days.min(), day > 28 else {
      let isCounted = frequency == .monthly || frequency == .yearly
      // The last day of a month may be the same one.
      return isCounted && !days.contains { $0 < 0 } ? partialWords(days, months) : nil
    }
    switch frequency {
    case .monthly: return words(day, months)
    case .yearly:
      let isLeap = interval % 4 == 0
      return isLeap ? nil : words(day, months)
    default: return nil
    }
  }

  /// The months in which the rule has instances, of those that have its days.
  private func months(from start: CivilDate) -> [Int] {
    let stated = byMonth.map(\.number)
    guard frequency == .monthly else { return stated.isEmpty ? [start.month] : stated }
    let reached = Set((0..<12).map { (start.month - 1 + $0 * (interval % 12)) % 12 + 1 })
    return reached.filter { stated.isEmpty || stated.contains($0) }.sorted()
  }

  /// The days that some periods lack, beside a day that each has; nil for none.
  private func partialWords(_ days: [Int], _ months: [Int]) -> String? {
    let lacking = days.sorted().filter { day in
      months.contains { CivilDate.daysInMonth($0, of: 2027) < day }
    }
    guard !lacking.isEmpty else { return nil }
    let names = lacking.map { "the \($0)\($0 == 31 ? "st" : "th")" }
    return "skips \(names.joined(separator: " and ")) in months without it"
  }

  private func words(_ day: Int, _ months: [Int]) -> String? {
    // A common year.
    guard months.contains(where: { CivilDate.daysInMonth($0, of: 2027) < day }) else { return nil }
    if Set(months) == [2] { return day == 29 ? "only in years with a 29 February" : nil }
    return day == 29
      ? "skips February, except in leap years"
      : "skips months without a \(day)\(day == 31 ? "st" : "th")"
  }
}
