// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
import CalendarSync
public import CivilTime
import ICalSyntax

/// The reminders of calendars as a list of things to do.
///
/// Overdue reminders come first, then the others by due time, by priority and by title; those
/// without a due time are last. Parts of a reminder follow it: those whose RELATED-TO has it as
/// PARENT, and those that it has as CHILD (RFC 5545 §3.2.15, §3.8.4.5).
public struct TaskList: Sendable {
  /// A reminder of the list.
  public struct Entry: Sendable {
    /// The item.
    public let found: FoundItem
    /// The values of the reminder, or of the first open occurrence of a series.
    public let reminder: Reminder
    /// The due time as in the file.
    public let due: EventTime?
    /// The instant before which the reminder is to be done; the end of the day for a date.
    public let deadline: Instant?
    /// Whether the deadline has passed.
    public let isOverdue: Bool
    /// The first open occurrence of a series; nil if it has none, or is no series.
    let occurrence: Occurrence?
    /// The UID of the reminder of which this one is a part.
    public internal(set) var parent: UID?
    /// The number of reminders of which this one is a part.
    public internal(set) var depth = 0

    /// Whether the reminder is completed or cancelled.
    public var isClosed: Bool { reminder.statedStatus?.isClosed == true }

    /// The entry for the numbers of the list.
    public var listed: ListedItem {
      ListedItem(calendar: found.calendar.id, uid: found.item.uid)
    }
  }

  /// The maximum depth of parts.
  private static let depthLimit = 20

  /// The entries, in the order of the list.
  public private(set) var entries: [Entry] = []

  /// Reads the reminders of calendars.
  ///
  /// - Parameters:
  ///   - calendars: The calendars.
  ///   - includesClosed: Whether completed and cancelled reminders are included.
  ///   - editor: The calendars, the time zone and the clock.
  ///   - matcher: The condition for reminders; of a series, its first open occurrence is compared.
  /// - Throws: `LibraryError` if a calendar cannot be read.
  public init(
    of calendars: [CalendarInfo], includesClosed: Bool = false, _ editor: LibraryEditor,
    where matcher: QueryMatcher? = nil
  ) throws {
    var found: [Entry] = []
    var parents: [UID: UID] = [:]
    let now = editor.machine.now()
    for calendar in calendars {
      let query = ItemSelection(kinds: [.reminder], omitsSettled: !includesClosed)
      for entry in try editor.library.entries(of: calendar, query) {
        let item = FoundItem(calendar: calendar, entry: entry)
        guard let task = try Entry(item, editor, at: now) else { continue }
        for part in task.parts {
          parents[part] = min(parents[part] ?? item.item.uid, item.item.uid)
        }
        guard task.matches(matcher), includesClosed || !task.isClosed else { continue }
        found.append(task)
      }
    }
    for place in found.indices where found[place].parent == nil {
      found[place].parent = parents[found[place].found.item.uid]
    }
    arrange(found.sorted { $0.isOrdered(before: $1) })
  }

  /// Puts parts behind the reminder that they belong to.
  private mutating func arrange(_ sorted: [Entry]) {
    let uids = Set(sorted.map(\.found.item.uid))
    var parts: [UID: [Int]] = [:]
    var roots: [Int] = []
    for (place, entry) in sorted.enumerated() {
      if let parent = entry.parent, parent != entry.found.item.uid, uids.contains(parent) {
        parts[parent, default: []].append(place)
      } else {
        roots.append(place)
      }
    }
    var seen: Set<Int> = []
    // A circle of parts has no root: it begins with its first reminder.
    for place in roots + Array(sorted.indices) {
      add(place, depth: 0, of: sorted, parts, &seen)
    }
  }

  private mutating func add(
    _ place: Int, depth: Int, of sorted: [Entry], _ parts: [UID: [Int]], _ seen: inout Set<Int>
  ) {
    guard seen.insert(place).inserted else { return }
    var entry = sorted[place]
    entry.depth = depth
    entries.append(entry)
    for part in parts[entry.found.item.uid] ?? [] {
      add(part, depth: min(depth + 1, Self.depthLimit), of: sorted, parts, &seen)
    }
  }
}

extension TaskList.Entry {
  /// Reads a reminder; nil if it has no component.
  fileprivate init?(_ found: FoundItem, _ editor: LibraryEditor, at now: Instant) throws {
    guard let main = found.item.representative else { return nil }
    var reminder = Reminder(main)
    let isClosed = reminder.statedStatus?.isClosed == true
    var due = reminder.due?.time
    if case .duration(let duration)? = reminder.due, let start = reminder.start {
      due = try? editor.times(of: found.item, zone: nil).time(start, after: duration)
    }
    var occurrence: Occurrence?
    if !isClosed, found.isSeries {
      if let series = try OpenSeries(found.item, editor.tasks) {
        occurrence = series.occurrence
        reminder = Reminder(series.occurrence.component)
        due = series.occurrence.end.time
      } else if found.item.span != nil {
        reminder.status = .completed
      }
    }
    let deadline = due.map { due -> Instant in
      let times = editor.times(of: found.item, zone: nil)
      let end = due.isAllDay ? .date(due.date.adding(days: 1) ?? due.date) : due
      return times.instant(of: end)
    }
    self.init(
      found: found, reminder: reminder, due: due, deadline: deadline,
      isOverdue: deadline.map { $0 <= now } ?? false, occurrence: occurrence,
      parent: reminder.relations.first { $0.type == .parent }.map { UID($0.target) })
  }

  fileprivate func matches(_ matcher: QueryMatcher?) -> Bool {
    guard let matcher else { return true }
    guard let occurrence else { return matcher.matches(found.item, calendar: found.calendar.name) }
    return matcher.matches(occurrence, calendar: found.calendar.name)
  }

  /// The UIDs of the reminders that this one names as its parts.
  fileprivate var parts: [UID] {
    let uid = found.item.uid
    return reminder.relations.filter { $0.type == .child }.map { UID($0.target) }
      .filter { $0 != uid }
  }

  fileprivate func isOrdered(before other: TaskList.Entry) -> Bool {
    if isClosed != other.isClosed { return !isClosed }
    if deadline != other.deadline {
      guard let deadline, let later = other.deadline else { return deadline != nil }
      return deadline < later
    }
    // 0 is no priority, and comes after all others (RFC 5545 §3.8.1.9).
    let (rank, otherRank) = (reminder.priority + 9, other.reminder.priority + 9)
    if rank % 10 != otherRank % 10 { return rank % 10 < otherRank % 10 }
    let (title, next) = (found.item.title, other.found.item.title)
    return title == next ? found.item.uid < other.found.item.uid : title < next
  }
}

extension CalendarItem {
  /// The component with the times of the item as a whole: the main component, or the override of the
  /// last occurrence of a closed reminder.
  var representative: Component? {
    guard kind == .reminder, let main else { return self.main ?? components.first }
    let reminder = Reminder(main)
    guard reminder.statedStatus?.isClosed == true, let start = reminder.start else { return main }
    return overrides.first { Reminder($0).recurrenceID?.time == start } ?? main
  }
}
