// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation

extension StoreCore {
  // MARK: Reading

  /// The visible calendars; an error is reported, and there are none then.
  func knownCalendars(in library: CalendarLibrary) -> [StoreCalendar] {
    gate.failures.catching(Self.listing) { try calendars(in: library) } ?? []
  }

  /// The calendars of a kind.
  func calendars(for entity: EKEntityType) -> [EKCalendar] {
    lock.withLock {
      switch gate.session(for: entity) {
      case .none: return []
      case .writeOnly: return [object(for: .virtual)]
      case .full(let library):
        gate.note(.listCalendars, for: entity)
        return knownCalendars(in: library).filter { $0.kinds.contains(entity.kind) }.map {
          object(for: $0)
        }
      }
    }
  }

  /// The calendar for new items of a kind.
  func defaultCalendar(for entity: EKEntityType) -> EKCalendar? {
    lock.withLock {
      switch gate.session(for: entity) {
      case .none: return nil
      case .writeOnly: return object(for: .virtual)
      case .full(let library):
        let found = gate.failures.catching(Self.listing) {
          try defaultCalendar(for: entity, in: library)
        }
        return (found ?? nil).map { object(for: $0) }
      }
    }
  }

  /// The object of a calendar that the program may see; nil if there is none.
  func knownCalendar(_ id: String?) -> EKCalendar? {
    lock.withLock {
      guard let id else { return nil }
      if let access = gate.fullAccess {
        let kinds = Set(access.entities.map(\.kind))
        let found = knownCalendars(in: access.library).first {
          $0.id == id && !$0.kinds.isDisjoint(with: kinds)
        }
        if let found { return object(for: found) }
      }
      guard case .writeOnly = gate.session(for: .event) else { return nil }
      return writableToken(id).map { object(for: $0) }
    }
  }

  /// The calendar that stands for a real one under write-only access: the usual or a chosen one.
  func writableToken(_ id: String?) -> StoreCalendar? {
    guard let id else { return nil }
    if id == StoreCalendar.virtual.id { return .virtual }
    return chosenCalendars.contains(id) ? StoreCalendar(token: id) : nil
  }

  /// The objects of calendars that the user chose, to the extent of the access.
  func choose(_ ids: [String], for entity: EKEntityType) -> [EKCalendar] {
    lock.withLock {
      if case .writeOnly = gate.session(for: entity) { chosenCalendars.formUnion(ids) }
      return ids.compactMap { knownCalendar($0) }
        .filter { $0.allowedEntityTypes.contains(EKEntityMask(entity)) }
    }
  }

  /// The current properties of a calendar; nil if it was deleted.
  func latest(_ id: String) -> StoreCalendar? {
    let found = gate.fullAccess.flatMap { access in
      knownCalendars(in: access.library).first { $0.id == id }
    }
    return found ?? writableToken(id)
  }

  /// The sources; one virtual source with write-only access.
  var sources: [CalendarSource] {
    lock.withLock {
      guard let library = gate.fullAccess?.library else {
        if case .writeOnly = gate.session(for: .event) { return [StoreCalendar.virtual.source] }
        return []
      }
      let all = gate.failures.catching(Self.listing) { try library.sources() } ?? []
      guard let visibleSources else { return all }
      return all.filter { visibleSources.contains($0.id) }
    }
  }

  // MARK: Saving

  /// Saves a calendar.
  ///
  /// - Throws: `EKError`.
  func save(_ object: EKCalendar, commit: Bool) throws {
    try lock.withLock {
      let library = try describing { try self.library(for: object) }
      guard object.isNew || object.hasUnsavedChanges else {
        if commit { try perform(commit: true, library) { _ in } }
        return
      }
      try perform(commit: commit, library) { _ in
        if let current = object.state.saved {
          try stageCalendarUpdate(object, of: current, library)
        } else {
          try stageCalendarCreation(object, library)
        }
      }
      note(object)
    }
  }

  /// Removes a calendar with its items.
  ///
  /// - Throws: `EKError`.
  func remove(_ object: EKCalendar, commit: Bool) throws {
    try lock.withLock {
      let library = try describing { try self.library(for: object) }
      guard let calendar = object.state.saved, !object.state.isRemoved else { return }
      try perform(commit: commit, library) { _ in
        try stageCalendarRemoval(object, of: calendar, library)
      }
      note(object)
    }
  }

  /// The calendars, if the program may change one.
  private func library(for object: EKCalendar) throws -> CalendarLibrary {
    guard object.core === self, object.source.map({ $0.core === self }) ?? true else {
      throw EKError(
        .objectBelongsToDifferentStore, "the calendar or its source belongs to another store")
    }
    guard let access = try gate.currentFullAccess(),
      access.entities.contains(where: { object.allowedEntityTypes.contains(EKEntityMask($0)) })
    else { throw gate.notAuthorized }
    return access.library
  }

  private func note(_ object: EKCalendar) {
    let entity: EKEntityType = object.allowedEntityTypes.contains(.event) ? .event : .reminder
    gate.note(.changeCalendar, for: entity)
  }

  private func stageCalendarCreation(
    _ object: EKCalendar, _ library: CalendarLibrary
  ) throws {
    guard let source = object.source else {
      throw EKError(.calendarHasNoSource, "the calendar has no source")
    }
    guard source.value.kind == .local else {
      throw EKError(
        .sourceDoesNotAllowCalendarAddDelete,
        "a calendar of \(source.title) is created there, and then added to the configuration")
    }
    let title = object.title.isEmpty ? "Untitled" : object.title
    var edit = LibraryEdit()
    edit.calendars = batch.overlay.created.map { .create($0) }
    var new = try library.newCalendar(titled: title, in: source.value, beside: edit)
    new.color = object.ownColor?.text
    new.kinds = object.kinds
    batch.begin(object)
    batch.createCalendar(new)
    object.take(StoreCalendar(new))
    adopt(object)
  }

  /// Changes the properties that the object changes, in the latest ones of the calendar.
  private func stageCalendarUpdate(
    _ object: EKCalendar, of saved: StoreCalendar, _ library: CalendarLibrary
  ) throws {
    guard let current = try calendars(in: library).first(where: { $0.id == saved.id }) else {
      throw EKError(.noCalendar, "the calendar \(saved.title) was removed")
    }
    guard object.source?.sourceIdentifier == current.source.id else {
      throw EKError(.calendarSourceCannotBeModified, "the source of a calendar cannot change")
    }
    guard !current.isImmutable, !current.isSubscribed else {
      throw EKError(.calendarIsImmutable, "the properties of \(current.title) cannot change")
    }
    var new = current
    if object.title != saved.title { new.title = object.title }
    let isSameColor = object.ownColor == saved.color.flatMap { CGColor(text: $0) }
    if !isSameColor { new.color = object.ownColor?.text }
    batch.begin(object)
    if var created = batch.overlay.created.first(where: { $0.id == current.id }) {
      created.title = new.title
      created.color = new.color
      batch.createCalendar(created)
    } else {
      batch.updateCalendar(current, to: new)
    }
    object.take(new)
  }

  private func stageCalendarRemoval(
    _ object: EKCalendar, of calendar: StoreCalendar, _ library: CalendarLibrary
  ) throws {
    guard !calendar.isImmutable, !calendar.isSubscribed else {
      throw EKError(.calendarIsImmutable, "the calendar \(calendar.title) cannot be removed")
    }
    guard try calendars(in: library).contains(where: { $0.id == calendar.id }) else {
      // Another program was faster.
      object.state.isRemoved = true
      return
    }
    let kinds = Set((try gate.currentFullAccess()?.entities ?? []).map(\.kind))
    let rest = calendar.kinds.subtracting(kinds)
    if rest.isEmpty || calendar.info == nil {
      guard calendar.source.kind == .local else {
        throw EKError(
          .sourceDoesNotAllowCalendarAddDelete,
          "a calendar of \(calendar.source.title) is removed there")
      }
      batch.begin(object)
      batch.removeCalendar(calendar.id)
      object.state.isRemoved = true
      return
    }
    // The items of the other kind are not the program's to remove.
    batch.begin(object)
    for found in try items(of: calendar, kinds: kinds, library) {
      batch.setItem(nil, for: found.item.uid, in: calendar.id, base: found.base)
    }
    var narrowed = calendar
    narrowed.kinds = rest
    batch.updateCalendar(calendar, to: narrowed)
    object.take(narrowed)
  }
}

extension EKEntityMask {
  /// The mask of one kind.
  init(_ entity: EKEntityType) {
    switch entity {
    case .event: self = .event
    case .reminder: self = .reminder
    }
  }
}
