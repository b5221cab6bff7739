// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

extension LibraryEditor {
  /// The maximum number of dates in a line about single occurrences.
  private static var dateLimit: Int { 4 }

  /// The effects of a change on single occurrences and on other people, and the start of a series
  /// whose rule does not contain the stated start.
  ///
  /// - Parameter change: The change.
  /// - Returns: The lines.
  package func partWords(for change: ItemRevision) -> [String] {
    words(for: change.effects)
      + [
        shiftWords(for: change), startWords(for: change), organizerWords(for: change),
        subtaskWords(for: change),
      ].compactMap(\.self)
  }

  /// The new values of an item that a message or a file updates, and what it no longer has.
  ///
  /// - Parameters:
  ///   - before: The item before the update.
  ///   - after: The item after the update.
  /// - Returns: The lines.
  package func updateWords(from before: CalendarItem, to after: CalendarItem) -> [String] {
    let excluded = after.main.map { Event($0).recurrence.excludedDates } ?? []
    let known = excluded + after.overrides.compactMap { Event($0).recurrenceID?.time }
    let overrides = before.overrides.compactMap { Event($0).recurrenceID?.time }
      .filter { !known.contains($0) }
    let exclusions = (before.main.map { Event($0).recurrence.excludedDates } ?? [])
      .filter { !known.contains($0) }
    let effects: [EditEffect] =
      overrides.map { .occurrence(.overrideRemoved, $0) }
      + exclusions.map { .occurrence(.exclusionRemoved, $0) }
    return changes(from: before, to: after).lines + occurrenceWords(from: before, to: after)
      + words(for: effects)
  }

  /// The new values of the occurrences that an update changes one by one.
  private func occurrenceWords(from before: CalendarItem, to after: CalendarItem) -> [String] {
    let known = Set(before.overrides)
    let times = after.overrides.filter { !known.contains($0) }
      .compactMap { Event($0).recurrenceID?.time }
    let lines = times.prefix(Self.dateLimit).compactMap { time -> String? in
      guard let date = dates(of: [time]) else { return nil }
      let values = changes(from: before, to: after, at: time).lines.joined(separator: ", ")
      return values.isEmpty ? nil : "the occurrence of \(date): \(values)"
    }
    let rest = times.count - Self.dateLimit
    return lines + (rest > 0 ? ["and \(Count(rest, "other changed occurrence"))"] : [])
  }

  /// The start of a series whose rule does not contain the stated start; nil for any other item.
  private func startWords(for change: ItemRevision) -> String? {
    guard let skipped = change.skippedStart, let main = change.item?.main,
      let start = Event(main).start
    else { return nil }
    let text = WhenText(viewer: viewer)
    return "starts on \(text.text(text.moment(start))): the repetition does not include "
      + text.text(text.moment(skipped))
  }

  /// The effects of an undo on other people.
  package func partWords(for item: UndoOutcome.Item) -> [String] {
    [organizerWords(from: item.before, to: item.after)].compactMap(\.self)
  }

  private func organizerWords(for change: ItemRevision) -> String? {
    guard [.changed, .deleted].contains(change.kind) else { return nil }
    return organizerWords(from: change.base?.item, to: change.item)
  }

  /// The parts of a reminder that leaves or ends, which stay where they are, or of one that is done,
  /// which stay open; nil for none.
  private func subtaskWords(for change: ItemRevision) -> String? {
    let isDone = [.completed, .cancelled].contains(change.kind)
    guard isDone || [.moved, .deleted].contains(change.kind), change.occurrence == nil,
      (change.item ?? change.base?.item)?.kind == .reminder
    else { return nil }
    let parts = remindersWithParents.filter { $0.parent == change.uid }.map(\.item)
      .filter { !isDone || !$0.isClosedReminder }
      .sorted { ($0.title, $0.uid.rawValue) < ($1.title, $1.uid.rawValue) }
    guard !parts.isEmpty else { return nil }
    let names = parts.prefix(Self.dateLimit).map { "\"\($0.title)\"" }
    let rest = parts.count - names.count
    let list = (names + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    let verb = parts.count == 1 ? "its part stays" : "its parts stay"
    return isDone ? "\(verb) open: \(list)" : "\(verb): \(list)"
  }

  /// The reminders of all readable calendars that are parts of other ones.
  var remindersWithParents: [(item: CalendarItem, parent: UID)] {
    ((try? library.calendars()) ?? []).flatMap { calendar in
      ((try? library.entries(of: calendar, kinds: [.reminder])) ?? []).compactMap { entry in
        guard let main = entry.item.main,
          let parent = Reminder(main).relations.first(where: { $0.type == .parent })
        else { return nil }
        return (entry.item, UID(parent.target))
      }
    }
  }

  /// The title of the item with a UID; nil if no readable calendar has one.
  func title(of uid: UID) -> String? {
    for calendar in (try? library.calendars()) ?? [] {
      if let entry = try? library.entry(uid, of: calendar) { return entry.item.title }
    }
    return nil
  }

  /// The organizer of a meeting of which only the user's copy changes; nil for any other change.
  private func organizerWords(
    from before: CalendarItem?, to after: CalendarItem?
  ) -> String? {
    let own = userAddresses
    guard let known = before ?? after, known.isMeeting, !known.isMeeting(organizedBy: own),
      let organizer = known.components.first.flatMap({ Event($0).organizer })
    else { return nil }
    let meeting = MeetingChange(from: before, to: after, zones: machine.zoneResolver)
    guard meeting.isVisible else { return nil }
    guard !own.isEmpty else {
      return "in your calendar only: nobody is informed; the organizer is "
        + "\(organizer.displayName), and no address of yours is known"
    }
    return "in your calendar only: the organizer, \(organizer.displayName), is not informed"
  }

  /// The deleted and the changed occurrences that are on other days, because their series moves by
  /// whole days; nil for none.
  private func shiftWords(for change: ItemRevision) -> String? {
    guard change.kind == .changed, change.occurrence == nil, let before = change.base?.item,
      let after = change.item, let first = before.main.flatMap({ Event($0).start }),
      let start = after.main.flatMap({ Event($0).start })
    else { return nil }
    let days = start.date.dayNumber - first.date.dayNumber
    guard days != 0 else { return nil }
    let parts = { (item: CalendarItem) in
      (item.main.map { Event($0).recurrence.excludedDates } ?? [])
        + item.overrides.compactMap { Event($0).recurrenceID?.time }
    }
    let shifted = Set(parts(after).map(\.date))
    let kept = Set(change.effects.starts(of: .kept, .shifted, .resized))
    let moved = parts(before).filter { time in
      !kept.contains(time) && time.date.adding(days: days).map(shifted.contains) == true
    }
    guard let dates = dates(of: moved.sorted { $0.wallTime < $1.wallTime }) else { return nil }
    let by = Count(abs(days), "day").description + (days > 0 ? " later" : " earlier")
    return moved.count == 1
      ? "the deleted or changed occurrence of \(dates) moves with the series: \(by)"
      : "\(moved.count) deleted or changed occurrences move with the series, \(by): \(dates)"
  }

  /// The effects of a change on parts of an item, a line for each kind.
  package func words(for effects: [EditEffect]) -> [String] {
    let snoozes = effects.compactMap { effect in
      if case .snoozeRemoved(let instant) = effect { words(forSnooze: instant) } else { nil }
    }
    return snoozes
      + OccurrenceEffect.allCases.compactMap { words(for: $0, on: effects.starts(of: $0)) }
  }

  private func words(forSnooze instant: Instant?) -> String {
    guard let instant else { return "without a snoozed alarm" }
    let wall = viewer.civil(at: instant)
    return "without the alarm that was snoozed until "
      + WhenText(viewer: viewer).text(wall.map { .local($0) } ?? .instant(instant))
  }

  /// The number and the dates of occurrences with the same effect; nil for none.
  private func words(for effect: OccurrenceEffect, on times: [EventTime]) -> String? {
    guard let dates = dates(of: times) else { return nil }
    let isOne = times.count == 1
    func without(_ one: String, _ several: String) -> String {
      isOne ? "without \(one) \(dates)" : "without \(times.count) \(several): \(dates)"
    }
    func changed(_ one: String, _ several: String) -> String {
      isOne
        ? "the changed occurrence of \(dates) \(one)"
        : "\(times.count) changed occurrences \(several): \(dates)"
    }
    return switch effect {
    case .overrideRemoved: without("the changed occurrence of", "changed occurrences")
    case .exclusionRemoved: without("the exclusion of", "exclusions")
    case .kept: changed("keeps its own values", "keep their own values")
    case .followed: changed("was moved, and changes, too", "were moved, and change, too")
    case .revised:
      changed(
        "changes, too, and keeps its other values", "change, too, and keep their other values")
    case .shifted:
      changed(
        "moves with the series, and keeps its own length",
        "move with the series, and keep their own lengths")
    case .resized:
      changed(
        "moves with the series, and loses its own length",
        "move with the series, and lose their own lengths")
    }
  }

  /// The first of several dates, with the number of the others; nil for none.
  func dates(of times: [EventTime]) -> String? {
    guard !times.isEmpty else { return nil }
    let texts = WhenText(viewer: viewer)
    var dates = times.prefix(Self.dateLimit).map { time in
      texts.text(texts.moment(time)) + texts.zone(of: time)
    }
    if times.count > dates.count { dates.append("and \(times.count - dates.count) more") }
    return dates.joined(separator: ", ")
  }
}
