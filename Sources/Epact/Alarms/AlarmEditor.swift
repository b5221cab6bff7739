// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarRemotes
import CalendarStore
public import CalendarSync
public import CivilTime

/// Acknowledges and snoozes alarms of the user's calendars (RFC 9074).
///
/// ```swift
/// let editor = AlarmEditor(library, viewer: berlin)
/// let alarm = try editor.lastAlarm(of: "dentist")
/// try editor.snooze(alarm, until: later)
/// ```
///
/// The changes are edits of local files, which the next sync sends.
public struct AlarmEditor: Sendable {
  /// An alarm that was triggered.
  public struct Found: Sendable {
    /// The calendar of the item.
    public let calendar: CalendarInfo
    /// The item.
    public let entry: LocalEntry
    /// The alarm.
    public let alarm: AlarmOccurrence
  }

  /// The longest time since the trigger of an alarm, in seconds.
  public static let reach: Int64 = 7 * 86_400

  /// The maximum number of alarms that are acknowledged at once.
  private static let alarmLimit = 1_000

  private let library: CalendarLibrary
  private let viewer: ZoneRules

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - library: The calendars.
  ///   - viewer: The viewer's time zone, for floating times.
  public init(_ library: CalendarLibrary, viewer: ZoneRules) {
    self.library = library
    self.viewer = viewer
  }

  private var machine: Machine { library.machine }

  /// The last alarm of an item that was triggered within a week and is not acknowledged, or the snooze
  /// alarm that is still to be triggered, if the last alarm was snoozed.
  ///
  /// - Parameter item: The UID, a title, or the beginning of one, as ``ItemFinder`` finds items.
  /// - Returns: The alarm.
  /// - Throws: `EpactError` if no item or more than one fits; `LibraryError`.
  public func lastAlarm(of item: String) throws -> Found {
    var all: [(calendar: CalendarInfo, item: ItemSummary)] = []
    for calendar in try library.calendars() where !calendar.isReadOnly {
      all += try library.summaries(of: calendar, where: ItemNaming.filter(for: item)).map {
        (calendar, $0)
      }
    }
    let names = ItemNaming.closest(to: item, among: all) { ($0.item.uid, $0.item.titles[0]) }
    let named = try names.compactMap { name in
      try library.entry(name.item.uid, of: name.calendar).map { (name.calendar, $0) }
    }
    let found = named.compactMap { calendar, entry in
      lastAlarm(of: entry.item).map { Found(calendar: calendar, entry: entry, alarm: $0) }
    }
    guard let first = found.first else {
      throw EpactError(
        .argument,
        named.isEmpty
          ? "there is no item \"\(item)\" in the calendars"
          : "no alarm of \"\(item)\" was triggered in the last week", subject: item)
    }
    guard found.count == 1 else {
      throw EpactError(
        .argument, "\"\(item)\" fits \(found.count) items with alarms",
        details: found.map { "\($0.entry.item.title) (\($0.entry.item.uid))" }.sorted(),
        subject: item)
    }
    return first
  }

  /// Acknowledges an alarm and the earlier ones of its item that were triggered within a week, and
  /// removes their snooze alarms.
  ///
  /// - Throws: `LibraryError`; with the code `changedMeanwhile` if the item was edited meanwhile.
  public func acknowledge(_ found: Found) throws {
    let item = try editor.acknowledge(found.alarm, in: found.entry.item)
    try commit(found, to: acknowledgedEarlier(item))
  }

  /// Acknowledges an alarm and the earlier ones of its item, and repeats the alarm at a time.
  ///
  /// - Throws: `LibraryError`; with the code `changedMeanwhile` if the item was edited meanwhile.
  public func snooze(_ found: Found, until instant: Instant) throws {
    let item = try editor.snooze(found.alarm, in: found.entry.item, until: instant)
    try commit(found, to: acknowledgedEarlier(item))
  }

  /// Acknowledges all alarms of an item that were triggered within a week.
  private func acknowledgedEarlier(_ item: CalendarItem) throws -> CalendarItem {
    let editor = editor
    var item = item
    for _ in 0..<Self.alarmLimit {
      guard let alarm = lastTriggered(of: item) else { break }
      let next = try editor.acknowledge(alarm, in: item)
      // Thunderbird's X-MOZ-SNOOZE-TIME stays, and so does its alarm.
      guard next != item else { break }
      item = next
    }
    return item
  }

  private func commit(_ found: Found, to item: CalendarItem) throws {
    var edit = LibraryEdit()
    edit.items.append(
      .init(in: found.calendar.id, uid: item.uid, from: found.entry, to: item))
    try library.commitRun(edit)
  }

  private var editor: ItemEditor {
    let (now, random) = (machine.now(), machine.pace.random)
    var editor = machine.itemEditor(at: now) {
      UID(StableIdentifier(of: "alarm", "\(now)", "\(random())", "\(random())").text)
    }
    editor.userAddresses = (try? library.userAddresses()) ?? []
    return editor
  }

  /// The last alarm that was triggered within a week and is not acknowledged.
  private func lastTriggered(of item: CalendarItem) -> AlarmOccurrence? {
    let now = machine.now()
    guard let start = now.adding(seconds: -Self.reach), let end = now.adding(seconds: 1) else {
      return nil
    }
    return alarms(of: item, in: start..<end).last
  }

  private func alarms(of item: CalendarItem, in range: Range<Instant>) -> [AlarmOccurrence] {
    var options = OccurrenceOptions()
    options.recurrence = machine.recurrenceOptions
    var query = AlarmQuery(
      in: range, viewer: viewer, zones: machine.zoneResolver, options: options)
    query.add(item)
    return query.alarms
  }

  private func lastAlarm(of item: CalendarItem) -> AlarmOccurrence? {
    let now = machine.now()
    let last = lastTriggered(of: item)
    guard let later = now.adding(seconds: Self.reach) else { return last }
    let pending = alarms(of: item, in: now..<later).last { $0.snoozedAlarm != nil }
    guard let pending, let last else { return last ?? pending }
    // What was triggered before the snooze is older than the alarm that was snoozed.
    let alarms = Event(pending.occurrence.component).alarms
    let snoozed = alarms.first { $0.uid == pending.snoozedAlarm }?.acknowledged
    return snoozed.map { last.instant > $0 } ?? true ? last : pending
  }
}
