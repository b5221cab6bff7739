// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// A query for the alarms in a range of time (RFC 5545 §3.6.6, RFC 9074).
///
/// ```swift
/// var query = AlarmQuery(in: today, viewer: berlin, zones: resolver)
/// for item in items { query.add(item) }
/// for alarm in query.alarms { print(alarm.instant, alarm.occurrence.uid) }
/// ```
///
/// - A relative trigger applies to each occurrence, to its start or its end; the end of a reminder
///   is its due time. Its days are local days of the occurrence's zone, or of the viewer's zone for
///   dates and floating times.
/// - An absolute trigger applies once, even if the item recurs. Lenient: a local time is read in its
///   TZID, or else in the viewer's zone (RFC 5545 §3.8.6.3 requires UTC).
/// - An alarm whose trigger cannot be read is omitted, with a finding.
/// - REPEAT and DURATION repeat the alarm (RFC 5545 §3.8.6.2).
/// - Alarms at or before the time of ACKNOWLEDGED are omitted (RFC 9074 §6.1). A snooze alarm is an
///   alarm of its own, related to the original one by `RELTYPE=SNOOZE` (RFC 9074 §7).
/// - Thunderbird records both for the item: alarms at or before X-MOZ-LASTACK are omitted, and one
///   recurs at X-MOZ-SNOOZE-TIME, unless the item is a series.
/// - An override has only its own alarms, not those of the series.
/// - Cancelled items and completed reminders have no alarms. Proximity alarms (PROXIMITY, RFC 9074
///   §8) and alarms with the action `NONE` are omitted.
public struct AlarmQuery: ComponentQuery {
  /// The maximum number of occurrences that are searched for an item.
  static let occurrenceLimit = 250_000
  /// The maximum number of combinations of occurrence and alarm that are checked for an item.
  private static let stepLimit = 1_000_000
  /// The maximum number of alarms, unless the caller requests fewer.
  public static let limit = 50_000

  /// The requested range.
  public let range: Range<Instant>
  private let options: OccurrenceOptions
  private var table: ZoneTable
  private var lastSource: Int?
  private var list: FindingList
  /// The last acknowledgement of any alarm of the current item, as Thunderbird records it.
  private var itemAcknowledged: Instant?
  private let limit: Int
  private var found: [AlarmOccurrence] = []
  /// The last of the first `limit` alarms, once there are more.
  private var last: Instant?
  /// Whether later alarms were dropped.
  public private(set) var isCut = false

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is exclusive.
  ///   - viewer: The viewer's time zone.
  ///   - zones: The resolver of TZIDs.
  ///   - options: The choices where the RFC is ambiguous; the placement of reminders is ignored.
  ///   - limit: The maximum number of alarms, the earliest ones; it bounds memory, independently of
  ///     rules and repetitions.
  public init(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver,
    options: OccurrenceOptions = OccurrenceOptions(), limit: Int = AlarmQuery.limit
  ) {
    var options = options
    options.reminders = .span
    options.includesCancelled = false
    self.range = range
    self.limit = max(0, min(limit, Self.limit))
    self.options = options
    table = ZoneTable(resolver: zones, viewer: viewer)
    list = FindingList(limit: options.findingLimit)
  }

  /// Findings about the added items.
  public var findings: [OccurrenceFinding] { list.findings }

  /// The alarms in chronological order; simultaneous ones are in the order of their occurrences.
  public var alarms: [AlarmOccurrence] {
    Array(found.sorted(by: AlarmOccurrence.precedes).prefix(limit))
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - source: A number chosen by the caller; occurrences and findings contain it to identify
  ///     their source.
  public mutating func add(_ item: CalendarItem, source: Int = 0) {
    table.beginSource()
    add(components: item.components, timeZones: item.timeZones, source: source)
    lastSource = nil
  }

  /// The resolver of TZIDs.
  public var zones: ZoneResolver { table.resolver }

  /// Begins another calendar of a source, with its own time zones (RFC 5545 §3.6.5).
  public mutating func beginCalendar() { table.beginSource() }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All components with the same UID and kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the calendar.
  ///   - source: A number chosen by the caller; occurrences and findings contain it to identify
  ///     their source.
  public mutating func add(
    components: [Component], timeZones: [Component] = [], source: Int = 0
  ) {
    if source != lastSource { table.beginSource() }
    lastSource = source
    let reach = AlarmReach(of: components)
    guard reach.hasAlarms else { return }
    itemAcknowledged = components.compactMap { $0.instant(of: .mozillaAcknowledged) }.max()
    let wide = reach.range(around: range)
    var builder = SeriesBuilder(
      options: options, range: wide, source: source, definitions: timeZones,
      zones: table.handOver())
    builder.add(components)
    table = builder.zones
    list.add(builder.diagnostics, source: source)
    if reach.hasOtherTriggers { list.add(unreadable(in: components), source: source) }
    for part in builder.parts where !part.isCancelled { addAbsolute(of: part) }
    for times in builder.undated where !times.isCancelled { addAbsolute(of: times, source) }
    for occurrence in builder.singles {
      addRelative(AlarmReach.alarms(of: occurrence.component), of: occurrence)
    }
    for stretch in builder.stretches { add(stretch, within: wide, reach, source: source) }
  }

  /// Adds the alarms of a stretch of a series, until all further ones are after the kept alarms.
  private mutating func add(
    _ stretch: SeriesStream.Stretch, within range: Range<Instant>, _ reach: AlarmReach, source: Int
  ) {
    let alarms = AlarmReach.alarms(of: stretch.part.component)
    guard !alarms.isEmpty else { return }
    var stream = SeriesStream(stretch, range: range, options: options)
    let most = min(Self.occurrenceLimit, Self.stepLimit / alarms.count + 1)
    var count = 0
    while count < most, let occurrence = stream.next() {
      if let last, reach.isAfter(last, occurrence.start.instant) {
        isCut = true
        return
      }
      count += 1
      addRelative(alarms, of: occurrence)
    }
    guard stream.isTruncated || count == most else { return }
    list.add(
      [
        stretch.part.component.diagnostic(
          .warning, .truncatedSeries,
          "the search for alarms of '\(stretch.part.uid)' stopped at a limit; some may be "
            + "missing", reference: "RFC 5545 §3.6.6")
      ], source: source)
  }

  private mutating func addRelative(_ alarms: [Alarm], of occurrence: Occurrence) {
    for (index, alarm) in alarms.enumerated() {
      guard case .relative(let duration, let anchor)? = alarm.trigger else { continue }
      let base = anchor == .start ? occurrence.start : occurrence.end
      guard let first = occurrence.clock.instant(of: base, adding: duration) else { continue }
      add(alarm, index, from: first, occurrence)
    }
  }

  private mutating func addAbsolute(of part: SeriesPart) {
    for (index, component) in AlarmReach.timed(in: part.component).enumerated() {
      guard let (alarm, first) = absolute(component) else { continue }
      add(alarm, index, from: first, part.occurrence(at: part.start, recurrenceID: nil))
    }
    guard let instant = part.component.instant(of: .mozillaSnoozeTime),
      var alarm = AlarmReach.alarms(of: part.component).first
    else { return }
    alarm.trigger = .absolute(instant)
    (alarm.interval, alarm.repeatCount, alarm.acknowledged) = (nil, 0, nil)
    add(alarm, 0, from: instant, part.occurrence(at: part.start, recurrenceID: nil))
  }

  /// An alarm at a fixed time; nil for others.
  private mutating func absolute(_ component: Component) -> (alarm: Alarm, first: Instant)? {
    var alarm = Alarm(component)
    switch alarm.trigger {
    case .absolute(let first)?: return (alarm, first)
    case .relative?: return nil
    case nil:
      guard let property = component[.trigger], let value = property.typedValues.first,
        let time = EventTime(value, in: property), !time.isAllDay
      else { return nil }
      let first = table.clock(of: time).rules.instant(of: time.wallTime)
      alarm.trigger = .absolute(first)
      return (alarm, first)
    }
  }

  /// The findings about alarms whose triggers cannot be read.
  private mutating func unreadable(in components: [Component]) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for alarm in components.lazy.flatMap({ AlarmReach.timed(in: $0) })
    where found.count < options.findingLimit && Alarm(alarm).trigger == nil {
      guard absolute(alarm) == nil else { continue }
      let reason = alarm[.trigger]?.typedValues.problems.first { $0.severity == .error }?.message
      let message =
        "the alarm is omitted: \(reason ?? "expected a TRIGGER with a time or a duration")"
      let place = alarm[.trigger]?.diagnostic(
        .warning, .invalidValue, message, reference: "RFC 5545 §3.8.6.3")
      found.append(
        place
          ?? alarm.diagnostic(.warning, .missingProperty, message, reference: "RFC 5545 §3.8.6.3"))
    }
    return found
  }

  /// Adds the absolute alarms of a component without a date.
  private mutating func addAbsolute(of times: ComponentTimes, _ source: Int) {
    for (index, component) in AlarmReach.timed(in: times.component).enumerated() {
      guard let (alarm, first) = absolute(component), let wall = first.civil() else { continue }
      let part = SeriesPart(
        times, start: .utc(wall), inherited: nil, source: source, place: .start, zones: &table)
      add(alarm, index, from: first, part.occurrence(at: part.start, recurrenceID: nil))
    }
  }

  /// Adds an alarm that first occurs at an instant, with its repetitions.
  private mutating func add(
    _ alarm: Alarm, _ index: Int, from first: Instant, _ occurrence: Occurrence
  ) {
    let step = AlarmReach.step(of: alarm)
    let last = step == 0 ? 0 : Int64(alarm.repeatCount)
    // The first repetition in the range that is not acknowledged.
    let acknowledged = [alarm.acknowledged, itemAcknowledged].compactMap(\.self).max()
    let seen = acknowledged?.adding(seconds: 1) ?? range.lowerBound
    let distance = max(seen, range.lowerBound).secondsSinceEpoch - first.secondsSinceEpoch
    guard distance <= 0 || step > 0 else { return }
    var number = distance <= 0 ? 0 : (distance + step - 1) / step
    while number <= last, let instant = first.adding(seconds: number * step),
      instant < range.upperBound
    {
      if let latest = self.last, instant > latest {
        isCut = true
        return
      }
      found.append(
        AlarmOccurrence(
          instant: instant, alarm: alarm, occurrence: occurrence, repetition: Int(number),
          index: index))
      if found.count >= 2 * limit + 64 { cut() }
      number += 1
    }
  }

  /// Drops all but the first alarms.
  private mutating func cut() {
    found = alarms
    last = found.last?.instant ?? range.lowerBound
    isCut = true
  }
}

/// An alarm at a certain time.
public struct AlarmOccurrence: Hashable, Sendable {
  /// The time of the alarm.
  public let instant: Instant
  /// The alarm.
  public let alarm: Alarm
  /// The occurrence; for an absolute alarm, the first one that its component describes.
  ///
  /// For a component without a date, it is at the time of the alarm; see ``hasDate``.
  public let occurrence: Occurrence
  /// The number of previous repetitions (RFC 5545 §3.8.6.2).
  public let repetition: Int
  /// The index of the alarm in its component.
  let index: Int

  /// Whether the occurrence has a date of its own: a reminder without a date has absolute alarms.
  public var hasDate: Bool {
    let component = occurrence.component
    return component[.dtStart] != nil || component[.due] != nil || component[.recurrenceID] != nil
  }

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
  /// Whether there are triggers that are neither durations nor times in UTC.
  private(set) var hasOtherTriggers = false

  init(of components: [Component]) {
    for component in components {
      for alarm in Self.alarms(of: component) {
        hasAlarms = true
        if alarm.trigger == nil { hasOtherTriggers = true }
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
    timed(in: component).map { Alarm($0) }
  }

  /// The components of these alarms.
  static func timed(in component: Component) -> [Component] {
    let alarms = component.components(named: .alarm)
    guard !alarms.isEmpty, component.statedReminderStatus != .completed else { return [] }
    return alarms.filter(isTimed)
  }

  /// Whether an alarm has a trigger of time, and an action.
  static func isTimed(_ alarm: Component) -> Bool {
    alarm[.proximity] == nil && Alarm(alarm).action != AlarmAction.none
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

extension PropertyName {
  /// The time of the last acknowledgement of any alarm of an item, by Thunderbird.
  fileprivate static let mozillaAcknowledged: PropertyName = "X-MOZ-LASTACK"
  /// The time until which the alarms of an item are snoozed, by Thunderbird.
  fileprivate static let mozillaSnoozeTime: PropertyName = "X-MOZ-SNOOZE-TIME"
}

extension Component {
  /// The instant in a property; nil if there is none.
  fileprivate func instant(of name: PropertyName) -> Instant? {
    var ignored: [Diagnostic] = []
    return self[name].flatMap { PropertyCodec.instant.read($0, &ignored) }
  }
}
