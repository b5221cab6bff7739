// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax
import Recurrence

/// The changes of an object, which are written to the content and the component of an item.
///
/// The rest of the file is preserved, including everything that the object does not show.
struct ItemChange: Sendable {
  /// The values that were read or written last.
  let before: ItemFields
  /// The values that are to be written.
  var after: ItemFields
  /// The objects of the alarms and the rules.
  let parts: ItemParts
  /// The definitions of the time zones in the file.
  let definitions: [Component]
  let zones: ItemZones

  /// Whether a new value of the rules is to be written.
  var changesRules: Bool { before.rules != after.rules }

  /// Whether an open reminder is completed.
  var completes: Bool { after.completion.isCompleted && !before.completion.isCompleted }

  /// The changes without the completion.
  var open: ItemChange {
    var open = self
    open.after.completion = before.completion
    return open
  }

  // MARK: Contents

  /// Writes the changes that a content has fields for.
  func write(to event: inout Event) {
    writeCommon(to: &event)
    if before.notes != after.notes { event.descriptionText = after.notes }
    if before.availability != after.availability {
      event.transparency = after.availability == .free ? .transparent : .opaque
    }
    if before.times != after.times { writeTimes(to: &event) }
    writeRules(to: &event)
  }

  /// Writes the changes that a content has fields for.
  func write(to reminder: inout Reminder) {
    writeCommon(to: &reminder)
    if before.notes != after.notes { reminder.descriptionText = after.notes }
    if before.priority != after.priority { reminder.priority = after.priority }
    if before.completion != after.completion { writeCompletion(to: &reminder) }
    writeDates(to: &reminder)
    let recurs = changesRules ? !parts.rules.isEmpty : reminder.recurrence.isRecurring
    // The start comes first, because the end of a rule has its form.
    if recurs, reminder.start == nil { reminder.beginWhenDue() }
    writeRules(to: &reminder)
  }

  private func writeCommon<Content: ItemContent>(to content: inout Content) {
    if before.title != after.title {
      content.summary = after.title.flatMap { $0.isEmpty ? nil : $0 }
    }
    if before.url != after.url { content.webURL = after.url }
  }

  private func writeRules<Content: ItemContent>(to content: inout Content) {
    guard changesRules else { return }
    let zone = zones.timeZone(of: content.start, definitions) ?? zones.viewer
    let start = RuleStart(content.start, in: zone)
    content.recurrence.rules = parts.rules.map { $0.model(start: start) }
    if parts.rules.isEmpty { content.recurrence = RecurrenceProperties() }
  }

  private func writeCompletion(to reminder: inout Reminder) {
    let completion = after.completion
    reminder.completed = completion.isCompleted ? completion.date.flatMap { Instant($0) } : nil
    guard before.completion.isCompleted != completion.isCompleted else { return }
    reminder.status = completion.isCompleted ? .completed : .needsAction
    reminder.percentComplete = completion.isCompleted ? 100 : nil
  }

  /// The time of components; the names of zones that files cannot define become UTC.
  func eventTime(_ components: DateComponents) -> EventTime? {
    guard let time = EventTime(components) else { return nil }
    guard case .zoned = time, let zone = components.timeZone, let date = components.date else {
      return time
    }
    return zones.time(of: date, in: zone)
  }

  // MARK: Components

  /// Writes the changes that only a component has properties for.
  func write(to component: inout Component) {
    if before.location != after.location {
      EKStructuredLocation.Value.write(after.location, to: &component)
    }
    if before.alarms != after.alarms { writeAlarms(to: &component) }
  }

  /// Replaces the alarms that objects show; each keeps its place.
  private func writeAlarms(to component: inout Component) {
    var rest = parts.alarms
    var nested: [Component] = []
    for old in component.components {
      guard old.name == .alarm, EKAlarm(old, length: 0) != nil else {
        nested.append(old)
        continue
      }
      guard let place = rest.firstIndex(where: { $0.source?.component == old }) else { continue }
      nested.append(rest.remove(at: place).component)
    }
    component.components = ComponentList(nested + rest.map(\.component))
  }
}

// MARK: - Times of events

extension ItemChange {
  private func writeTimes(to event: inout Event) {
    guard let start = after.times.start else {
      event.start = nil
      event.end = nil
      return
    }
    let old = event.start
    if let old, let first = before.times.start, old.isAllDay != before.times.isAllDay,
      before.times.isAllDay == after.times.isAllDay
    {
      return move(&event, from: first, to: start)
    }
    let recurs = changesRules ? !parts.rules.isEmpty : event.recurrence.isRecurring
    let new = newStart(start, instead: old, recurs: recurs) ?? old
    guard let new else { return }
    let isMoved =
      before.times.start != start || before.times.isAllDay != after.times.isAllDay
      || before.times.timeZone != after.times.timeZone
    let own = ownTimes(of: event)
    if isMoved { event.start = new }
    event.end = newEnd(
      from: event.start ?? new, instead: event.end, like: own, recurs: recurs)
  }

  /// The times of the content, if the object keeps its length: a series may have another length
  /// than its modified occurrence that the object shows.
  private func ownTimes(of event: Event) -> EventTimes? {
    let (before, after) = (before.times, after.times)
    guard before.start != nil, before.isAllDay == after.isAllDay else { return nil }
    let isSame =
      after.isAllDay ? days(of: before) == days(of: after) : before.length == after.length
    return isSame ? EventTimes(event, zones, definitions) : nil
  }

  /// The number of days from the first through the last one.
  private func days(of times: EventTimes) -> Int? {
    guard let first = times.start.flatMap({ zones.day(of: $0) }),
      let last = times.end.flatMap({ zones.day(of: $0) })
    else { return nil }
    return last.dayNumber - first.dayNumber + 1
  }

  /// Moves a content of times by the days by which an occurrence of whole days moved, or the other
  /// way round; the lengths of both have nothing in common.
  private func move(_ event: inout Event, from first: Date, to start: Date) {
    guard let from = zones.day(of: first), let to = zones.day(of: start), from != to else { return }
    let seconds = Int64(to.dayNumber - from.dayNumber) * 86_400
    func moved(_ time: EventTime) -> EventTime {
      time.wallTime.adding(seconds: seconds).map { time.at($0) } ?? time
    }
    event.start = event.start.map(moved)
    if case .time(let end)? = event.end { event.end = .time(moved(end)) }
  }

  /// The start of the content, which may be another occurrence of the series than the object.
  private func newStart(_ start: Date, instead old: EventTime?, recurs: Bool) -> EventTime? {
    let form = time(of: start, instead: old, recurs: recurs)
    guard let form, let old, let first = before.times.start,
      Date(zones.instant(of: old, definitions)) != first
    else { return form }
    // The series starts at another time than the occurrence, and moves by the same distance, also
    // to the clock of another zone.
    let isSameForm = old.isAllDay == form.isAllDay
    guard let from = zones.time(of: first, like: isSameForm ? old : form, definitions),
      let own = isSameForm
        ? old
        : zones.time(of: Date(zones.instant(of: old, definitions)), like: form, definitions)
    else { return form }
    return StartMove(from: from, to: form).moved(own.wallTime) ?? form
  }

  /// The time of a date in the form that the object states.
  ///
  /// A local time in an hour that the clock repeats is the first of two (RFC 5545 §3.3.5). The
  /// second one is written in UTC, except in a series, whose occurrences follow the clock.
  private func time(of date: Date, instead old: EventTime?, recurs: Bool) -> EventTime? {
    let time = local(date, instead: old)
    guard !recurs, let time, case .zoned = time else { return time }
    let isFirst = zones.instant(of: time, definitions) == Instant(date)
    return isFirst ? time : zones.time(of: date, in: .gmt)
  }

  /// The time of a date in the form that the object states, which may be the first of two hours.
  private func local(_ date: Date, instead old: EventTime?) -> EventTime? {
    if after.times.isAllDay { return zones.day(of: date).map { .date($0) } }
    // The name of the zone in the file stays, unless the program chose another zone.
    if let old, !old.isAllDay, before.times.timeZone == after.times.timeZone {
      return zones.time(of: date, like: old, definitions)
    }
    return zones.time(of: date, in: after.times.timeZone)
  }

  private func newEnd(
    from start: EventTime, instead old: EventEnd?, like own: EventTimes?, recurs: Bool
  ) -> EventEnd? {
    if after.times.isAllDay {
      guard let days = days(of: own ?? after.times) else { return nil }
      let wasSame = before.times.isAllDay
      if wasSame, old == nil, days == 1 { return nil }
      if wasSame, let duration = old?.duration, duration.nominalDays == days { return old }
      return start.date.adding(days: days).map { .time(.date($0)) }
    }
    guard let length = (own ?? after.times).length else { return nil }
    if own != nil {
      if old == nil, length == 0 { return nil }
      if old?.duration != nil { return old }
    }
    let ending = Date(zones.instant(of: start, definitions)).addingTimeInterval(length)
    let time = self.time(of: ending, instead: old?.time ?? start, recurs: recurs)
    if recurs, let time, zones.instant(of: time, definitions) != Instant(ending) {
      // The end is in the second of two hours, which no local time of a series states.
      return CivilDuration(exactSeconds: Int64(length)).map { .duration($0) }
    }
    return time.map { .time($0) }
  }
}

extension EventTimes {
  /// The seconds from the start to the end.
  var length: TimeInterval? {
    start.flatMap { start in end?.timeIntervalSince(start) }
  }
}
