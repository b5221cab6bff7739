// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// Changes the main component; a new start also shifts the recurrence and the overrides.
  ///
  /// The change is made to the override of an occurrence, too, if one is given.
  func changeAll<Content: ItemContent>(
    of item: CalendarItem, at time: EventTime? = nil, _ change: (inout Content) -> Void,
    _ finish: (inout Component) -> Void
  ) throws(EditError) -> EditedItem {
    guard let main = item.main else {
      throw EditError(.noSeries, "expected the main component of the item, found only overrides")
    }
    let before = Content(main)
    var content = before
    change(&content)
    let first = try override(at: time, of: item, main, as: Content.self)
    guard first != nil || content != before || written(content, to: main, finish) != main else {
      return EditedItem(item)
    }
    var shift: SeriesShift<Content>?
    if let start = content.start, let old = before.start, start != old {
      let series = try SeriesView<Content>(main, of: item, zones, recurrence)
      shift = SeriesShift(series, from: old, to: start, ending: content.ending)
      shift?.move(&content.recurrence, since: before.recurrence)
    }
    let length = try NewLength(from: before, to: content, main, item, self)
    let isSingle = before.recurrence.isRecurring && !content.recurrence.isRecurring
    var lost = LostOccurrences<Content>(
      from: main, to: written(content, to: main, finish), of: item, isSingle: isSingle, self)
    let exclusions = lost.removeExclusions(
      from: &content.recurrence.excludedDates, before: before.recurrence.excludedDates)
    // A component that no longer recurs has one occurrence and therefore no overrides.
    if isSingle { content.recurrence = RecurrenceProperties() }
    let newMain = written(content, to: main, finish)
    var follower = OverrideFollower(
      shift: shift, length: length, values: SeriesValues(from: main, to: newMain), lost: lost)
    let components = item.components.compactMap { component -> Component? in
      guard component.isOverride else { return component == main ? newMain : component }
      guard component == first else { return follower.followed(component, self) }
      let id = shift?.movedID(of: Content(component))
      return follower.revised(
        component, to: changed(component, change, finish, at: id), with: newMain)
    }
    return EditedItem(try remade(item, components), effects: follower.effects + exclusions)
  }

  /// The override of an occurrence; nil if it has none, or if no occurrence is given.
  private func override<Content: ItemContent>(
    at time: EventTime?, of item: CalendarItem, _ main: Component, as type: Content.Type
  ) throws(EditError) -> Component? {
    guard let time else { return nil }
    var series = try SeriesView<Content>(main, of: item, zones, recurrence)
    return place(of: series.wall(of: time), in: item.components, &series)
      .map { item.components[$0] }
  }

  /// Returns a component with a content, stamped if it differs.
  func written<Content: ItemContent>(
    _ content: Content, to before: Component, _ finish: (inout Component) -> Void = { _ in }
  ) -> Component {
    var component = before
    content.write(to: &component)
    finish(&component)
    stamp(&component, since: before)
    return component
  }
}

extension ItemEditor {
  /// Splits a series and changes the later part.
  func changeFuture<Content: ItemContent>(
    from time: EventTime, of item: CalendarItem, _ change: (inout Content) -> Void,
    _ finish: (inout Component) -> Void
  ) throws(EditError) -> EditedItem {
    guard let split = try SeriesSplit<Content>(of: item, at: time, zones, self) else {
      return try changeAll(of: item, at: time, change, finish)
    }
    let uid = makeUID()
    let (successor, effects) = try successor(of: item, split, uid, change, finish)
    var main = split.series.content
    main.recurrence = split.past
    relate(&main, to: uid)
    let components = split.pastComponents.map { component in
      component == split.main ? written(main, to: component) : component
    }
    return EditedItem(try remade(item, components), successor: successor, effects: effects)
  }

  /// Ends a series before an occurrence.
  func deleteFuture<Content: ItemContent>(
    from time: EventTime, of item: CalendarItem, as type: Content.Type
  ) throws(EditError) -> CalendarItem? {
    guard let split = try SeriesSplit<Content>(of: item, at: time, zones, self) else { return nil }
    var main = split.series.content
    main.recurrence = split.past
    let components = split.pastComponents.map { component in
      component == split.main ? written(main, to: component) : component
    }
    return try remade(item, components)
  }

  /// Creates the later part of a split series, with its own UID; the change can remove occurrences.
  private func successor<Content: ItemContent>(
    of item: CalendarItem, _ split: SeriesSplit<Content>, _ uid: UID,
    _ change: (inout Content) -> Void, _ finish: (inout Component) -> Void
  ) throws(EditError) -> (CalendarItem, [EditEffect]) {
    var series = split.series
    let template = template(at: split.local, in: item.components, split.main, &series)
    let before = continuation(of: split, item, uid, like: template)
    var content = before
    change(&content)
    content.uid = uid
    content.recurrenceID = nil
    let from = split.futureStart
    if let start = content.start, split.local != from {
      // An RDATE added the occurrence. The successor starts with the next instance of the rules.
      let shift = from.wallSeconds - split.local.wallSeconds
      let next = start.at(start.wallTime.adding(seconds: shift) ?? start.wallTime)
      content.ending = series.end(content.ending, from: start, to: next)
      content.start = next
    }
    var shift: SeriesShift<Content>?
    if let start = content.start, start != series.time(from) {
      shift = SeriesShift(
        series, from: series.time(from), to: start, ending: content.ending)
      shift?.move(&content.recurrence, since: split.future)
    }
    var lost = LostOccurrences<Content>(
      from: split.main, to: begun(content, like: template, finish), of: item, self)
    let exclusions = lost.removeExclusions(
      from: &content.recurrence.excludedDates, before: split.future.excludedDates)
    let main = begun(content, like: template, finish)
    var follower = OverrideFollower(
      shift: shift, length: try NewLength(from: before, to: content, split.main, item, self),
      values: SeriesValues(from: begun(before, like: template) { _ in }, to: main), lost: lost)
    let overrides = split.futureComponents.compactMap { override -> Component? in
      var renamed = override
      renamed[.uid] = Property(.uid, text: uid.rawValue)
      guard override == split.firstOverride else { return follower.followed(renamed, self) }
      let id = shift?.movedID(of: Content(renamed))
      return follower.revised(
        renamed, to: changed(renamed, change, finish, at: id), with: main)
    }
    return (
      try remade(item, [main.withoutSnoozeAlarms] + overrides), follower.effects + exclusions
    )
  }

  /// The content of the later part of a split series before the change.
  private func continuation<Content: ItemContent>(
    of split: SeriesSplit<Content>, _ item: CalendarItem, _ uid: UID, like template: Component
  ) -> Content {
    var content = Content(template)
    content.recurrenceID = nil
    content.recurrence = split.future
    content.uid = uid
    content.sequence = 0
    content.created = now
    // A part that was split off before follows this one now, so that RELTYPE=NEXT stays.
    content.relations.removeAll { $0.type == .first }
    content.relations.append(Relation(to: origin(of: split, item), type: .first))
    return content
  }

  /// Returns the main component of a new series with a content, like a component of the old one.
  private func begun<Content: ItemContent>(
    _ content: Content, like template: Component, _ finish: (inout Component) -> Void
  ) -> Component {
    var main = template
    main[.recurrenceID] = nil
    content.write(to: &main)
    finish(&main)
    stamp(&main, since: template)
    if main[.sequence] != nil { main[.sequence] = nil }
    return main
  }

  /// Returns the UID of the series from which all parts were split (RFC 9253 §4.3).
  private func origin<Content: ItemContent>(
    of split: SeriesSplit<Content>, _ item: CalendarItem
  ) -> String {
    split.series.content.relations.first { $0.type == .first }?.target ?? item.uid.rawValue
  }

  /// Adds a relation to the series that continues this one (RFC 9253 §4.3).
  private func relate<Content: ItemContent>(_ content: inout Content, to uid: UID) {
    content.relations.removeAll { $0.type == .next }
    content.relations.append(Relation(to: uid.rawValue, type: .next))
  }
}
