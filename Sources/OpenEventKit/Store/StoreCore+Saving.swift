// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

extension StoreCore {
  // MARK: Entry points

  /// Saves an event or a reminder.
  ///
  /// - Throws: `EKError`.
  func save(_ object: EKCalendarItem, _ span: EKSpan, commit: Bool) throws {
    try change(object, commit: commit) { attempt in
      try stageSave(of: object, span, attempt)
    } append: { appender in
      try append(object, appender, commit: commit)
    }
  }

  /// Removes an event or a reminder.
  ///
  /// - Throws: `EKError`.
  func remove(_ object: EKCalendarItem, _ span: EKSpan, commit: Bool) throws {
    try change(object, commit: commit) { attempt in
      try stageItemRemoval(of: object, span, attempt)
    } append: { _ in
      throw gate.notAuthorized
    }
  }

  /// Makes one change, to the extent of the access, and commits it if wanted.
  private func change(
    _ object: EKCalendarItem, commit: Bool,
    _ stage: (Attempt) throws -> ProgramUse?,
    append: (EventAppender) throws -> Void
  ) throws {
    try lock.withLock {
      guard object.core === self, object.calendar.map({ $0.core === self }) ?? true else {
        throw EKError(
          .objectBelongsToDifferentStore, "the object or its calendar belongs to another store")
      }
      switch try describing({ try gate.currentSession(for: object.entity) }) {
      case .none: throw gate.notAuthorized
      case .writeOnly(let appender):
        try append(appender)
        gate.note(.addItem, for: object.entity)
      case .full(let library):
        try perform(commit: commit, library) { attempt in
          guard let use = try stage(attempt) else { return }
          batch.count(.init(use, of: object.entity))
        }
      }
    }
  }

  /// One attempt to make a change.
  struct Attempt {
    let library: CalendarLibrary
    /// Whether the item that an object was read from passes for the current one, because the commit
    /// of this attempt checks it.
    let isReadEnough: Bool
  }

  /// Stages a change, and commits it if wanted; a failing commit rolls everything back.
  func perform<Result>(
    commit: Bool, _ library: CalendarLibrary, _ stage: (Attempt) throws -> Result
  ) throws -> Result {
    let plain = Attempt(library: library, isReadEnough: false)
    guard commit else {
      do { return try stage(plain) } catch { throw storeError(error) }
    }
    var attempt = Attempt(library: library, isReadEnough: !batch.hasEffect)
    // A new attempt begins with an empty batch, so that nothing may wait in it.
    var attempts = batch.hasEffect ? 1 : 3
    while true {
      attempts -= 1
      do {
        let result = try stage(attempt)
        try write(library)
        return result
      } catch let error as LibraryError where error.code == .changedMeanwhile && attempts > 0 {
        // Another process was faster. The change is made again, of what is there now.
        rollBack()
        attempt = plain
      } catch {
        rollBack()
        throw storeError(error)
      }
    }
  }

  // MARK: Staging

  /// Stages the changes of an object, in the current form of its item.
  private func stageSave(
    of object: EKCalendarItem, _ span: EKSpan, _ attempt: Attempt
  ) throws -> ProgramUse? {
    let library = attempt.library
    let origin = object.state.origin
    guard origin == nil || object.state.isRemoved || object.hasUnsavedChanges else {
      // The item may have been deleted meanwhile, and is saved again then.
      guard let origin, try found(origin, library, isRead: false) == nil else { return nil }
      return try stageItem(of: object, span, library, instead: nil)
    }
    guard let origin else { return try stageItem(of: object, span, library, instead: nil) }
    let isRead = attempt.isReadEnough && !object.state.isRemoved
    let current = try found(origin, library, isRead: isRead)
    if let current, let next = try continuation(of: origin, after: current, library) {
      try checkConflicts(of: object, with: next.snapshot.fields)
      object.take(next)
      return try stageSave(of: object, span, attempt)
    }
    if let current { try checkConflicts(of: object, origin, with: current) }
    return try stageItem(of: object, span, library, instead: current)
  }

  /// The occurrence of an object in the series to which another program moved it; nil if its own
  /// series may still have it.
  private func continuation(
    of origin: ItemOrigin, after current: Found, _ library: CalendarLibrary
  ) throws -> Latest? {
    guard origin.occurrence != nil, !current.item.hasSameContents(as: origin.item) else {
      return nil
    }
    let here = ItemOrigin(
      calendar: origin.calendar, item: current.item, base: current.base,
      occurrence: origin.occurrence)
    guard snapshot(of: here, .event) == nil,
      let calendar = try savingCalendar(of: origin, library)
    else { return nil }
    return try continuation(of: origin, after: current.item, in: calendar, library)
  }

  /// Expects that no other program changed a field that the object changes, too.
  ///
  /// Saving would overwrite the other change. The program refreshes the object and decides.
  private func checkConflicts(
    of object: EKCalendarItem, _ origin: ItemOrigin, with current: Found
  ) throws {
    // Usually the item is the one that was read.
    guard !current.item.hasSameContents(as: origin.item) else { return }
    let there = ItemOrigin(
      calendar: origin.calendar, item: current.item, base: current.base,
      occurrence: origin.occurrence)
    guard let latest = snapshot(of: there, object.entity)?.fields else { return }
    let (fields, base) = (object.fields, object.state.saved.value.fields)
    // Otherwise two programs that complete an occurrence would complete the next one, too.
    let isOther =
      origin.item.kind == .reminder && origin.item.isSeries(of: Reminder.self)
      && fields.completion != base.completion && latest.dates != base.dates
    guard !isOther else { throw Self.conflict }
    try checkConflicts(of: object, with: latest)
  }

  /// Expects that the latest values of an object have no changes of its changed fields.
  private func checkConflicts(of object: EKCalendarItem, with latest: ItemFields) throws {
    guard !object.fields.conflicts(with: latest, changedSince: object.state.saved.value.fields)
    else { throw Self.conflict }
  }

  private static var conflict: EKError {
    EKError(
      .internalFailure,
      "another program changed the same field meanwhile; refresh the object, and save it again")
  }

  /// Stages the item of an object instead of its current form, by the kind of the object.
  private func stageItem(
    of object: EKCalendarItem, _ span: EKSpan, _ library: CalendarLibrary, instead current: Found?
  ) throws -> ProgramUse {
    switch object.entity {
    case .event:
      try stageForms(of: object, span, library, instead: current) { change in
        { (event: inout Event) in change.write(to: &event) }
      }
    case .reminder:
      try stageForms(of: object, .futureEvents, library, instead: current) { change in
        { (reminder: inout Reminder) in change.write(to: &reminder) }
      }
    }
    return current == nil ? .addItem : .changeItem
  }

  /// An object to save, with where and how far its changes apply.
  private struct Staging {
    let object: EKCalendarItem
    /// The stored item; nil if there is none.
    let current: Found?
    let span: EKSpan
    /// The calendar for the item.
    let target: StoreCalendar
  }

  /// The forms of the items that a save writes.
  private func forms<Content: ItemContent>(
    _ change: ItemChange, of staging: Staging,
    _ writing: (ItemChange) -> (inout Content) -> Void
  ) throws -> ItemSaving<Content>.Result {
    let saving = ItemSaving<Content>(
      editor: editor, change: change, write: writing(change), makeUID: makeUID, now: now)
    guard let origin = staging.object.state.origin else {
      return try saving.created(staging.object.uid)
    }
    return try saved(saving, staging, origin)
  }

  /// Stages all items that a save writes: the object's own, the rest of its series, and a completed
  /// occurrence.
  private func stageForms<Content: ItemContent>(
    of object: EKCalendarItem, _ span: EKSpan, _ library: CalendarLibrary, instead current: Found?,
    _ writing: (ItemChange) -> (inout Content) -> Void
  ) throws {
    let target = try target(of: object, library)
    try check(object)
    let state = object.state
    // An event that was added under write-only access is new here as a whole.
    let isAdded = state.origin == nil && state.isAppended
    let change = ItemChange(
      before: isAdded ? ItemFields() : state.saved.value.fields, after: object.fields,
      parts: object.parts,
      definitions: state.origin?.item.timeZones ?? [], zones: zones)
    let staging = Staging(object: object, current: current, span: span, target: target)
    let completion = try completion(of: change) { try forms($0, of: staging, writing) }
    let result = try completion?.result ?? forms(change, of: staging, writing)
    try checkRules(result.saved, instead: current?.item ?? state.origin?.item)
    begin(object)
    if var detached = completion?.detached {
      // The occurrence was completed before, and the series was moved back to it.
      if try item(detached.uid, in: target, library) != nil {
        detached = try detached.renamed(makeUID(), stamped: nil)
      }
      batch.setItem(detached, for: detached.uid, in: target.id, base: nil)
    }
    if let origin = state.origin, let current {
      let isSame = origin.calendar == target.id && result.saved.uid == origin.uid
      if !isSame {
        let rest = result.saved.uid == origin.uid ? nil : result.rest
        batch.setItem(rest, for: origin.uid, in: origin.calendar, base: current.base)
      }
      batch.setItem(
        result.saved, for: result.saved.uid, in: target.id, base: isSame ? current.base : nil)
    } else {
      batch.setItem(result.saved, for: result.saved.uid, in: target.id, base: nil)
    }
    let occurrence = object.entity == .event ? result.occurrence : nil
    adopt(object, result.saved, at: occurrence, in: target)
  }

  /// The new forms of an item that was saved before.
  private func saved<Content>(
    _ saving: ItemSaving<Content>, _ staging: Staging, _ origin: ItemOrigin
  ) throws -> ItemSaving<Content>.Result {
    let span = staging.span
    let isOne = origin.occurrence != nil && span == .thisEvent
    guard let current = staging.current else {
      // A deleted item is saved as a new one.
      guard isOne else {
        let result = try saving.edited(origin.item, at: origin.occurrence, span)
        return .init(rest: nil, saved: result.saved, occurrence: result.occurrence)
      }
      return try saving.created(makeUID(), from: try saving.component(of: origin))
    }
    if isOne, origin.calendar != staging.target.id, let occurrence = origin.occurrence {
      // One occurrence leaves its series for another calendar.
      let new = try saving.created(makeUID(), from: try saving.component(of: origin))
      let rest = try editor.delete(current.item, .occurrence(occurrence)).item
      return .init(rest: rest, saved: new.saved, occurrence: nil)
    }
    if staging.object.entity == .reminder,
      let own = ownOccurrence(of: current.item, saving.change)
    {
      return try saving.edited(current.item, at: own, .thisEvent)
    }
    do {
      return try saving.edited(current.item, at: origin.occurrence, span)
    } catch let error as EditError where error.code == .noOccurrence {
      let new = try saving.created(makeUID(), from: try saving.component(of: origin))
      return .init(rest: current.item, saved: new.saved, occurrence: nil)
    }
  }

  /// Stages the removal of an object's item, or of a part of its series.
  private func stageItemRemoval(
    of object: EKCalendarItem, _ span: EKSpan, _ attempt: Attempt
  ) throws -> ProgramUse? {
    let library = attempt.library
    guard let origin = object.state.origin else { return nil }
    guard let calendar = try savingCalendar(of: origin, library) else { return nil }
    guard !calendar.isReadOnly else {
      throw EKError(.calendarReadOnly, "the calendar \(calendar.title) is read-only")
    }
    guard let current = try found(origin, library, isRead: attempt.isReadEnough) else {
      object.state.isRemoved = true
      return nil
    }
    if let next = try continuation(of: origin, after: current, library) {
      object.take(next)
      return try stageItemRemoval(of: object, span, attempt)
    }
    var part = EditSpan.all
    if let occurrence = origin.occurrence, object.entity == .event {
      part = span == .thisEvent ? .occurrence(occurrence) : .future(from: occurrence)
    }
    let rest: CalendarItem?
    do {
      rest = try editor.delete(current.item, part).item
    } catch {
      guard error.code == .noOccurrence else { throw error }
      rest = current.item
    }
    begin(object)
    batch.setItem(rest, for: origin.uid, in: origin.calendar, base: current.base)
    object.state.isRemoved = true
    return .deleteItem
  }

  /// The current form of an object's item; nil if it was deleted.
  ///
  /// - Parameters:
  ///   - origin: The place of the item.
  ///   - library: The calendars.
  ///   - isRead: Whether the entry that was read last is good enough: the commit checks it, if the
  ///     item changes.
  /// - Returns: The item.
  /// - Throws: `LibraryError`.
  private func found(
    _ origin: ItemOrigin, _ library: CalendarLibrary, isRead: Bool
  ) throws -> Found? {
    if isRead, let base = origin.base { return Found(item: base.item, base: base) }
    guard let calendar = try savingCalendar(of: origin, library) else { return nil }
    // A folder whose changes the system does not report would be listed for each save of a batch.
    if batch.overlay.change(of: origin.uid, in: calendar.id) == nil, let base = origin.base,
      let info = calendar.info, library.isCurrent(base, of: info)
    {
      return Found(item: base.item, base: base)
    }
    return try item(origin.uid, in: calendar, library)
  }

  /// The calendar of an object's item; nil if it was removed.
  private func savingCalendar(
    of origin: ItemOrigin, _ library: CalendarLibrary
  ) throws -> StoreCalendar? {
    try savingCalendars(in: library).first { $0.id == origin.calendar }
  }
}
