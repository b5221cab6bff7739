// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// A component of an item with its projection.
struct ShownPart {
  let source: Component
  /// How much of it is shown; nil for nothing.
  let detail: ProjectionSettings.Detail?
  /// The projection; nil if nothing is shown.
  let copy: Component?

  /// Whether the projection was written anew, and not copied.
  var isWritten: Bool { detail == .titles || detail == .busy }
}

/// The projection of components.
extension ItemProjector {
  /// The projection of a component.
  ///
  /// - Parameters:
  ///   - source: The component.
  ///   - detail: How much of it is shown.
  ///   - isKeeping: Whether it has the properties that the settings keep.
  ///   - calendar: The calendar.
  ///   - parts: The UID and the time zones of the item.
  /// - Returns: The projection; nil if it has no time.
  func part(
    of source: Component, _ detail: ProjectionSettings.Detail, isKeeping: Bool,
    in calendar: ProjectedCalendar, _ parts: inout ProjectedParts
  ) -> Component? {
    guard detail != .all else { return copy(of: source, uid: parts.uid, in: calendar) }
    let title = title(of: source, detail, in: calendar)
    guard var part = parts.component(source, title: title, hasStatus: detail == .titles) else {
      return nil
    }
    // A private item that is shown as busy has nothing else.
    guard isKeeping, !settings.kept.isEmpty else { return part }
    part.properties = PropertyList(part.properties + source.properties.filter { isKept($0.name) })
    part.components = ComponentList(source.components.filter { isKept($0.name) })
    return part
  }

  private func isKept<Vocabulary>(_ name: Name<Vocabulary>) -> Bool {
    settings.kept.contains(name.canonicalName)
  }

  /// A copy of a component without people and alarms.
  func copy(of source: Component, uid: UID, in calendar: ProjectedCalendar) -> Component {
    var copy = source
    func isCopied<Vocabulary>(_ name: Name<Vocabulary>) -> Bool {
      isKept(name) || !Self.peopleAndAlarms.contains(name.canonicalName)
    }
    copy.properties = PropertyList(
      source.properties.compactMap { property -> Property? in
        guard isCopied(property.name) else { return nil }
        // A relation refers to another item by its UID (RFC 5545 §3.8.4.5).
        guard property.isNamed(.relatedTo) else { return property }
        var relation = property
        relation.text = key.uid(of: UID(property.text), in: name).rawValue
        return relation
      })
    copy.components = ComponentList(source.components.filter { isCopied($0.name) })
    copy[.uid] = Property(.uid, text: uid.rawValue)
    if settings.title != nil {
      copy[.summary] = title(of: source, .all, in: calendar).map { Property(.summary, text: $0) }
    }
    return copy
  }

  /// The title of a component; nil for none.
  private func title(
    of source: Component, _ detail: ProjectionSettings.Detail, in calendar: ProjectedCalendar
  ) -> String? {
    let own = source[.summary]?.text
    if let template = settings.title, detail != .busy || !template.showsTitle {
      return template.text(of: own ?? "", in: calendar.title)
    }
    return detail == .busy ? "Busy" : own
  }

  // MARK: Series

  /// The components of an item, with exclusions for the occurrences that are not shown.
  func merged(_ shown: [ShownPart], _ parts: inout ProjectedParts) -> [Component] {
    guard let place = shown.firstIndex(where: { !$0.source.isOverride && $0.copy != nil }),
      var main = shown[place].copy
    else { return shown.compactMap(\.copy) }
    var overrides: [Component] = []
    for part in shown where part.source.isOverride {
      if let copy = part.copy {
        let isRedundant = part.isWritten && shown[place].isWritten && isAlike(copy, in: main)
        if !isRedundant { overrides.append(copy) }
      } else if Event(part.source).recurrenceID?.includesFuture == true {
        // The rest of the series does not take place for the reader.
        if var cancelled = parts.component(part.source, title: nil, hasStatus: false) {
          cancelled[.status] = Property(.status, rawValue: EventStatus.cancelled.rawValue)
          overrides.append(cancelled)
        }
      } else {
        parts.exclude(part.source, from: &main)
      }
    }
    let others = shown.indices.filter { $0 != place && !shown[$0].source.isOverride }
      .compactMap { shown[$0].copy }
    return [main] + others + overrides
  }

  /// Whether an override describes its occurrence as the series does.
  private func isAlike(_ override: Component, in main: Component) -> Bool {
    guard Event(override).recurrenceID?.includesFuture == false,
      texts(of: override) == texts(of: main), override.components == main.components,
      let own = first(of: override), let end = own.interval.lowerBound.adding(seconds: 1)
    else { return false }
    var usual = occurrences(of: main, in: own.interval.lowerBound..<end)
    while let occurrence = usual.next() {
      if occurrence.recurrenceID?.instant == own.recurrenceID?.instant,
        occurrence.interval == own.interval, occurrence.isAllDay == own.isAllDay
      {
        return true
      }
    }
    return false
  }

  private func first(of component: Component) -> Occurrence? {
    var occurrences = occurrences(of: component, in: QueryBounds.unlimited.range)
    return occurrences.next()
  }

  private func occurrences(
    of component: Component, in range: Range<Instant>
  ) -> Occurrences.Iterator {
    var options = OccurrenceOptions()
    options.recurrence = recurrence
    options.includesCancelled = true
    var query = OccurrenceQuery(in: range, viewer: .utc, zones: zones, options: options)
    query.add(components: [component])
    return query.occurrences().makeIterator()
  }

  /// The properties that are the same for all occurrences.
  private func texts(of component: Component) -> [Property] {
    component.properties.filter { property in
      !Self.times.contains(property.name.canonicalName)
    }
  }

  private static let times: Set<String> = [
    "RECURRENCE-ID", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE",
  ]
}
