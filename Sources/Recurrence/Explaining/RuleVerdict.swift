// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Whether a rule happens on a day, and why it does not.
public struct RuleVerdict: Hashable, Sendable {
  /// What keeps a rule from happening on a day.
  public enum Reason: Hashable, Sendable {
    /// The day, or its last time, is before the start.
    case beforeStart
    /// A part leaves the day out, which is what the second value says.
    case part(RuleStep, found: String)
    /// The interval passes over the day's period.
    case interval(Int, Frequency)
    /// The positions leave out all times of the day.
    case positions([Int])
    /// The rule has ended with an instance before.
    case count(Int)
    /// The rule ends before.
    case until(RecurrenceRule.Until)
    /// The clocks skip all times of the day that the rule gives.
    case skippedTime
    /// Each part lets the day through, but together they choose no time of it.
    case together
  }

  /// The day.
  public let date: CivilDate
  /// The first instances of the day in order; empty if there is none.
  public let instances: [CivilDateTime]
  /// Whether the day has more than those.
  public let hasMore: Bool
  /// The number of the first of them among all instances, from 1; nil if it was not counted.
  public let number: Int?
  /// Why there is none; empty if there are instances.
  public let reasons: [Reason]

  /// Whether the rule happens on the day.
  public var isInstance: Bool { !instances.isEmpty }
}

extension RuleVerdict.Reason: CustomStringConvertible {
  /// A sentence for people, without a full stop.
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
  /// The name of the period, for sentences.
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
