// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// An alarm that goes off.
public struct AlarmOccurrence: Hashable, Sendable {
  /// When it goes off.
  public let instant: Instant
  /// The alarm.
  public let alarm: Alarm
  /// What it goes off for; of an alarm at a point in time, what its component describes first.
  public let occurrence: Occurrence
  /// How many times it went off before (RFC 5545 §3.8.6.2).
  public let repetition: Int
  /// Which alarm of its component it is.
  let index: Int

  /// The UID of the alarm that this one repeats, because a person put it off; nil if it is none of
  /// those (RFC 9074 §7).
  public var snoozedAlarm: UID? {
    alarm.relations.first { $0.type == .snooze }.map { UID($0.target) }
  }

  /// Whether the left alarm comes first.
  static func precedes(_ left: AlarmOccurrence, _ right: AlarmOccurrence) -> Bool {
    if left.instant != right.instant { return left.instant < right.instant }
    if let order = Occurrence.precedes(left.occurrence, right.occurrence) { return order }
    return (left.index, left.repetition) < (right.index, right.repetition)
  }
}

/// How far the alarms of an item lie from its occurrences.
struct AlarmReach {
  /// More seconds than the years 1 through 9999 have.
  private static let farthest: Int64 = 1 << 40

  private var earliest: Int64 = 0
  private var latest: Int64 = 0
  /// Whether there are any alarms at all.
  private(set) var hasAlarms = false

  init(of components: [Component]) {
    for component in components {
      for alarm in Self.alarms(of: component) {
        hasAlarms = true
        guard case .relative(let duration, _)? = alarm.trigger else { continue }
        let offset = Int64(duration.nominalDays) * 86_400 + duration.exactSeconds
        earliest = min(earliest, offset)
        let (span, overflow) = Self.step(of: alarm)
          .multipliedReportingOverflow(by: Int64(alarm.repeatCount))
        latest = max(latest, offset + (overflow ? Self.farthest : min(span, Self.farthest)))
      }
    }
  }

  /// The range in which occurrences lie whose alarms go off in another one.
  func range(around range: Range<Instant>) -> Range<Instant> {
    // A change of the clocks may add a day to nominal ones.
    let lower = Self.moved(range.lowerBound, by: -(latest + 2 * 86_400))
    let upper = Self.moved(range.upperBound, by: 2 * 86_400 - earliest)
    return lower..<max(lower, upper)
  }

  /// Whether all alarms of occurrences that start at an instant or later go off after another one.
  func isAfter(_ instant: Instant, _ start: Instant) -> Bool {
    // Nominal days may be shorter or longer than others, and alarms may be reckoned from the end.
    guard let first = start.adding(seconds: earliest - 2 * 86_400) else { return false }
    return first > instant
  }

  /// The alarms of a component that go off at times; none for what is done.
  static func alarms(of component: Component) -> [Alarm] {
    let alarms = component.components(named: .alarm)
    guard !alarms.isEmpty, !isDone(component) else { return [] }
    return alarms.filter { $0[.proximity] == nil }.map { Alarm($0) }
      .filter { $0.action?.rawValue != "NONE" }
  }

  private static func isDone(_ component: Component) -> Bool {
    guard component.name == .reminder else { return false }
    return component[.completed] != nil
      || component[.status]?.text.asciiUppercased == ReminderStatus.completed.rawValue
  }

  /// The seconds between two repetitions, or 0 if there are none; a day has 24 hours here, because the
  /// duration of an alarm should have none (RFC 5545 §3.8.2.5).
  static func step(of alarm: Alarm) -> Int64 {
    guard alarm.repeatCount > 0, let interval = alarm.interval else { return 0 }
    return max(0, Int64(interval.nominalDays) * 86_400 + interval.exactSeconds)
  }

  /// An instant moved as far as the years 1 through 9999 go.
  private static func moved(_ instant: Instant, by seconds: Int64) -> Instant {
    let (sum, overflow) = instant.secondsSinceEpoch.addingReportingOverflow(seconds)
    let bound: Int64 = seconds < 0 ? -62_135_596_800 : 253_402_300_799
    let moved = overflow ? bound : min(max(sum, -62_135_596_800), 253_402_300_799)
    return Instant(secondsSinceEpoch: moved)
  }
}
