// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

extension StoreCore {
  // MARK: Objects

  /// Notes the state of an object before its first change that is not committed.
  func begin(_ object: EKCalendarItem) {
    // The values are read before the batch changes: reading them may use the store.
    let values = object.values
    if batch.isPending(object) {
      batch.keep(values, of: object)
      batch.note(shown: object.fields, by: object)
    } else {
      batch.begin(object, with: values)
    }
  }

  /// Makes an object show what was saved.
  func adopt(
    _ object: EKCalendarItem, _ item: CalendarItem, at occurrence: EventTime?,
    in calendar: StoreCalendar
  ) {
    let isFirst = object.state.origin == nil
    let origin = ItemOrigin(
      calendar: calendar.id, item: item, base: nil, occurrence: occurrence)
    let found = snapshot(of: origin, object.entity)
    let saved = LazySnapshot(found ?? ItemSnapshot(new: object.fields))
    object.state.origin = origin
    object.state.saved = saved
    object.state.isRemoved = false
    if isFirst { object.state.fetched = saved }
    object.show(nil, nil, in: self.object(for: calendar))
    batch.note(shown: object.fields, by: object)
  }

  /// The values of an occurrence; nil if the item does not have it.
  func snapshot(of origin: ItemOrigin, _ entity: EKEntityType) -> ItemSnapshot? {
    let editor = editor
    switch entity {
    case .event:
      guard
        let reading: OccurrenceReading<Event> = editor.reading(
          at: origin.occurrence, of: origin.item)
      else { return nil }
      return ItemSnapshot(event: reading, of: origin.item, in: origin.calendar, zones)
    case .reminder: return reminderSnapshot(of: origin)
    }
  }

  /// The latest form of an object's item.
  struct Latest {
    let origin: ItemOrigin
    let snapshot: ItemSnapshot
  }

  /// The latest form of an object's item; nil if it or the occurrence was deleted.
  ///
  /// - Throws: An error of the ledger or of the calendar, after which nothing is known.
  func latest(of object: EKCalendarItem, _ old: ItemOrigin) throws -> Latest? {
    guard case .full(let library) = try gate.currentSession(for: object.entity),
      let calendar = try calendars(in: library).first(where: { $0.id == old.calendar }),
      let found = try item(old.uid, in: calendar, library)
    else { return nil }
    return try latest(in: found, old, object.entity)
      ?? continuation(of: old, after: found.item, in: calendar, library)
  }

  /// The occurrence in a current item; nil if the item does not have it.
  private func latest(in found: Found, _ old: ItemOrigin, _ entity: EKEntityType) -> Latest? {
    let isSeries = entity == .event && found.item.isSeries(of: Event.self)
    var occurrence = old.occurrence
    if isSeries { occurrence = occurrence ?? found.item.main.flatMap { Event($0).start } }
    func origin(_ occurrence: EventTime?) -> ItemOrigin {
      ItemOrigin(
        calendar: old.calendar, item: found.item, base: found.entry, occurrence: occurrence)
    }
    return snapshot(of: origin(occurrence), entity).map {
      Latest(origin: origin(isSeries ? occurrence : nil), snapshot: $0)
    }
  }

  /// The occurrence in the series that continues its own since a split; nil if none has it.
  func continuation(
    of old: ItemOrigin, after item: CalendarItem, in calendar: StoreCalendar,
    _ library: CalendarLibrary
  ) throws -> Latest? {
    guard old.occurrence != nil else { return nil }
    var (part, seen) = (item, Set([item.uid]))
    while let uid = part.continuation, seen.insert(uid).inserted,
      let found = try self.item(uid, in: calendar, library)
    {
      if let latest = latest(in: found, old, .event) { return latest }
      part = found.item
    }
    return nil
  }

  // MARK: Committing

  /// Commits everything that was saved and not committed.
  ///
  /// - Throws: `EKError`; then nothing was written, and commits fail until the store is reset.
  func commit() throws {
    try lock.withLock {
      try batch.checkUnbroken()
      guard batch.hasEffect else { return batch.finish() }
      do {
        let session = try gate.currentSession(for: .event)
        if case .full(let library) = session, !batch.additions.isEmpty {
          batch.stageAdditions(try library.items(of: batch.additions))
        }
        switch session {
        case .writeOnly(let appender) where batch.overlay.isEmpty: try write(appender)
        default:
          guard batch.additions.isEmpty, let library = try gate.currentFullAccess()?.library else {
            throw gate.notAuthorized
          }
          try write(library)
        }
      } catch {
        batch.fail()
        throw storeError(error)
      }
    }
  }

  /// Writes the overlay as one edit: all of it, or nothing.
  func write(_ library: CalendarLibrary) throws {
    try batch.checkUnbroken()
    let edit = batch.overlay.edit(of: try library.calendars())
    if edit.deletesItems {
      // The history shows the next sync that the deletion is meant.
      try library.commitRun(edit)
    } else if !edit.isEmpty {
      try library.commit(edit)
    }
    for (use, count) in batch.uses { gate.note(use.use, for: use.entity, count: count) }
    batch.finishChanges()
    if !edit.isEmpty { changes.schedule() }
  }

  /// Adds the events of a program with write-only access: all of them, or none.
  private func write(_ appender: EventAppender) throws {
    try appender.append(batch.additions)
    batch.finish()
    changes.schedule()
  }

  /// Returns to the committed state; the objects keep their values, as changes.
  func rollBack() { restore(batch.rollBack()) }

  private func restore(_ dropped: Batch.Work) {
    for pending in dropped.items.values { pending.restore() }
    for pending in dropped.calendars.values { pending.restore() }
  }

  /// Returns to the committed state, as if the store were new.
  func reset() {
    lock.withLock {
      let dropped = batch.rollBack()
      restore(dropped)
      for pending in dropped.items.values { pending.object.reset() }
      batch = Batch()
      forgetCalendars()
    }
  }

  // MARK: Write-only access

  /// Adds an event for a program that cannot read.
  func append(_ object: EKCalendarItem, _ appender: EventAppender, commit: Bool) throws {
    guard object.entity == .event, object.state.origin == nil, !object.state.isAppended else {
      throw gate.notAuthorized
    }
    if commit { try batch.checkUnbroken() }
    // Changes from a time with full access cannot be committed any more.
    guard !commit || batch.overlay.isEmpty else { throw gate.notAuthorized }
    do {
      guard let calendar = writableToken(object.fields.calendar) else {
        throw EKError(
          .noCalendar,
          "with write-only access, an event needs the calendar for new events or a chosen one")
      }
      try check(object)
      let item = try created(object)
      try checkRules(item, instead: nil)
      begin(object)
      object.state.saved = LazySnapshot(ItemSnapshot(new: object.fields))
      object.state.isAppended = true
      batch.add(item, to: calendar == .virtual ? appender.usual : .id(calendar.id))
      if commit { try write(appender) }
    } catch {
      if commit { rollBack() }
      throw storeError(error)
    }
  }

  private func created(_ object: EKCalendarItem) throws -> CalendarItem {
    let change = ItemChange(
      before: ItemFields(), after: object.fields, parts: object.parts, definitions: [],
      zones: zones)
    let saving = ItemSaving<Event>(
      editor: editor, change: change, write: { change.write(to: &$0) }, makeUID: makeUID, now: now)
    return try saving.created(object.uid).saved
  }
}

extension CalendarItem {
  /// The UID of the series that continues this one after a split (RFC 9253 §4.3).
  fileprivate var continuation: UID? {
    main.flatMap { main in
      Event(main).relations.first { $0.type == .next }.map { UID($0.target) }
    }
  }
}
