// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The alarms that were shown, which decides which ones are due; does neither input nor output.
///
/// - An alarm is shown once, whatever the clock does in the meantime.
/// - An alarm that is due at an earlier time, because the machine was suspended or off or the item
///   arrived later, is shown late, unless it was due more than a day before.
/// - Alarms before the first start are not shown.
///
/// As text it consists of a line `since SECONDS`, and of a line `SECONDS KEY` for each alarm.
public struct AlarmSchedule: Hashable, Sendable {
  /// An alarm to show.
  public struct Due: Sendable {
    /// The alarm.
    public let alarm: AlarmOccurrence
    /// Whether it is shown late.
    public let isLate: Bool
  }

  /// The longest time by which an alarm is shown late, in seconds.
  public static let lateness: Int64 = 86_400
  /// The time from which an alarm is late, in seconds.
  private static let grace: Int64 = 60
  /// The time after which a shown alarm is forgotten, in seconds.
  private static let memory = 8 * lateness
  /// The maximum number of alarms that are remembered; the latest ones are.
  private static let limit = 20_000

  /// The first start.
  private var since: Instant
  /// The time of each shown alarm.
  private var shown: [String: Instant] = [:]

  /// Begins at a time.
  public init(since: Instant) {
    self.since = since
  }

  /// The start of the range in which alarms may be due.
  public func start(at now: Instant) -> Instant {
    // A clock that was ahead at the first start is no reason to omit alarms.
    max(min(since, now), now.adding(seconds: -Self.lateness) ?? now)
  }

  /// The alarms that are due at a time and were not shown.
  public func due(_ alarms: [AlarmOccurrence], at now: Instant) -> [Due] {
    let start = start(at: now)
    var keys: Set<String> = []
    return alarms.filter { alarm in
      start...now ~= alarm.instant && shown[Self.key(alarm)] == nil
        && keys.insert(Self.key(alarm)).inserted
    }
    .map { alarm in
      let delay = now.secondsSinceEpoch - alarm.instant.secondsSinceEpoch
      return Due(alarm: alarm, isLate: delay > Self.grace)
    }
  }

  /// The time of the next alarm; nil if there is none among these.
  public func next(_ alarms: [AlarmOccurrence], after now: Instant) -> Instant? {
    alarms.filter { $0.instant > now && shown[Self.key($0)] == nil }.map(\.instant).min()
  }

  /// Records that an alarm is shown, and forgets old ones.
  public mutating func show(_ alarm: AlarmOccurrence, at now: Instant) {
    since = min(since, now)
    shown[Self.key(alarm)] = alarm.instant
    let oldest = now.secondsSinceEpoch - Self.memory
    shown = shown.filter { $0.value.secondsSinceEpoch > oldest }
    guard shown.count > Self.limit else { return }
    let kept = shown.sorted { $0.value > $1.value }.prefix(Self.limit)
    shown = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Forgets that an alarm was shown, because it could not be.
  public mutating func withdraw(_ alarm: AlarmOccurrence) {
    shown[Self.key(alarm)] = nil
  }

  /// The identity of an alarm: the item, the start of the occurrence and the time.
  ///
  /// The position among the alarms of an item is no part of it, because an added alarm changes it.
  private static func key(_ alarm: AlarmOccurrence) -> String {
    StableIdentifier(
      of: alarm.occurrence.uid.rawValue, "\(alarm.occurrence.start.instant)", "\(alarm.instant)"
    ).text
  }
}

extension AlarmSchedule {
  /// Parses the text, and skips lines of another form.
  ///
  /// The result is nil if there is no start.
  public init?(parsing text: String) {
    var since: Instant?
    var shown: [String: Instant] = [:]
    for line in text.split(separator: "\n").prefix(Self.limit + 1) {
      let words = line.split(separator: " ")
      guard words.count == 2 else { continue }
      if words[0] == "since" {
        since = Int64(words[1]).map { Instant(secondsSinceEpoch: $0) }
      } else if let seconds = Int64(words[0]) {
        shown[String(words[1])] = Instant(secondsSinceEpoch: seconds)
      }
    }
    guard let since else { return nil }
    self.init(since: since)
    self.shown = shown
  }

  /// The text.
  public var text: String {
    let lines = shown.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      .map { "\($0.value.secondsSinceEpoch) \($0.key)\n" }
    return "since \(since.secondsSinceEpoch)\n" + lines.joined()
  }
}
