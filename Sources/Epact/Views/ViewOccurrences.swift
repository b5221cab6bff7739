// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
public import CalendarModel
import CivilTime
import ICalSyntax

/// The occurrences of a view that match its filter, in order and computed on demand.
public struct ViewOccurrences: Sequence, IteratorProtocol {
  private var occurrences: Occurrences.Iterator
  private let condition: (@Sendable (Occurrence) -> Bool)?

  /// Takes occurrences, and the condition on them; nil for all.
  init(_ occurrences: Occurrences, where condition: (@Sendable (Occurrence) -> Bool)? = nil) {
    self.occurrences = occurrences.makeIterator()
    self.condition = condition
  }

  /// The findings so far: series with incomplete searches, so that occurrences may be missing.
  public var findings: [OccurrenceFinding] { occurrences.findings }

  /// The next occurrence, or nil after the last one.
  public mutating func next() -> Occurrence? {
    // Each iteration consumes an occurrence of the range.
    while let occurrence = occurrences.next() {
      if condition?(occurrence) ?? true { return occurrence }
    }
    return nil
  }
}

/// A query for reminders that were due before the range of a view and are not completed.
struct OverdueReminders: ComponentQuery {
  /// The maximum number of occurrences that are searched.
  private static let limit = 100_000

  private var query: OccurrenceQuery
  private let end: Instant

  init(_ request: ViewRequest, _ machine: Machine) {
    end = request.range.lowerBound
    var options = OccurrenceOptions()
    options.reminders = .due
    options.recurrence = machine.recurrenceOptions
    query = OccurrenceQuery(
      in: QueryBounds.unlimited.range.lowerBound..<end, viewer: request.viewer,
      zones: machine.zoneResolver, options: options)
  }

  /// No findings: the query of the view reports those of the same components.
  var findings: [OccurrenceFinding] { [] }

  var zones: ZoneResolver { query.zones }

  mutating func beginCalendar() { query.beginCalendar() }

  mutating func add(components: [Component], timeZones: [Component], source: Int) {
    guard components.first.flatMap({ ItemKind($0.name) }) == .reminder,
      components.contains(where: { $0[.due] != nil || $0[.duration] != nil })
    else { return }
    query.add(components: components, timeZones: timeZones, source: source)
  }

  /// The first overdue occurrence of each item, by due time: that which is completed next.
  func occurrences(where condition: (Occurrence) -> Bool) -> [Occurrence] {
    struct Key: Hashable {
      let uid: UID
      let source: Int
    }
    var first: [Key: Occurrence] = [:]
    var all = query.occurrences().makeIterator()
    for _ in 0..<Self.limit {
      guard let occurrence = all.next() else { break }
      let key = Key(uid: occurrence.uid, source: occurrence.source)
      guard occurrence.interval.upperBound <= end, !occurrence.isDone, first[key] == nil,
        condition(occurrence)
      else { continue }
      first[key] = occurrence
    }
    return first.values.sorted {
      ($0.interval.lowerBound, $0.uid, $0.source) < ($1.interval.lowerBound, $1.uid, $1.source)
    }
  }
}
