// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax

/// An alarm at a certain time.
public struct AlarmOccurrence: Hashable, Sendable {
  /// The time of the alarm.
  public let instant: Instant
  /// The alarm.
  public let alarm: Alarm
  /// The occurrence; for an absolute alarm, the first one that its component describes.
  public let occurrence: Occurrence
  /// The number of previous repetitions (RFC 5545 §3.8.6.2).
  public let repetition: Int
  /// The index of the alarm in its component.
  let index: Int

  /// The UID of the alarm that this one snoozes; nil if it is not a snooze alarm (RFC 9074 §7).
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

/// The maximum distances between the alarms of an item and its occurrences.
struct AlarmReach {
  /// A number of seconds greater than the years 1 through 9999.
  private static let farthest: Int64 = 1 << 40

  private var earliest: Int64 = 0
  private var latest: Int64 = 0
  /// Whether there are any alarms.
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

  /// The range of occurrences that may have alarms in another range.
  func range(around range: Range<Instant>) -> Range<Instant> {
    // An offset change may lengthen nominal durations by up to a day.
    let lower = Self.moved(range.lowerBound, by: -(latest + 2 * 86_400))
    let upper = Self.moved(range.upperBound, by: 2 * 86_400 - earliest)
    return lower..<max(lower, upper)
  }

  /// Whether all alarms of occurrences from `start` on are after an instant.
  func isAfter(_ instant: Instant, _ start: Instant) -> Bool {
    // Nominal days vary in length, and triggers may be relative to the end.
    guard let first = start.adding(seconds: earliest - 2 * 86_400) else { return false }
    return first > instant
  }

  /// The timed alarms of a component; none for a completed reminder.
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

  /// The seconds between two repetitions, or 0 if there are none.
  ///
  /// A day has 24 hours here, because the duration of an alarm should have no days (RFC 5545
  /// §3.8.2.5).
  static func step(of alarm: Alarm) -> Int64 {
    guard alarm.repeatCount > 0, let interval = alarm.interval else { return 0 }
    return max(0, Int64(interval.nominalDays) * 86_400 + interval.exactSeconds)
  }

  /// The instant moved by seconds, within the years 1 through 9999.
  private static func moved(_ instant: Instant, by seconds: Int64) -> Instant {
    let (sum, overflow) = instant.secondsSinceEpoch.addingReportingOverflow(seconds)
    let bound: Int64 = seconds < 0 ? -62_135_596_800 : 253_402_300_799
    let moved = overflow ? bound : min(max(sum, -62_135_596_800), 253_402_300_799)
    return Instant(secondsSinceEpoch: moved)
  }
}
