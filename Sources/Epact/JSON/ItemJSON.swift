// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
package import CivilTime
import ICalSyntax

extension LibraryEditor {
  /// A change of an edit, with the UID and the place of the item, and its values in words.
  package func json(_ change: ItemRevision, of edit: PreparedEdit) -> JSONValue {
    let words = self.words(for: change, of: edit).values.map { value -> JSONValue in
      ["part": .string(value.part.rawValue), "text": .string(value.text)]
    }
    let (effects, time) = (change.effects, { JSONValue.string(WhenText.rfc3339($0)) })
    return [
      "change": .string(change.kind.rawValue), "uid": .string(change.uid.rawValue),
      "title": .string(change.title), "calendar": .string(change.calendar.name),
      "path": .string(change.calendar.location.path),
      "occurrence": JSONValue(change.occurrence.map { WhenText.rfc3339($0) }),
      "when": .string(when(change)), "words": .array(words),
      "removed": .array(effects.compactMap(\.removal)),
      "kept": .array(effects.starts(of: .kept).map(time)),
      "following": .array(
        effects.starts(of: .followed, .shifted, .resized, .revised).map(time)),
      "skippedStart": JSONValue(change.skippedStart.map { WhenText.rfc3339($0) }),
    ]
  }
}

extension LibraryEditor {
  /// An item that an undo changed, with its values in words.
  package func json(_ item: UndoOutcome.Item) -> JSONValue {
    let words = self.words(for: item).values.map { value -> JSONValue in
      ["part": .string(value.part.rawValue), "text": .string(value.text)]
    }
    return [
      "change": .string(item.kind.rawValue), "uid": .string(item.uid.rawValue),
      "title": .string(item.title), "calendar": JSONValue(item.calendar),
      "occurrence": JSONValue(item.occurrence.map { WhenText.rfc3339($0) }),
      "when": .string(when(item)), "words": .array(words),
    ]
  }
}

extension EditEffect {
  /// The kind of the removed part, with its time; nil for other effects.
  fileprivate var removal: JSONValue? {
    switch self {
    case .snoozeRemoved(let instant): ["part": "snooze", "time": JSONValue(instant?.timestamp)]
    case .occurrence(.exclusionRemoved, let time):
      ["part": "exclusion", "time": .string(WhenText.rfc3339(time))]
    case .occurrence(.overrideRemoved, let time):
      ["part": "override", "time": .string(WhenText.rfc3339(time))]
    case .occurrence: nil
    }
  }
}

extension LibraryEditor {
  /// The values of an item, with its place.
  package func json(of found: FoundItem) -> JSONValue {
    let item = found.item
    let component = component(of: item, at: nil)
    let reminder = item.kind == .reminder ? component.map { Reminder($0) } : nil
    let event = component.map { Event($0) }
    let end = reminder?.due ?? event?.end
    let place: [JSONValue.Member] = [
      .init("uid", .string(item.uid.rawValue)), .init("component", .string(item.kind.rawValue)),
      .init("calendar", .string(found.calendar.name)),
      .init("path", .string(found.calendar.location.path)),
      .init("name", .string(found.entry.name)),
      .init("title", .string(item.title)),
    ]
    let times: [JSONValue.Member] = [
      .init("start", JSONValue(rfc3339(event?.start, of: item))),
      .init(
        item.kind == .reminder ? "due" : "end", JSONValue(rfc3339(end, from: event?.start, item))),
      .init("zone", JSONValue((event?.start ?? end?.time)?.tzID)),
      .init("allDay", .bool((event?.start ?? end?.time)?.isAllDay ?? false)),
      .init("rules", JSONValue((event?.recurrence.rules ?? []).map { "\($0)" })),
    ]
    let values: [JSONValue.Member] = [
      .init("location", JSONValue(event?.location)), .init("url", JSONValue(event?.url)),
      .init("categories", JSONValue(Array(event?.categories ?? []))),
      .init("class", JSONValue(event?.classification.text)),
      .init("status", JSONValue(component?[.status]?.text)),
      .init("priority", JSONValue(event.flatMap { $0.priority == 0 ? nil : $0.priority })),
      .init("completed", JSONValue(reminder?.completed?.timestamp)),
      .init("parent", JSONValue(event?.relations.first { $0.type == .parent }?.target)),
      .init(
        "alarms",
        JSONValue((event?.alarms ?? []).compactMap { $0.trigger.map { AlarmTime($0).text() } })),
      .init("attendees", JSONValue((event?.attendees ?? []).map(\.address.rawValue))),
      .init("changedOccurrences", .integer(item.overrides.count)),
      .init("note", JSONValue(event?.descriptionText)),
    ]
    return .object(place + times + values)
  }

  private func rfc3339(_ end: EventEnd?, from start: EventTime?, _ item: CalendarItem) -> String? {
    switch end {
    case .time(let time): rfc3339(time, of: item)
    case .duration(let duration):
      rfc3339(
        start.flatMap { try? times(of: item, zone: nil).time($0, after: duration) }, of: item)
    case nil: nil
    }
  }

  private func rfc3339(_ time: EventTime?, of item: CalendarItem) -> String? {
    time.map { OccurrenceTime($0, times(of: item, zone: nil).instant(of: $0)).rfc3339 }
  }

  /// The start and the end of a changed item, or the occurrence that changed; empty without a time.
  package func when(_ change: ItemRevision) -> String {
    let texts = WhenText(viewer: viewer)
    if change.kind == .advanced, let item = change.item,
      let series = (try? OpenSeries(item, tasks)) ?? nil,
      Reminder(series.occurrence.component).due != nil
    {
      // The occurrence with which the series goes on may have been moved.
      let due = series.occurrence.end.time
      return "due " + texts.text(texts.moment(due)) + texts.zone(of: due)
    }
    guard let occurrence = change.occurrence else { return change.item.map { when($0) } ?? "" }
    return only(occurrence)
  }

  private func only(_ occurrence: EventTime) -> String {
    let texts = WhenText(viewer: viewer)
    return "only \(texts.text(texts.moment(occurrence)))" + texts.zone(of: occurrence)
  }

  /// The start and the end of an item that an undo changed or restored, or the only occurrence that
  /// it changed; empty without a time.
  package func when(_ item: UndoOutcome.Item) -> String {
    item.occurrence.map(only) ?? (item.after ?? item.before).map { when($0) } ?? ""
  }

  /// The start and the end of an item, or when a reminder is due; empty without a time.
  package func when(_ item: CalendarItem) -> String {
    item.representative.map { when($0, of: item) } ?? ""
  }

  /// The start and the end of a component of an item, or when a reminder is due.
  func when(_ component: Component, of item: CalendarItem) -> String {
    let (when, times) = (WhenText(viewer: viewer), times(of: item, zone: nil))
    if item.kind == .reminder {
      let due = times.dueTime(of: Reminder(component))
      return due.map { "due " + when.text(when.moment($0)) + when.zone(of: $0) } ?? ""
    }
    let event = Event(component)
    return event.start.map { when.sentence(from: $0, to: event.end, times) } ?? ""
  }

  /// The due time of a reminder in the viewer's zone; midnight of a day.
  package func viewed(_ due: EventTime, in found: FoundItem) -> CivilDateTime {
    guard !due.isAllDay,
      let wall = viewer.civil(at: times(of: found.item, zone: nil).instant(of: due))
    else { return due.wallTime }
    return wall
  }
}
