// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
package import ICalSyntax

/// Decides whether items and occurrences match a query.
///
/// ```swift
/// let query = try ItemQuery(parsing: "calendar:work and start>=mon", phrases: phrases)
/// let matcher = QueryMatcher(query, zones: resolver, viewer: berlin)
/// let urgent = items.filter { matcher.matches($0, calendar: "work") }
/// ```
public struct QueryMatcher: Sendable {
  /// The maximum number of occurrences of an item that are compared.
  private static let occurrenceLimit = 2000

  /// The query.
  public let query: ItemQuery
  /// The viewer's time zone.
  public let viewer: ZoneRules
  package let zones: ZoneResolver
  private let options: OccurrenceOptions

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - zones: The time zones of the items.
  ///   - viewer: The viewer's time zone, for dates and floating times.
  ///   - recurrence: The options of the expansion.
  public init(
    _ query: ItemQuery, zones: ZoneResolver, viewer: ZoneRules,
    recurrence: RecurrenceOptions = RecurrenceOptions()
  ) {
    self.query = query
    self.viewer = viewer
    self.zones = zones
    var options = OccurrenceOptions()
    options.recurrence = recurrence
    options.includesCancelled = true
    self.options = options
  }

  /// Returns whether an occurrence matches.
  ///
  /// - Parameters:
  ///   - occurrence: The occurrence.
  ///   - calendar: The name of its calendar.
  /// - Returns: Whether the query is true for the occurrence.
  public func matches(_ occurrence: Occurrence, calendar: String) -> Bool {
    isTrue(
      query.root,
      QuerySubject(
        occurrence.component, calendar, viewer: viewer, occurrence: occurrence,
        isRecurring: occurrence.recurrenceID != nil))
  }

  /// Returns whether an item matches: one of its components, or an occurrence.
  ///
  /// If the query compares times, the occurrences of a series are compared one by one, up to 2000
  /// of those in the time that the query allows.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - calendar: The name of its calendar.
  /// - Returns: Whether the query is true for a component or an occurrence.
  public func matches(_ item: CalendarItem, calendar: String) -> Bool {
    firstMatch(in: item.components, timeZones: item.timeZones, calendar: calendar) != nil
  }

  /// A component of an item that matches, with its occurrence.
  package struct Match: Sendable {
    package let component: Component
    /// The occurrence; nil if the item has no time, or if the query does not depend on it.
    package let occurrence: Occurrence?
  }

  /// The first component or occurrence of an item that matches; nil if there is none.
  package func firstMatch(
    in components: [Component], timeZones: [Component], calendar: String
  ) -> Match? {
    let isRecurring = components.contains { $0[.rRule] != nil || $0[.rDate] != nil }
    // An item without a time has no occurrences.
    let hasTime = components.contains { $0[.dtStart] != nil || $0[.due] != nil }
    guard query.dependsOnTime, hasTime else {
      return components.first { component in
        isTrue(
          query.root,
          QuerySubject(
            component, calendar, viewer: viewer, occurrence: nil,
            isRecurring: isRecurring || component.isOverride))
      }.map { Match(component: $0, occurrence: nil) }
    }
    var occurrences = self.occurrences(
      of: components, timeZones: timeZones, in: query.root.bounds.range)
    for _ in 0..<Self.occurrenceLimit {
      guard let occurrence = occurrences.next() else { break }
      if matches(occurrence, calendar: calendar) {
        return Match(component: occurrence.component, occurrence: occurrence)
      }
    }
    return nil
  }

  /// The occurrences of an item in a range of time.
  package func occurrences(
    of components: [Component], timeZones: [Component], in range: Range<Instant>
  ) -> Occurrences.Iterator {
    var occurrences = OccurrenceQuery(in: range, viewer: viewer, zones: zones, options: options)
    occurrences.add(components: components, timeZones: timeZones)
    return occurrences.occurrences().makeIterator()
  }

  private func isTrue(_ node: ItemQuery.Node, _ subject: QuerySubject) -> Bool {
    switch node {
    case .all(let nodes): return nodes.allSatisfy { isTrue($0, subject) }
    case .any(let nodes): return nodes.contains { isTrue($0, subject) }
    case .not(let node): return !isTrue(node, subject)
    case .text(let text):
      return [QueryField.title, .location, .description].contains { field in
        subject.texts(field).contains(where: text.isContained)
      }
    case .has(let field): return subject.has(field)
    case .test(let field, .unequal, let value):
      return !subject.compares(field, .equal, value)
    case .test(let field, let relation, let value):
      return subject.compares(field, relation, value)
    }
  }
}

/// A component with its calendar and its occurrence, whose fields a query compares.
private struct QuerySubject {
  let component: Component
  let calendar: String
  let viewer: ZoneRules
  let occurrence: Occurrence?
  let isRecurring: Bool

  init(
    _ component: Component, _ calendar: String, viewer: ZoneRules, occurrence: Occurrence?,
    isRecurring: Bool
  ) {
    self.component = component
    self.calendar = calendar
    self.viewer = viewer
    self.occurrence = occurrence
    self.isRecurring = isRecurring
  }

  /// The values of a text field.
  func texts(_ field: QueryField) -> [String] {
    switch field {
    case .calendar: return [calendar]
    case .attendee, .organizer:
      return properties(of: field).flatMap { property in
        let address = property.rawValue
        let mailbox =
          address.lowercased().hasPrefix("mailto:") ? address.dropFirst(7) : address[...]
        return [String(mailbox)] + [property[.commonName], property[.email]].compactMap(\.self)
      }
    case .category:
      return properties(of: field).flatMap { property in
        property.typedValues.values.compactMap { value in
          if case .text(let text) = value { String(describing: text) } else { nil }
        }
      }
    case .status where component.name == .reminder:
      // A reminder that is completed need not state it (RFC 5545 §3.8.2.1).
      return [(Reminder(component).statedStatus ?? .needsAction).rawValue]
    case .class: return [component[.classification]?.text ?? Classification.public.rawValue]
    default: return properties(of: field).map(\.text)
    }
  }

  private func properties(of field: QueryField) -> [Property] {
    field.property.map(component.properties(named:)) ?? []
  }

  /// Whether the field has a value.
  func has(_ field: QueryField) -> Bool {
    switch field.valueType {
    case .text:
      let isStated = field.property.map { component[$0] != nil } ?? true
      return isStated && texts(field).contains { !$0.isEmpty }
    case .date: return instant(field) != nil || field.property.map { component[$0] != nil } ?? false
    case .priority: return priority != 0
    case .kind: return true
    case .flag: return flag(field)
    }
  }

  /// Compares a field with a value; false if the field has none.
  func compares(_ field: QueryField, _ relation: QueryOperator, _ value: QueryValue) -> Bool {
    switch value {
    case .text(let text):
      return texts(field).contains {
        relation == .contains ? text.isContained(in: $0) : text.equals($0)
      }
    case .date(let span):
      guard let instant = instant(field) else { return false }
      return Self.compares(instant, relation, with: span.range(in: viewer))
    case .priority(let range, _):
      // An undefined priority is neither high nor low.
      guard priority != 0 || relation == .equal else { return false }
      switch relation {
      case .less: return priority < range.lowerBound
      case .lessOrEqual: return priority <= range.upperBound
      case .greater: return priority > range.upperBound
      case .greaterOrEqual: return priority >= range.lowerBound
      default: return range.contains(priority)
      }
    case .kind(let kind, _): return ItemKind(component.name) == kind
    case .flag(let isSet): return flag(field) == isSet
    }
  }

  private var priority: Int { component[.priority].flatMap { Int($0.rawValue) } ?? 0 }

  private func flag(_ field: QueryField) -> Bool {
    field == .alarm
      ? component.hasAlarm
      : isRecurring || component[.rRule] != nil || component[.rDate] != nil
  }

  /// The instant of a date field; nil if it has none.
  private func instant(_ field: QueryField) -> Instant? {
    switch field {
    case .start: return component[.dtStart] == nil ? nil : occurrence?.start.instant
    case .end: return occurrence.flatMap(end)
    case .due:
      let isDue = component[.due] != nil || component[.duration] != nil
      return occurrence?.kind == .reminder && isDue ? occurrence.flatMap(end) : nil
    default:
      guard let value = properties(of: field).first?.typedValues.first else { return nil }
      switch value {
      case .dateTime(let wall, isUTC: true): return Instant(utc: wall)
      case .dateTime(let wall, isUTC: false): return viewer.instant(of: wall)
      case .date(let date): return viewer.instant(of: CivilDateTime(date, .midnight))
      default: return nil
      }
    }
  }

  /// The end of an occurrence; that of a whole day is the last second of it.
  private func end(of occurrence: Occurrence) -> Instant? {
    let last: CivilDate
    switch occurrence.kind {
    case _ where !occurrence.end.time.isAllDay: return occurrence.end.instant
    // The exclusive end is on the next day.
    case .event: return occurrence.end.instant.adding(seconds: -1)
    // A journal entry has no end (RFC 5545 §3.6.3).
    case .journal: last = occurrence.start.time.date
    default: last = occurrence.end.time.date
    }
    guard let next = last.adding(days: 1) else { return occurrence.end.instant }
    return viewer.instant(of: CivilDateTime(next, .midnight)).adding(seconds: -1)
  }

  private static func compares(
    _ instant: Instant, _ relation: QueryOperator, with range: Range<Instant>
  ) -> Bool {
    // A single time is an empty range.
    let isEqual = range.isEmpty ? instant == range.lowerBound : range.contains(instant)
    switch relation {
    case .less: return instant < range.lowerBound
    case .lessOrEqual: return instant < range.upperBound || isEqual
    case .greater: return instant >= range.upperBound && !isEqual
    case .greaterOrEqual: return instant >= range.lowerBound
    default: return isEqual
    }
  }
}
