// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// Splits a series and changes the later part.
  func changeFuture<Content: ItemContent>(
    from time: EventTime, of item: CalendarItem, _ change: (inout Content) -> Void
  ) throws(EditError) -> EditedItem {
    guard let split = try SeriesSplit<Content>(of: item, at: time, zones, self) else {
      return EditedItem(try changeAll(of: item, change))
    }
    let uid = makeUID()
    let successor = try successor(of: item, split, uid, change)
    var main = split.series.content
    main.recurrence = split.past
    relate(&main, to: uid)
    let components = split.pastComponents.map { component in
      component == split.main ? written(main, to: component) : component
    }
    return EditedItem(try remade(item, components), successor: successor)
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

  /// Creates the later part of a split series, with its own UID.
  private func successor<Content: ItemContent>(
    of item: CalendarItem, _ split: SeriesSplit<Content>, _ uid: UID,
    _ change: (inout Content) -> Void
  ) throws(EditError) -> CalendarItem {
    var series = split.series
    let template = template(at: split.wall, in: item.components, split.main, &series)
    var content = Content(template)
    content.recurrenceID = nil
    content.recurrence = split.future
    content.uid = uid
    content.sequence = 0
    content.created = now
    content.relations.removeAll { $0.type == .next || $0.type == .first }
    content.relations.append(Relation(to: origin(of: split, item), type: .first))
    change(&content)
    content.uid = uid
    content.recurrenceID = nil
    let from = split.futureStart
    if let start = content.start, split.wall != from {
      // An RDATE added the occurrence. The successor starts with the next instance of the rules.
      let shift = from.wallSeconds - split.wall.wallSeconds
      let next = start.at(start.wallTime.adding(seconds: shift) ?? start.wallTime)
      content.ending = series.end(content.ending, from: start, to: next)
      content.start = next
    }
    var shift: SeriesShift<Content>?
    if let start = content.start, start != series.time(from) {
      shift = SeriesShift(series, from: series.time(from), to: start)
      shift?.move(&content.recurrence, since: split.future)
    }
    var main = template
    main[.recurrenceID] = nil
    content.write(to: &main)
    stamp(&main, since: template)
    if main[.sequence] != nil { main[.sequence] = nil }
    var components = [main]
    for override in split.futureComponents {
      var renamed = override
      renamed[.uid] = Property(.uid, text: uid.rawValue)
      components.append(moved(renamed, &shift))
    }
    return try remade(item, components)
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
