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
  /// The occurrences are those that lose something, those that keep values of their own, and those
  /// with a start of their own that get the new length, time zone or alarms.
  package func partWords(for change: ItemRevision) -> [String] {
    words(for: change.removals)
      + [
        keptWords(for: change.keptOccurrences), followingWords(for: change.followingOccurrences),
        startWords(for: change), organizerWords(for: change),
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
    let removals =
      overrides.map { ItemRemoval.override($0) }
      + exclusions.map { ItemRemoval.exclusion($0) }
    return changes(from: before, to: after).lines + words(for: removals)
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

  /// The organizer of a meeting of which only the user's copy changes; nil for any other change.
  private func organizerWords(for change: ItemRevision) -> String? {
    guard [.changed, .deleted].contains(change.kind), let before = change.base?.item,
      before.isMeeting, let user = try? library.userAddresses(),
      !before.isMeeting(organizedBy: user),
      let organizer = before.components.first.flatMap({ Event($0).organizer })
    else { return nil }
    let meeting = MeetingChange(from: before, to: change.item, zones: machine.zoneResolver)
    guard meeting.isVisible else { return nil }
    return "in your calendar only: the organizer, \(organizer.displayName), is not informed"
  }

  /// The number and the dates of occurrences that keep values of their own; nil for none.
  private func keptWords(for times: [EventTime]) -> String? {
    guard let dates = dates(of: times) else { return nil }
    return times.count == 1
      ? "the changed occurrence of \(dates) keeps its own values"
      : "\(times.count) changed occurrences keep their own values: \(dates)"
  }

  /// The number and the dates of moved occurrences that change, too; nil for none.
  private func followingWords(for times: [EventTime]) -> String? {
    guard let dates = dates(of: times) else { return nil }
    return times.count == 1
      ? "the changed occurrence of \(dates) was moved, and changes, too"
      : "\(times.count) changed occurrences were moved, and change, too: \(dates)"
  }

  /// The removal of parts of an item, each kind as the end of a sentence about a change.
  package func words(for removals: [ItemRemoval]) -> [String] {
    var (snoozes, exclusions, overrides): ([String], [EventTime], [EventTime]) = ([], [], [])
    for removal in removals {
      switch removal {
      case .snooze(let instant): snoozes.append(words(forSnooze: instant))
      case .exclusion(let time): exclusions.append(time)
      case .override(let time): overrides.append(time)
      }
    }
    return snoozes
      + [
        words(for: overrides, "the changed occurrence of", "changed occurrences"),
        words(for: exclusions, "the exclusion of", "exclusions"),
      ].compactMap(\.self)
  }

  private func words(forSnooze instant: Instant?) -> String {
    guard let instant else { return "without a snoozed alarm" }
    let wall = viewer.civil(at: instant)
    return "without the alarm that was snoozed until "
      + WhenText(viewer: viewer).text(wall.map { .local($0) } ?? .instant(instant))
  }

  /// The number and the dates of removed parts of a kind; nil for none.
  private func words(for times: [EventTime], _ one: String, _ several: String) -> String? {
    guard let dates = dates(of: times) else { return nil }
    return times.count == 1
      ? "without \(one) \(dates)" : "without \(times.count) \(several): \(dates)"
  }

  /// The first of several dates, with the number of the others; nil for none.
  private func dates(of times: [EventTime]) -> String? {
    guard !times.isEmpty else { return nil }
    let texts = WhenText(viewer: viewer)
    var dates = times.prefix(Self.dateLimit).map { time in
      texts.text(texts.moment(time)) + texts.zone(of: time)
    }
    if times.count > dates.count { dates.append("and \(times.count - dates.count) more") }
    return dates.joined(separator: ", ")
  }
}
