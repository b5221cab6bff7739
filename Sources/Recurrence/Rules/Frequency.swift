// SPDX-License-Identifier: Apache-2.0

/// How often a rule repeats: its FREQ part (RFC 5545 §3.3.10).
public enum Frequency: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Every second, or every so many.
  case secondly = "SECONDLY"
  /// Every minute, or every so many.
  case minutely = "MINUTELY"
  /// Every hour, or every so many.
  case hourly = "HOURLY"
  /// Every day, or every so many.
  case daily = "DAILY"
  /// Every week, or every so many.
  case weekly = "WEEKLY"
  /// Every month, or every so many.
  case monthly = "MONTHLY"
  /// Every year, or every so many.
  case yearly = "YEARLY"

  /// Whether the left frequency has the shorter period.
  public static func < (left: Frequency, right: Frequency) -> Bool { left.place < right.place }

  /// The column of the frequency in the RFC's table, from 0 through 6.
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
