// SPDX-License-Identifier: Apache-2.0

/// The FREQ part of a rule (RFC 5545 §3.3.10).
public enum Frequency: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Every second, or every INTERVAL seconds.
  case secondly = "SECONDLY"
  /// Every minute, or every INTERVAL minutes.
  case minutely = "MINUTELY"
  /// Every hour, or every INTERVAL hours.
  case hourly = "HOURLY"
  /// Every day, or every INTERVAL days.
  case daily = "DAILY"
  /// Every week, or every INTERVAL weeks.
  case weekly = "WEEKLY"
  /// Every month, or every INTERVAL months.
  case monthly = "MONTHLY"
  /// Every year, or every INTERVAL years.
  case yearly = "YEARLY"

  /// Whether the left frequency has the shorter period.
  public static func < (left: Frequency, right: Frequency) -> Bool { left.place < right.place }

  /// The column in the table of RFC 5545 §3.3.10, from 0 through 6.
  var place: Int {
    switch self {
    case .secondly: 0
    case .minutely: 1
    case .hourly: 2
    case .daily: 3
    case .weekly: 4
    case .monthly: 5
    case .yearly: 6
    }
  }
}
