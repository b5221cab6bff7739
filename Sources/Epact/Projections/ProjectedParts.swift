// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// Makes the components of a projection that hide something: each is written anew from values that
/// were read, so that no text of the author can be in it.
struct ProjectedParts {
  /// The time of creation of all components (DTSTAMP), because the time of an edit is hidden.
  static let stamp = Instant(secondsSinceEpoch: 0)

  let uid: UID
  /// The names of calendars of other systems that rules may be written in (RSCALE, RFC 7529 §4.1).
  let scales: Set<String>
  private(set) var zones: ProjectedZones

  init(_ uid: UID, of item: CalendarItem, zones: ZoneResolver, scales: Set<String>) {
    self.uid = uid
    self.scales = scales
    self.zones = ProjectedZones(of: item, zones: zones)
  }

  /// The component with its times and a title.
  ///
  /// - Parameters:
  ///   - source: The component.
  ///   - title: The title; nil for none.
  ///   - hasStatus: Whether the status is shown, and whether an event makes the user busy.
  /// - Returns: The component; nil for an event without a readable start.
  mutating func component(_ source: Component, title: String?, hasStatus: Bool) -> Component? {
    switch source.name {
    case .event:
      let event = Event(source)
      var copy = times(of: event, title: title)
      guard copy.start != nil else { return nil }
      if hasStatus { (copy.status, copy.transparency) = (event.status, event.transparency) }
      return copy.component
    case .reminder:
      let reminder = Reminder(source)
      var copy = times(of: reminder, title: title)
      if hasStatus {
        (copy.status, copy.completed) = (reminder.status, reminder.completed)
        copy.percentComplete = reminder.percentComplete
      }
      return copy.component
    case .journal:
      let journal = Journal(source)
      var copy = times(of: journal, title: title)
      if hasStatus { copy.status = journal.status }
      return copy.component
    default: return nil
    }
  }

  private mutating func times<Content: ItemContent>(of source: Content, title: String?) -> Content {
    var copy = Content()
    copy.uid = uid
    copy.stamp = Self.stamp
    copy.recurrenceID = source.recurrenceID.map {
      RecurrenceID(zones.time($0.time), includesFuture: $0.includesFuture)
    }
    copy.start = source.start.map { zones.time($0) }
    copy.ending = source.ending.map { zones.end($0) }
    copy.recurrence = zones.recurrence(source.recurrence)
    copy.recurrence.rules.removeAll { !isReadable($0) }
    copy.recurrence.exclusionRules.removeAll { !isReadable($0) }
    copy.summary = title
    return copy
  }

  private func isReadable(_ rule: RecurrenceRule) -> Bool {
    rule.rscale.map { scales.contains($0.uppercased()) } ?? true
  }

  /// Excludes the occurrence of an override from a series.
  mutating func exclude(_ override: Component, from main: inout Component) {
    guard let id = Event(override).recurrenceID else { return }
    let time = zones.time(id.time)
    switch main.name {
    case .event: Self.exclude(time, from: &main, as: Event.self)
    case .reminder: Self.exclude(time, from: &main, as: Reminder.self)
    default: Self.exclude(time, from: &main, as: Journal.self)
    }
  }

  private static func exclude<Content: ItemContent>(
    _ time: EventTime, from main: inout Component, as type: Content.Type
  ) {
    var content = type.init(main)
    guard !content.recurrence.excludedDates.contains(time) else { return }
    content.recurrence.excludedDates.append(time)
    content.recurrence.excludedDates.sort { $0.wallTime < $1.wallTime }
    content.write(to: &main)
  }
}
