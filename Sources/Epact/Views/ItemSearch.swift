// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
import CalendarLanguage
public import CalendarModel
import CivilTime
public import ICalSyntax

/// An item that a search found.
public struct SearchMatch: Hashable, Sendable {
  /// The name of the calendar.
  public let calendar: String
  /// The component that matches: the main component, or an override.
  public let component: Component
  /// The UID of the item; empty if it has none.
  public let uid: UID
  /// The occurrence that matches; nil if the item has no time.
  ///
  /// If the query does not depend on the time, it is the next one from now on that is not cancelled,
  /// or else the first one.
  public let occurrence: Occurrence?
}

/// The search for items in several calendars.
///
/// ```swift
/// let query = try ItemQuery(parsing: "dentist", phrases: phrases)
/// let matcher = QueryMatcher(query, viewer: berlin)
/// let search = try ItemSearch(matcher, in: calendars) { event in print(event) }
/// for match in search.matches { print(match.calendar, match.uid) }
/// ```
public struct ItemSearch: Sendable {
  /// The matches by time; items without a time come last.
  public let matches: [SearchMatch]
  /// How much of the files was read.
  public let outcome: FileOutcome

  /// Searches calendars.
  ///
  /// - Parameters:
  ///   - matcher: The query.
  ///   - calendars: The calendars.
  ///   - indexedPaths: The folders that may be read by their index, as of a ``ViewRequest``.
  ///   - machine: The clock and the time zones.
  ///   - report: Receives the events of the files.
  /// - Throws: `CancellationError`; problems of the files are only reported.
  public init(
    _ matcher: QueryMatcher, in calendars: [CalendarLocation], indexedPaths: Set<String> = [],
    machine: Machine = .live(), report: (FileEvent) -> Void
  ) throws {
    var matches: [SearchMatch] = []
    var outcomes: [FileOutcome] = []
    let now = machine.now()
    for calendar in calendars {
      let query = SearchQuery(matcher: matcher, calendar: calendar.name, now: now)
      var request = ViewRequest([calendar], in: now..<now, viewer: matcher.viewer)
      request.indexedPaths = indexedPaths
      request.requiredWords = matcher.query.requiredWords
      let view = try CalendarView(query, request, skips: false, machine: machine, report: report)
      matches += view.query.matches
      outcomes.append(view.outcome)
    }
    self.matches = matches.enumerated().sorted { left, right in
      let (first, second) = (left.element.sortKey, right.element.sortKey)
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
    if outcomes.allSatisfy({ $0 == .complete }) {
      outcome = .complete
    } else {
      outcome = outcomes.allSatisfy { $0 == .nothing } ? .nothing : .partial
    }
  }
}

extension ListedItems {
  /// The items of a search as a list whose numbers name them.
  ///
  /// - Parameters:
  ///   - matches: The matches of the search.
  ///   - calendars: The calendars of the configuration.
  /// - Returns: The items; empty if one of them is in no calendar of the configuration, because other
  ///   commands cannot name it.
  public static func items(
    of matches: [SearchMatch], in calendars: [CalendarInfo]
  ) -> [ListedItem] {
    let ids = Dictionary(calendars.map { ($0.name, $0.id) }) { first, _ in first }
    let items = matches.compactMap { match in
      match.uid.rawValue.isEmpty
        ? nil : ids[match.calendar].map { ListedItem(calendar: $0, uid: match.uid) }
    }
    return items.count == matches.count ? items : []
  }
}

extension SearchMatch {
  fileprivate var sortKey: Int64 { occurrence?.start.instant.secondsSinceEpoch ?? .max }
}

/// Collects the items of a calendar that match.
private struct SearchQuery: ComponentQuery {
  let matcher: QueryMatcher
  let calendar: String
  let now: Instant
  var matches: [SearchMatch] = []

  /// No findings: a search does not report series whose rules are unusable.
  var findings: [OccurrenceFinding] { [] }

  var zones: ZoneResolver { matcher.zones }

  /// Does nothing: each item is searched by its own time zones.
  mutating func beginCalendar() {}

  mutating func add(components: [Component], timeZones: [Component], source: Int) {
    guard let kind = components.first.flatMap({ ItemKind($0.name) }),
      kind == .event || kind == .reminder || kind == .journal,
      let match = matcher.firstMatch(in: components, timeZones: timeZones, calendar: calendar)
    else { return }
    let occurrence = match.occurrence ?? shownOccurrence(of: match, in: components, timeZones)
    matches.append(
      SearchMatch(
        calendar: calendar, component: match.component,
        uid: match.component[.uid].map { UID($0.text) } ?? UID(""), occurrence: occurrence))
  }

  /// The maximum number of cancelled occurrences before the next one.
  private static let cancelledLimit = 2000

  /// The occurrence that represents an item: that of the override, the next one that is not cancelled,
  /// or the first one.
  private func shownOccurrence(
    of match: QueryMatcher.Match, in components: [Component], _ timeZones: [Component]
  ) -> Occurrence? {
    let all = QueryBounds.unlimited.range
    if match.component[.recurrenceID] != nil {
      var own = matcher.occurrences(of: [match.component], timeZones: timeZones, in: all)
      return own.next()
    }
    var next = matcher.occurrences(of: components, timeZones: timeZones, in: now..<all.upperBound)
    for _ in 0..<Self.cancelledLimit {
      guard let occurrence = next.next() else { break }
      if !occurrence.component.isCancelled { return occurrence }
    }
    var first = matcher.occurrences(of: components, timeZones: timeZones, in: all)
    return first.next()
  }
}
