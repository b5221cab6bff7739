// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The seven days of a week, with overlapping entries side by side.
///
/// ```swift
/// let range = WeekDays.range(from: monday, in: berlin)
/// let request = ViewRequest(calendars, in: range, viewer: berlin)
/// let view = try CalendarView(request) { event in print(event) }
/// let week = WeekDays(view.days(), from: monday)
/// for day in week.days { print(day.date, day.blocks.map(\.lane)) }
/// ```
public struct WeekDays: Sendable {
  /// An entry with a time, and its place beside the entries that overlap with it.
  public struct Block: Hashable, Sendable {
    /// The entry.
    public let entry: AgendaEntry
    /// The start in minutes after midnight on the wall clock.
    public let start: Int
    /// The end in minutes after midnight, through 1440; at least the start.
    public let end: Int
    /// The number of the lane, from 0.
    public fileprivate(set) var lane = 0
    /// The number of lanes that the overlapping entries need.
    public fileprivate(set) var laneCount = 1
  }

  /// A day of the week.
  public struct Day: Sendable {
    /// The date.
    public let date: CivilDate
    /// The entries that last the whole day.
    public let wholeDay: [AgendaEntry]
    /// The other entries, by start.
    public let blocks: [Block]
    /// The number of additional occurrences that are only counted.
    public let rest: Int
  }

  /// The days, from the first day of the week; all seven.
  public let days: [Day]
  /// The findings of the search.
  public let findings: [OccurrenceFinding]

  /// The first day of the week that contains a day.
  ///
  /// - Parameters:
  ///   - date: The day.
  ///   - firstWeekday: The first day of a week.
  /// - Returns: The first day.
  public static func start(of date: CivilDate, firstWeekday: Weekday) -> CivilDate {
    date.adding(days: -date.weekday.days(since: firstWeekday)) ?? .first
  }

  /// The range of the seven days from a day on, in a time zone.
  public static func range(from first: CivilDate, in zone: ZoneRules) -> Range<Instant> {
    let start = zone.instant(of: CivilDateTime(first, .midnight))
    return start..<max(start, zone.end(of: first.adding(days: 6) ?? .last))
  }

  /// Arranges the days of a view.
  ///
  /// - Parameters:
  ///   - agenda: The days of the week that have occurrences.
  ///   - first: The first day of the week.
  public init(_ agenda: AgendaDays, from first: CivilDate) {
    var agenda = agenda
    var found: [CivilDate: AgendaDays.Day] = [:]
    // An agenda of seven days has at most eight parts of days.
    while let day = agenda.next() { found[day.date] = day }
    days = (0..<7).compactMap { first.adding(days: $0) }.map { date in
      let entries = found[date]?.entries ?? []
      return Day(
        date: date, wholeDay: entries.filter(\.isWholeDay),
        blocks: Self.arranged(entries.filter { !$0.isWholeDay }.map(Block.init)),
        rest: found[date]?.rest ?? 0)
    }
    findings = agenda.findings
  }

  /// The blocks with their lanes: each is in the first lane that is free at its start.
  ///
  /// Blocks that overlap directly or through others share a number of lanes.
  static func arranged(_ blocks: [Block]) -> [Block] {
    var result = blocks.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
    /// The end of the last block of each lane.
    var ends: [Int] = []
    var first = 0
    for index in result.indices {
      let block = result[index]
      if ends.allSatisfy({ $0 <= block.start }) {
        Self.close(&result[first..<index], laneCount: ends.count)
        (ends, first) = ([], index)
      }
      let lane = ends.firstIndex { $0 <= block.start } ?? ends.count
      // A block without a duration still takes a row.
      let end = max(block.end, block.start + 1)
      if lane == ends.count { ends.append(end) } else { ends[lane] = end }
      result[index].lane = lane
    }
    Self.close(&result[first...], laneCount: ends.count)
    return result
  }

  private static func close(_ blocks: inout ArraySlice<Block>, laneCount: Int) {
    for index in blocks.indices { blocks[index].laneCount = max(1, laneCount) }
  }
}

extension WeekDays.Block {
  /// Creates the block of an entry; an entry that began or ends on another day fills its day.
  init(_ entry: AgendaEntry) {
    self.entry = entry
    start = entry.start.map { $0.secondOfDay / 60 } ?? 0
    let end = entry.end.map { ($0.secondOfDay + 59) / 60 } ?? 1440
    // The end at midnight is that of the day.
    let isAtMidnight = end == 0 && !entry.interval.isEmpty
    self.end = max(start, isAtMidnight ? 1440 : end)
  }
}
