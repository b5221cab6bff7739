// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// Which alarms go off in a range of time (RFC 5545 §3.6.6, RFC 9074).
///
/// ```swift
/// var query = AlarmQuery(in: today, viewer: berlin, zones: resolver)
/// for item in items { query.add(item) }
/// for alarm in query.alarms { print(alarm.instant, alarm.occurrence.uid) }
/// ```
///
/// - A trigger that is relative goes off for each occurrence: of its start, or of its end, which is when
///   a reminder is due. Its days are those of the clock on the wall of the occurrence, or of whoever looks
///   where that is a day or floating.
/// - A trigger at a point in time goes off once, however often the item recurs.
/// - REPEAT and DURATION repeat it (RFC 5545 §3.8.6.2).
/// - What was acknowledged does not go off again for moments until then (RFC 9074 §6.1). An alarm that was
///   put off is one of its own, related to the one that it repeats by `RELTYPE=SNOOZE` (RFC 9074 §7).
/// - An override has the alarms that it says itself, and none if it says none.
/// - What is cancelled, and a reminder that is done, has no alarms; neither has one that goes off at a
///   place (PROXIMITY, RFC 9074 §8), or one whose action is `NONE`.
public struct AlarmQuery: ComponentQuery {
  /// How many occurrences of one item are looked at.
  static let occurrenceLimit = 250_000
  /// How many times the alarms of one item are looked at: for each occurrence, each alarm.
  private static let stepLimit = 1_000_000
  /// The most alarms that are kept if the caller does not ask for fewer.
  public static let limit = 50_000

  /// The range of time that is asked for.
  public let range: Range<Instant>
  private let options: OccurrenceOptions
  private var zones: ZoneTable
  private var lastSource: Int?
  private var list: FindingList
  private let limit: Int
  private var found: [AlarmOccurrence] = []
  /// The last alarm that is among the first `limit` ones, once there are more.
  private var last: Instant?
  /// Whether later alarms than those that are kept were found.
  public private(set) var isCut = false

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is not part of it.
  ///   - viewer: The zone of whoever looks.
  ///   - zones: Tells what TZIDs mean.
  ///   - options: What is decided where the RFC leaves something open; where reminders stand does not
  ///     matter.
  ///   - limit: How many alarms are kept, the first ones in time; memory grows with it, and not with what
  ///     rules and repetitions give.
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
    self.zones = ZoneTable(resolver: zones, viewer: viewer)
    list = FindingList(limit: options.findingLimit)
  }

  /// What there is to say of what was added.
  public var findings: [OccurrenceFinding] { list.findings }

  /// The alarms, in the order in which they go off; at one instant in the order of the occurrences.
  public var alarms: [AlarmOccurrence] {
    Array(found.sorted(by: AlarmOccurrence.precedes).prefix(limit))
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - source: A number of the caller's by which occurrences and findings tell where they are from.
  public mutating func add(_ item: CalendarItem, source: Int = 0) {
    zones.beginSource()
    add(components: item.components, timeZones: item.timeZones, source: source)
    lastSource = nil
  }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All that share a UID and a kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the source.
  ///   - source: A number of the caller's by which occurrences and findings tell where they are from.
  public mutating func add(
    components: [Component], timeZones: [Component] = [], source: Int = 0
  ) {
    if source != lastSource { zones.beginSource() }
    lastSource = source
    let reach = AlarmReach(of: components)
    guard reach.hasAlarms else { return }
    let wide = reach.range(around: range)
    var builder = SeriesBuilder(
      options: options, range: wide, source: source, definitions: timeZones,
      zones: zones.handOver())
    builder.add(components)
    zones = builder.zones
    list.add(builder.diagnostics, source: source)
    for part in builder.parts where !part.isCancelled { addAbsolute(of: part) }
    for occurrence in builder.singles {
      addRelative(AlarmReach.alarms(of: occurrence.component), of: occurrence)
    }
    for stretch in builder.stretches { add(stretch, within: wide, reach, source: source) }
  }

  /// Adds the alarms of a stretch of a series, until they all come after those that are kept.
  private mutating func add(
    _ stretch: SeriesStream.Stretch, within range: Range<Instant>, _ reach: AlarmReach, source: Int
  ) {
    let alarms = AlarmReach.alarms(of: stretch.part.component)
    guard !alarms.isEmpty else { return }
    var stream = SeriesStream(stretch, range: range, passedLimit: options.passedLimit)
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
          "the search for alarms of '\(stretch.part.uid)' was given up at a limit; some may be "
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
    for (index, alarm) in AlarmReach.alarms(of: part.component).enumerated() {
      guard case .absolute(let first)? = alarm.trigger else { continue }
      add(alarm, index, from: first, part.occurrence(at: part.start, recurrenceID: nil))
    }
  }

  /// Adds an alarm that goes off for the first time at an instant, and its repetitions.
  private mutating func add(
    _ alarm: Alarm, _ index: Int, from first: Instant, _ occurrence: Occurrence
  ) {
    let step = AlarmReach.step(of: alarm)
    let last = step == 0 ? 0 : Int64(alarm.repeatCount)
    // The first one that is in the range, and was not acknowledged.
    let seen = alarm.acknowledged?.adding(seconds: 1) ?? range.lowerBound
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

  /// Drops what comes after the first alarms.
  private mutating func cut() {
    found = alarms
    last = found.last?.instant ?? range.lowerBound
    isCut = true
  }
}
