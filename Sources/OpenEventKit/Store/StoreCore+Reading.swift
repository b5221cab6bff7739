// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

extension StoreCore {
  // MARK: Calendars

  /// The visible calendars of a library, with the uncommitted changes.
  ///
  /// - Throws: `LibraryError`.
  func calendars(in library: CalendarLibrary) throws -> [StoreCalendar] {
    // The watch begins before the first read, so that every change after the read is reported.
    watch()
    let committed = try library.calendars().map { StoreCalendar($0) }
    batch.remember(committed)
    return visible(committed)
  }

  /// The visible calendars for a save: those that the batch read last are sufficient, because the
  /// commit checks them.
  ///
  /// - Throws: `LibraryError`.
  func savingCalendars(in library: CalendarLibrary) throws -> [StoreCalendar] {
    guard let committed = batch.knownCalendars else { return try calendars(in: library) }
    watch()
    return visible(committed)
  }

  /// The calendars that the store shows, with the uncommitted changes.
  private func visible(_ committed: [StoreCalendar]) -> [StoreCalendar] {
    let all = batch.overlay.applied(to: committed)
    guard let visibleSources else { return all }
    return all.filter { visibleSources.contains($0.source.id) }
  }

  /// The calendar for new items of a kind.
  func defaultCalendar(
    for entity: EKEntityType, in library: CalendarLibrary
  ) throws -> StoreCalendar? {
    let usable = try calendars(in: library)
      .filter { !$0.isReadOnly && $0.kinds.contains(entity.kind) }
    let configured = try library.defaultCalendar(for: entity.kind)
    return usable.first { $0.id == configured?.id } ?? usable.first
  }

  // MARK: Items

  /// An item with the entry of its file, if it has one.
  ///
  /// It is a class, because lists of thousands of items are copied and filtered.
  final class Found: Sendable {
    let item: CalendarItem
    let base: LocalEntry?
    /// Whether the item is the one in the file.
    let isCommitted: Bool
    /// The entry that has the item; nil for an uncommitted change, whose entry is an earlier form.
    var entry: LocalEntry? { isCommitted ? base : nil }

    init(item: CalendarItem, base: LocalEntry?, isCommitted: Bool = false) {
      self.item = item
      self.base = base
      self.isCommitted = isCommitted
    }
  }

  /// The current form of an item, with uncommitted changes.
  func item(
    _ uid: UID, in calendar: StoreCalendar, _ library: CalendarLibrary
  ) throws -> Found? {
    if let change = batch.overlay.change(of: uid, in: calendar.id) {
      return change.item.map { Found(item: $0, base: change.base) }
    }
    let entry = try calendar.info.flatMap { try library.entry(uid, of: $0) }
    return entry.map { Found(item: $0.item, base: $0, isCommitted: true) }
  }

  /// The items of a calendar with uncommitted changes.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - range: The range of time for which items are wanted; nil for all items.
  ///   - kinds: The kinds of the items.
  ///   - library: The calendars.
  ///   - isWanted: The UIDs of the items.
  /// - Returns: The items, with those that may have no occurrence in the range.
  /// - Throws: `LibraryError` if the calendar cannot be read.
  func items(
    of calendar: StoreCalendar, in range: Range<Instant>? = nil, kinds: Set<ItemKind>,
    _ library: CalendarLibrary, where isWanted: (UID) -> Bool = { _ in true }
  ) throws -> [Found] {
    let changed = batch.overlay.items[calendar.id] ?? [:]
    var found: [Found] = []
    if let info = calendar.info {
      found = try committedItems(of: info, in: range, kinds: kinds, library, where: isWanted)
        .filter { changed[$0.item.uid] == nil }
    }
    for (_, change) in changed.sorted(by: { $0.key < $1.key }) {
      guard let item = change.item, kinds.contains(item.kind), isWanted(item.uid) else { continue }
      found.append(Found(item: item, base: change.base))
    }
    return found
  }

  /// The items in the files of a calendar.
  func committedItems(
    of calendar: CalendarInfo, in range: Range<Instant>? = nil, kinds: Set<ItemKind>,
    _ library: CalendarLibrary, where isWanted: (UID) -> Bool = { _ in true }
  ) throws -> [Found] {
    let entries = try library.entries(of: calendar, in: range, kinds: kinds, where: isWanted)
    reportUnreadable(of: calendar, library)
    return entries.map { Found(item: $0.item, base: $0, isCommitted: true) }
  }

  /// Reports the files of a calendar that are no items, when they change.
  private func reportUnreadable(of calendar: CalendarInfo, _ library: CalendarLibrary) {
    let files = library.unreadable(of: calendar)
    let finding = files.first.map { file in
      let count = files.count == 1 ? "a file that is" : "\(files.count) files that are"
      return "the calendar \"\(calendar.title)\" has \(count) not shown: "
        + "\(file.name): \(file.reason)"
    }
    gate.failures.report(finding, about: "the files of \(calendar.id)")
  }

  // MARK: Objects

  /// The events in a range of time, in the order of their start.
  ///
  /// Calendars that cannot be read are reported, and have no events.
  func events(
    in range: Range<Instant>, where includes: (StoreCalendar) -> Bool, _ library: CalendarLibrary
  ) -> [EKEvent] {
    let zones = zones
    var query = OccurrenceQuery(
      in: range, viewer: zones.viewerRules, zones: zones.resolver, options: occurrenceOptions)
    var sources: [Int: (calendar: EKCalendar, found: Found)] = [:]
    for calendar in knownCalendars(in: library) where includes(calendar) {
      let items = reading(calendar) {
        try self.items(of: calendar, in: range, kinds: [.event], library)
      }
      guard let items, !items.isEmpty else { continue }
      let object = object(for: calendar)
      sources.reserveCapacity(sources.count + items.count)
      let prepared = preparedItems.items(items, in: calendar.id, zones.viewer, by: query)
      for (item, found) in zip(prepared, items) {
        query.add(item)
        sources[item.source] = (object, found)
      }
    }
    var occurrences = query.occurrences().makeIterator()
    var events: [EKEvent] = []
    while let occurrence = occurrences.next() {
      guard let source = sources[occurrence.source] else { continue }
      events.append(EKEvent(occurrence, of: source.found, in: source.calendar, self, zones))
    }
    for finding in occurrences.findings.map(\.diagnostic.message) {
      gate.failures.report(finding, about: finding)
    }
    return events
  }

  /// An event: the first occurrence of its series that is not modified, or a given occurrence.
  func event(
    of found: Found, in calendar: StoreCalendar, at start: Instant? = nil
  ) -> EKEvent? {
    let item = found.item
    guard item.kind == .event else { return nil }
    let origin: ItemOrigin?
    if item.isSeries(of: Event.self) {
      guard let occurrence = occurrence(of: item, at: start) else { return nil }
      origin = ItemOrigin(
        calendar: calendar.id, item: item, base: found.entry,
        occurrence: occurrence.recurrenceID?.time ?? occurrence.start.time)
    } else {
      origin = ItemOrigin(calendar: calendar.id, item: item, base: found.entry, occurrence: nil)
    }
    return origin.flatMap { EKEvent($0, in: object(for: calendar), self) }
  }

  /// The occurrence of a series with an original start; without one, the first one.
  ///
  /// A modified first occurrence is passed over for the first one that is not.
  private func occurrence(of item: CalendarItem, at start: Instant?) -> Occurrence? {
    let zones = zones
    for days in [400, 40_000, 3_650_000] {
      guard let range = item.firstRange(days: days, zones) else { return nil }
      var query = OccurrenceQuery(
        in: range, viewer: zones.viewerRules, zones: zones.resolver, options: occurrenceOptions)
      query.add(item)
      var first: Occurrence?
      for occurrence in query.occurrences() {
        if let start {
          if occurrence.recurrenceID?.instant == start { return occurrence }
          continue
        }
        first = first ?? occurrence
        if !occurrence.component.isOverride { return occurrence }
      }
      if let first { return first }
    }
    return nil
  }

  /// A reminder.
  func reminder(of found: Found, in calendar: StoreCalendar) -> EKReminder? {
    guard found.item.kind == .reminder else { return nil }
    let origin = ItemOrigin(
      calendar: calendar.id, item: found.item, base: found.entry, occurrence: nil)
    return EKReminder(origin, in: object(for: calendar), self)
  }

  /// The object of an item.
  func object(of found: Found, in calendar: StoreCalendar) -> EKCalendarItem? {
    switch found.item.kind {
    case .event: event(of: found, in: calendar)
    case .reminder: reminder(of: found, in: calendar)
    case .journal, .freeBusy, .availability: nil
    }
  }
}

extension CalendarItem {
  /// A range of time that begins before all occurrences.
  fileprivate func firstRange(days: Int, _ zones: ItemZones) -> Range<Instant>? {
    let starts = components.compactMap { Event($0).start }
      .map { zones.instant(of: $0, timeZones) }
    guard let first = starts.min(), let last = starts.max() else { return nil }
    guard let lower = first.adding(seconds: -2 * 86_400),
      let upper = last.adding(seconds: Int64(days) * 86_400)
    else { return nil }
    return lower..<upper
  }
}
