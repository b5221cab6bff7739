// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax
import Recurrence

extension ItemEditor {
  /// Changes the override of an occurrence, or creates one.
  func changeOne<Content: ItemContent>(
    at time: EventTime, of item: CalendarItem, _ change: (inout Content) -> Void,
    _ finish: (inout Component) -> Void
  ) throws(EditError) -> EditedItem {
    guard let main = item.main else {
      return EditedItem(try changeAlone(at: time, of: item, change, finish))
    }
    var series = try SeriesView<Content>(main, of: item, zones, recurrence)
    let wall = series.wall(of: time)
    guard series.content.recurrence.isRecurring || !item.overrides.isEmpty else {
      guard series.wall(of: series.start) == wall else { throw noOccurrence(time) }
      return try changeAll(of: item, change, finish)
    }
    var components = item.components
    if let place = place(of: wall, in: components, &series), !components[place].isForFuture {
      components[place] = changed(components[place], change, finish)
      return EditedItem(try remade(item, components))
    }
    guard let local = series.instance(at: wall) else { throw noOccurrence(time) }
    let template = template(at: local, in: components, main, &series)
    try makeRoom(at: wall, in: &components, &series)
    components.append(changed(template, change, finish).withoutSnoozeAlarms)
    return EditedItem(try remade(item, components))
  }

  /// Excludes an occurrence from its series and removes its override (RFC 5545 §3.8.5.1).
  func deleteOne<Content: ItemContent>(
    at time: EventTime, of item: CalendarItem, as type: Content.Type
  ) throws(EditError) -> CalendarItem? {
    guard let main = item.main else {
      let others = item.overrides.filter { Content($0).recurrenceID?.time != time }
      guard others.count < item.overrides.count else { throw noOccurrence(time) }
      return others.isEmpty ? nil : try remade(item, others)
    }
    var series = try SeriesView<Content>(main, of: item, zones, recurrence)
    let wall = series.wall(of: time)
    var components = item.components
    let isRecurring = series.content.recurrence.isRecurring
    guard isRecurring || !item.overrides.isEmpty else {
      guard series.wall(of: series.start) == wall else { throw noOccurrence(time) }
      return nil
    }
    let override = place(of: wall, in: components, &series)
    let local = series.instance(at: wall)
    guard local != nil || override != nil else { throw noOccurrence(time) }
    try makeRoom(at: wall, in: &components, &series)
    if let local {
      var content = series.content
      content.recurrence.excludedDates.append(series.time(local))
      guard let index = components.firstIndex(of: main) else { return item }
      components[index] = written(content, to: main)
      var rest = try SeriesView<Content>(components[index], of: item, zones, recurrence)
      var instances = try rest.instances().makeIterator()
      if components.count == 1, instances.next() == nil { return nil }
    }
    return try remade(item, components)
  }

  /// Changes an override whose item has no main component.
  private func changeAlone<Content: ItemContent>(
    at time: EventTime, of item: CalendarItem, _ change: (inout Content) -> Void,
    _ finish: (inout Component) -> Void
  ) throws(EditError) -> CalendarItem {
    var components = item.components
    guard let place = components.firstIndex(where: { Content($0).recurrenceID?.time == time })
    else { throw noOccurrence(time) }
    components[place] = changed(components[place], change, finish)
    return try remade(item, components)
  }

  /// Returns an override after a change; its recurrence is removed.
  ///
  /// - Parameters:
  ///   - override: The override.
  ///   - change: Changes the content.
  ///   - finish: Changes the component of the content.
  ///   - newID: The new RECURRENCE-ID, if the series is shifted; nil to keep the old one.
  /// - Returns: The changed override.
  func changed<Content: ItemContent>(
    _ override: Component, _ change: (inout Content) -> Void,
    _ finish: (inout Component) -> Void, at newID: RecurrenceID? = nil
  ) -> Component {
    var content = Content(override)
    let id = newID ?? content.recurrenceID
    change(&content)
    content.recurrenceID = id
    content.recurrence = RecurrenceProperties()
    return written(content, to: override, finish)
  }

  /// Returns the index of an occurrence's override.
  func place<Content: ItemContent>(
    of wall: CivilDateTime, in components: [Component], _ series: inout SeriesView<Content>
  ) -> Int? {
    for (place, component) in components.enumerated() where component.isOverride {
      guard let id = Content(component).recurrenceID?.time else { continue }
      if series.wall(of: id) == wall { return place }
    }
    return nil
  }

  /// Removes the override of an occurrence; one for all later ones, too, begins with the next one
  /// then.
  private func makeRoom<Content: ItemContent>(
    at wall: CivilDateTime, in components: inout [Component], _ series: inout SeriesView<Content>
  ) throws(EditError) {
    guard let place = place(of: wall, in: components, &series) else { return }
    let override = components[place]
    guard override.isForFuture, let next = try series.instance(after: wall),
      self.place(of: next, in: components, &series) == nil
    else {
      components.remove(at: place)
      return
    }
    var content = Content(override)
    let start = content.start ?? series.time(wall)
    let moved = start.at(
      start.wallTime.adding(seconds: next.wallSeconds - wall.wallSeconds) ?? start.wallTime)
    content.recurrenceID?.time = series.time(next)
    content.ending = series.end(content.ending, from: start, to: moved)
    content.start = moved
    components[place] = written(content, to: override)
  }
}

extension ItemEditor {
  /// Reads an occurrence, or an item that does not recur.
  ///
  /// - Parameters:
  ///   - time: When the series has the occurrence; nil for the item as a whole.
  ///   - item: The item.
  /// - Returns: The content and the component of the occurrence, with its start and end; nil if
  ///   there is none at that time.
  package func occurrence<Content: ItemContent>(
    at time: EventTime?, of item: CalendarItem
  ) -> (content: Content, component: Component)? {
    var (content, component): (Content?, Component?)
    let span = time.map { EditSpan.occurrence($0) } ?? .all
    // An edit that changes nothing finds the occurrence by all rules of the RFC.
    _ = try? edit(
      item, span, { (found: inout Content) in content = found },
      component: { component = $0 })
    guard let content, let component else { return nil }
    return (content, component)
  }

  /// Finds the neighbours of an occurrence in the order of the original starts.
  ///
  /// - Parameters:
  ///   - time: The original start of the occurrence.
  ///   - item: The item.
  ///   - type: The content of the item.
  /// - Returns: The neighbours; their times are on the clock of the series.
  /// - Throws: `EditError` if the item has no series, or its rules cannot be expanded.
  package func neighbours<Content: ItemContent>(
    of time: EventTime, in item: CalendarItem, as type: Content.Type
  ) throws(EditError) -> OccurrenceNeighbours {
    let item = try beginningWhenDue(item)
    guard let main = item.main else {
      throw EditError(.noSeries, "expected the main component of the item, found only overrides")
    }
    var series = try SeriesView<Content>(main, of: item, zones, recurrence)
    let wall = series.wall(of: time)
    var earlier: [Component] = []
    var next = try series.instance(after: wall)
    for override in item.overrides {
      guard let id = Content(override).recurrenceID?.time else { continue }
      let place = series.wall(of: id)
      if place < wall { earlier.append(override) }
      if place > wall { next = min(next ?? place, place) }
    }
    let isFirst =
      earlier.isEmpty && series.hasInstance(at: wall) && !series.hasInstance(before: wall)
    return OccurrenceNeighbours(
      isFirst: isFirst, earlierOverrides: earlier, next: next.map { series.time($0) })
  }

  /// The component for an occurrence that has no override of its own.
  func template<Content: ItemContent>(
    at wall: CivilDateTime, in components: [Component], _ main: Component,
    _ series: inout SeriesView<Content>
  ) -> Component {
    var template = OccurrenceTemplate(of: main, among: components, series)
    return template.component(at: wall)
  }
}

extension Component {
  /// The component without snooze alarms (RFC 9074 §7).
  ///
  /// Their triggers are absolute, so that a copy in another component would repeat them.
  var withoutSnoozeAlarms: Component {
    var component = self
    let parts = components.filter { $0.name != .alarm || Alarm($0).snoozedAlarm == nil }
    if parts.count < components.count { component.components = ComponentList(parts) }
    return component
  }
}

/// The neighbours of an occurrence of a series in the order of the original starts.
///
/// An override can move an occurrence before or after any other one.
package struct OccurrenceNeighbours: Sendable {
  /// Whether the series begins with the occurrence.
  package let isFirst: Bool
  /// The overrides of preceding occurrences, in file order.
  package let earlierOverrides: [Component]
  /// The original start of the following occurrence; nil if there is none.
  package let next: EventTime?
}

extension CalendarItem {
  /// Whether the item can have more than one occurrence.
  package func isSeries<Content: ItemContent>(of type: Content.Type) -> Bool {
    guard let main else { return true }
    return !overrides.isEmpty || Content(main).recurrence.isRecurring
  }
}

/// The occurrences of a series that have no override of their own, as components: each is like the
/// series there, or like the last override before it that describes all later ones, too (RFC 5545
/// §3.2.13).
///
/// The components of the item are read once, for however many occurrences.
struct OccurrenceTemplate<Content: ItemContent> {
  /// An override that describes all later occurrences.
  private struct Future {
    let component: Component
    let start: CivilDateTime
    /// When the occurrence that it names starts by the rule.
    let id: CivilDateTime
  }

  private var series: SeriesView<Content>
  /// The main component without its recurrence.
  private let main: Component
  private var futures: [Future] = []
  /// The ends of occurrences that were added with an end of their own.
  private var endings: [CivilDateTime: EventEnd] = [:]

  init(of main: Component, among components: [Component], _ series: SeriesView<Content>) {
    var series = series
    self.main = main.withoutRecurrence
    for component in components where component.isForFuture {
      let content = Content(component)
      guard let time = content.recurrenceID?.time, let start = content.start else { continue }
      futures.append(
        Future(
          component: component.withoutRecurrence, start: start.wallTime, id: series.wall(of: time)))
    }
    for date in series.content.recurrence.dates {
      guard case .period(let start, let end) = date else { continue }
      endings[series.wall(of: start)] = end
    }
    self.series = series
  }

  /// The occurrence that starts at a time on the clock of the series.
  mutating func component(at wall: CivilDateTime) -> Component {
    var (component, start) = source(at: wall)
    var content = Content(component)
    content.recurrence = RecurrenceProperties()
    content.recurrenceID = RecurrenceID(series.time(wall))
    let old = content.start ?? series.start
    let new = old.at(start)
    content.ending = series.end(content.ending, from: old, to: new)
    content.start = new
    if let end = endings[wall] { content.ending = end }
    content.write(to: &component)
    return component
  }

  /// The component that describes an occurrence, and when that starts on the component's clock.
  private func source(at wall: CivilDateTime) -> (component: Component, start: CivilDateTime) {
    var found: Future?
    for future in futures where future.id <= wall {
      if found.map({ $0.id < future.id }) ?? true { found = future }
    }
    guard let found else { return (main, wall) }
    let shift = wall.wallSeconds - found.id.wallSeconds
    return (found.component, found.start.adding(seconds: shift) ?? found.start)
  }
}

extension Component {
  /// Whether the component is an override for all later occurrences, too (RFC 5545 §3.2.13).
  var isForFuture: Bool {
    self[.recurrenceID]?[.range]?.asciiUppercased == "THISANDFUTURE"
  }

  /// The component without the properties by which it recurs.
  var withoutRecurrence: Component {
    let names: [PropertyName] = [.rRule, .exRule, .rDate, .exDate]
    guard properties.contains(where: { names.contains(where: $0.isNamed) }) else { return self }
    var component = self
    component.properties = PropertyList(
      properties.filter { !names.contains(where: $0.isNamed) })
    return component
  }
}
