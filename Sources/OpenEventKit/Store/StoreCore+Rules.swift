// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

extension StoreCore {
  /// The calendar in which an object is to be saved.
  ///
  /// - Throws: `EKError` if there is none, or if the item must not be there.
  func target(of object: EKCalendarItem, _ library: CalendarLibrary) throws -> StoreCalendar {
    let all = try savingCalendars(in: library)
    guard let id = object.fields.calendar, let target = all.first(where: { $0.id == id }) else {
      throw EKError(.noCalendar, "the item has no calendar of the store")
    }
    let place = SavingPlace(store: identifier, isReadOnly: target.isReadOnly, kinds: target.kinds)
    let origin = object.state.origin
    let kind = object.entity.kind
    // An item may stay in a calendar that takes no new items of its kind.
    let errors = SavingRules().errors(saving: kind, in: place).filter { error in
      origin?.calendar != id || error.code == .calendarReadOnly
    }
    if let error = errors.first { throw EKError(error) }
    guard let origin, origin.calendar != id,
      let old = all.first(where: { $0.id == origin.calendar })
    else { return target }
    guard !old.isReadOnly else {
      throw EKError(.calendarReadOnly, "the calendar \(old.title) is read-only")
    }
    // A server would tell the organizer that the user declined.
    if let main = origin.item.main, old.source.kind.isAccount, main[.organizer] != nil,
      main[.attendee] != nil
    {
      throw EKError(.invitesCannotBeMoved, "an invitation cannot move to another calendar")
    }
    return target
  }

  /// Checks the values of an object.
  ///
  /// - Throws: `EKError`.
  func check(_ object: EKCalendarItem) throws {
    let fields = object.fields
    switch object.entity {
    case .event: try check(fields.times)
    case .reminder: try check(fields, instead: object.state)
    }
    for alarm in object.parts.alarms {
      if let code = alarm.problem(in: object.entity) {
        throw EKError(code, "an alarm of the item cannot be saved")
      }
    }
  }

  private func check(_ times: EventTimes) throws {
    guard let start = times.start else { throw EKError(.noStartDate, "the event has no start") }
    guard let end = times.end else { throw EKError(.noEndDate, "the event has no end") }
    guard start <= end else {
      throw EKError(.datesInverted, "the end of the event is before its start")
    }
    guard zones.day(of: start) != nil, zones.day(of: end)?.adding(days: 1) != nil else {
      throw EKError(.startDateTooFarInFuture, "the event is not in the years 1 through 9999")
    }
  }

  private func check(_ fields: ItemFields, instead state: ItemState) throws {
    guard (0...9).contains(fields.priority) else {
      throw EKError(.priorityIsInvalid, "expected a priority from 0 through 9")
    }
    for components in [fields.dates.start, fields.dates.due] {
      guard let components, EventTime(components) == nil else { continue }
      throw EKError(.internalFailure, "the components of a reminder are no date that exists")
    }
    // Other programs write reminders that recur without a due date, which may stay.
    let before = state.origin == nil ? ItemFields() : state.saved.value.fields
    let isSame = fields.rules == before.rules && fields.dates.due == before.dates.due
    guard isSame || fields.rules.isEmpty || fields.dates.due != nil else {
      throw EKError(.recurringReminderRequiresDueDate, "a reminder that recurs needs a due date")
    }
  }

  /// Checks an item by the rules of EventKit; what was wrong before may stay.
  ///
  /// - Throws: `EKError`.
  func checkRules(_ item: CalendarItem, instead old: CalendarItem?) throws {
    var rules = SavingRules(zones: zones.resolver)
    rules.requiresEnd = false
    rules.recurrence = machine.recurrenceOptions
    let errors = rules.errors(in: item)
    guard !errors.isEmpty else { return }
    let known = old.map { rules.errors(in: $0) } ?? []
    let error = errors.first { error in
      switch error.code {
      // Other times must be right; the message names them.
      case .datesInverted: !known.contains(error)
      case .mixedTimes: !known.contains(error) || old?.times != item.times
      default: !known.contains { $0.code == error.code }
      }
    }
    if let error { throw EKError(error) }
  }

  /// Calls a function, and throws its errors as those of EventKit.
  func describing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw storeError(error) }
  }

  /// The error of EventKit for an error of the layers below.
  func storeError(_ error: any Error) -> EKError {
    switch error {
    case let error as SaveError: EKError(error)
    case let error as EditError:
      EKError(error.code == .noSeries ? .eventNotMutable : .internalFailure, error.message)
    case let error as LibraryError: EKError(Self.code(of: error), error.message)
    case let error as ItemError: EKError(.internalFailure, error.message)
    default: EKError(matching: error) ?? EKError(.internalFailure, "\(error)")
    }
  }

  private static func code(of error: LibraryError) -> EKError.Code {
    switch error.code {
    case .readOnly: .calendarReadOnly
    case .noCalendar: .noCalendar
    case .wrongKind: .calendarDoesNotAllowEvents
    case .unsupported: .sourceDoesNotAllowCalendarAddDelete
    default: .internalFailure
    }
  }
}

extension CalendarItem {
  /// The properties with the start and the end of each component.
  fileprivate var times: [[Property]] {
    let names: [PropertyName] = [.dtStart, .dtEnd, .due, .duration]
    return components.map { component in names.compactMap { component[$0] } }
  }
}
