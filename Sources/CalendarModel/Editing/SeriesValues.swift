// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The values of a series that an edit changes, for the overrides that had the values before.
///
/// An override is a whole component (RFC 5545 §3.8.4.4), so that it also has the values in which it
/// equals its series. These follow the series; a value that differs is the override's own.
struct SeriesValues {
  /// The properties that identify a component, or that have their own rules for overrides.
  private static let others: [PropertyName] = [
    .uid, .recurrenceID, .dtStamp, .created, .lastModified, .sequence, .dtStart, .dtEnd, .due,
    .duration, .rRule, .exRule, .rDate, .exDate, .organizer, .attendee, .requestStatus,
  ]
  /// The state of a reminder, which each occurrence has for itself.
  private static let states: [PropertyName] = [.status, .completed, .percentComplete]

  private let before: Component
  private let after: Component
  private let names: [PropertyName]
  private let changesAlarms: Bool
  /// The attendees that the series loses.
  private let withdrawn: Set<CalendarAddress>
  /// The organizer and the attendees that the series gets.
  private let added: [Property]

  /// Compares the main component before and after the change.
  init(from before: Component, to after: Component) {
    (self.before, self.after) = (before, after)
    let others = Self.others + (before.name == Reminder.componentName ? Self.states : [])
    let (old, new) = (before.rawValuesByName, after.rawValuesByName)
    var seen = Set(others)
    names = (Array(before.properties) + Array(after.properties)).map(\.name)
      .filter { seen.insert($0).inserted && old[$0] != new[$0] }
    changesAlarms = AlarmTimes(before) != AlarmTimes(after)
    let (earlier, later) = (before.people, after.people)
    withdrawn = Set(earlier.keys).subtracting(later.keys)
    added = after.properties.filter { person in
      person.isNamed(.attendee) && earlier[person.address] == nil
        || person.isNamed(.organizer) && before[.organizer] == nil
    }
  }

  /// Gives an override the new values of the series, where it had the old ones.
  ///
  /// - Parameter override: The override.
  /// - Returns: Whether the override keeps a value that differs from the new one.
  func apply(to override: inout Component) -> Bool {
    var isOwn = false
    for name in names {
      let value = override.rawValues(of: name)
      if value == before.rawValues(of: name) {
        override.replace(name, by: after.properties(named: name))
      } else if value != after.rawValues(of: name) {
        isOwn = true
      }
    }
    applyPeople(to: &override)
    applyTexts(to: &override)
    guard changesAlarms else { return isOwn }
    let alarms = AlarmTimes(override)
    if alarms == AlarmTimes(before) {
      replaceAlarms(of: &override)
    } else if alarms != AlarmTimes(after) {
      isOwn = true
    }
    return isOwn
  }

  /// Adds and removes attendees; the others have answers of their own for the occurrence.
  private func applyPeople(to override: inout Component) {
    guard !withdrawn.isEmpty || !added.isEmpty else { return }
    var list = override.properties.filter { person in
      !person.isNamed(.attendee) || !withdrawn.contains(person.address)
    }
    let known = override.people
    list += added.filter { person in
      person.isNamed(.organizer) ? override[.organizer] == nil : known[person.address] == nil
    }
    override.properties = PropertyList(list)
  }

  /// Gives the alarms of an override the new texts of those of the series, where they had the old ones.
  private func applyTexts(to override: inout Component) {
    let (old, new) = (before.alarmTexts, after.alarmTexts)
    guard old != new else { return }
    for place in override.components.indices {
      let alarm = override.components[place]
      let time = AlarmTimes.Time(alarm)
      guard alarm.name == .alarm, let text = new[time], text != old[time],
        alarm[.descriptionText]?.rawValue == old[time]
      else { continue }
      override.components[place][.descriptionText] = Property(.descriptionText, rawValue: text)
    }
  }

  /// Replaces the alarms of an override, except those that the series still has.
  private func replaceAlarms(of override: inout Component) {
    var known = override.components.filter { $0.name == .alarm && Alarm($0).snoozedAlarm == nil }
    var alarms: [Component] = []
    for alarm in after.components where alarm.name == .alarm && Alarm(alarm).snoozedAlarm == nil {
      let time = AlarmTimes.Time(alarm)
      if let place = known.firstIndex(where: { AlarmTimes.Time($0) == time }) {
        alarms.append(known.remove(at: place))
      } else {
        alarms.append(alarm)
      }
    }
    let uids = Set(alarms.compactMap { Alarm($0).uid })
    let rest = override.components.filter { part in
      guard part.name == .alarm else { return true }
      return Alarm(part).snoozedAlarm.map { uids.contains($0) } ?? false
    }
    override.components = ComponentList(rest + alarms)
  }
}

/// The alarms of a component, without snooze alarms and without what acknowledges them.
private struct AlarmTimes: Hashable {
  /// The action and the trigger of an alarm.
  struct Time: Hashable {
    let action: AlarmAction?
    let trigger: AlarmTrigger?

    init(_ component: Component) {
      let alarm = Alarm(component)
      (action, trigger) = (alarm.action, alarm.trigger)
    }
  }

  private let times: Set<Time>

  init(_ component: Component) {
    times = Set(
      component.components.filter { $0.name == .alarm && Alarm($0).snoozedAlarm == nil }
        .map { Time($0) })
  }
}

extension Component {
  /// The texts of the alarms by their times, as the file has them.
  fileprivate var alarmTexts: [AlarmTimes.Time: String] {
    let alarms = components.filter { $0.name == .alarm && Alarm($0).snoozedAlarm == nil }
    return Dictionary(
      alarms.compactMap { alarm in
        alarm[.descriptionText].map { (AlarmTimes.Time(alarm), $0.rawValue) }
      }
    ) { first, _ in first }
  }

  /// The attendees by their addresses.
  fileprivate var people: [CalendarAddress: Property] {
    Dictionary(properties(named: .attendee).map { ($0.address, $0) }) { first, _ in first }
  }

  /// The values of all properties, as the file has them, by name.
  fileprivate var rawValuesByName: [PropertyName: [String]] {
    Dictionary(grouping: Array(properties), by: \.name).mapValues { $0.map(\.rawValue) }
  }

  /// The values of all properties with a name, as the file has them.
  fileprivate func rawValues(of name: PropertyName) -> [String] {
    properties(named: name).map(\.rawValue)
  }

  /// Replaces the properties with a name, at the place of the first one.
  fileprivate mutating func replace(_ name: PropertyName, by new: [Property]) {
    var list = Array(properties)
    let place = list.firstIndex { $0.name == name } ?? list.count
    list.removeAll { $0.name == name }
    list.insert(contentsOf: new, at: min(place, list.count))
    properties = PropertyList(list)
  }
}
