// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of a rule on a day, or the reasons why there are none.
public struct RuleVerdict: Hashable, Sendable {
  /// A reason why a rule has no instance on a day.
  public enum Reason: Hashable, Sendable {
    /// The day, or its last time, is before the start.
    case beforeStart
    /// A part excludes the day; `found` is the day's position in terms of that part.
    case part(RuleStep, found: String)
    /// The interval skips the day's period.
    case interval(Int, Frequency)
    /// BYSETPOS excludes all times of the day.
    case positions([Int])
    /// An earlier instance exhausted COUNT.
    case count(Int)
    /// UNTIL is before the day.
    case until(RecurrenceRule.Until)
    /// All times that the rule generates on the day fall in a gap of the zone.
    case skippedTime
    /// Each part allows the day, but their combination selects no time on it.
    case together
  }

  /// The day.
  public let date: CivilDate
  /// The first instances on the day, in order; empty if there are none.
  public let instances: [CivilDateTime]
  /// Whether the day has more instances.
  public let hasMore: Bool
  /// The number of the first instance among all instances, from 1; nil if it was not counted.
  public let number: Int?
  /// The reasons why there are none; empty if there are instances.
  public let reasons: [Reason]

  /// Whether the rule has an instance on the day.
  public var isInstance: Bool { !instances.isEmpty }
}

extension RuleVerdict.Reason: CustomStringConvertible {
  /// The reason as a clause for people, without a full stop.
  public var description: String {
    switch self {
    case .beforeStart: "it is before the start"
    case .part(let step, let found):
      "\(step)\(step.isFromStart ? " (from the start)" : "") leaves it out: it is \(found)"
    case .interval(let interval, let frequency):
      "INTERVAL=\(interval) passes over its \(frequency.unit)"
    case .positions(let positions):
      "BYSETPOS=\(positions.map(String.init).joined(separator: ",")) leaves it out"
    case .count(let count): "COUNT=\(count) is used up before it"
    case .until(let until): "UNTIL=\(until) is before it"
    case .skippedTime: "the clocks skip its time"
    case .together: "no time of it is left by all parts together"
    }
  }
}

extension Frequency {
  /// The name of the period.
  var unit: String {
    switch self {
    case .secondly: "second"
    case .minutely: "minute"
    case .hourly: "hour"
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    }
  }
}
